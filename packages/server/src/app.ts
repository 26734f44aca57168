import { appendFileSync } from 'node:fs'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createAuthenticate } from './auth/authenticate.ts'
import type { Config } from './config.ts'
import { createEngine } from './engine/engine.ts'
import { createQueryOf } from './http/queries.ts'
import { createServer } from './http/server.ts'
import { createFailpoints } from './lib/failpoint.ts'
import { logObservation } from './log.ts'
import { createMetadataStore } from './schema/metadata-store.ts'
import { migrate } from './schema/migrate.ts'
import { createSnapshot, type Snapshot } from './schema/snapshot.ts'
import type { Database } from './sql/database.ts'
import { connectPostgres } from './sql/dialects/postgres/connect.ts'
import { DatabaseError, type Statement } from './sql/driver.ts'
import { systemCollections } from './system/collections/index.ts'
import { version } from './version.ts'

/** The running service. */
export interface App {
  readonly server: FastifyInstance
  /** Prepares the service's tables and reads the structure. False when the database is away: then it is tried on. */
  start(): Promise<boolean>
  close(): Promise<void>
}

/** Puts the parts together. The only file that knows them all. */
export function createApp(config: Config, logger: Logger): App {
  const database: Database = connectPostgres({
    url: config.databaseUrl,
    poolMax: config.poolMax,
    acquireTimeout: config.acquireTimeout,
    statementTimeout: config.statementTimeout,
    lockTimeout: config.lockTimeout,
    connectTimeout: config.connectTimeout,
    preparedStatements: config.preparedStatements,
    applicationName: 'tain',
    ...(config.statementLog === null ? {} : { onStatement: statementLog(config.statementLog) }),
  })
  const observe = logObservation(logger)
  const failpoints = createFailpoints(config.failpoints, (name, count) => logger.info({ name, count }, 'failpoint'))
  const { systemSchema, schemas, isReadOnly, pollInterval, limitDefault, limitMax } = config
  const snapshot = createSnapshot(database, {
    systemSchema,
    schemas,
    isReadOnly,
    pollInterval,
    observe,
    systemCollections,
  })
  const engine = createEngine({
    database,
    snapshot,
    limitDefault,
    maxBatch: config.maxBatch,
    systemSchema: isReadOnly ? null : systemSchema,
    observe,
    failpoints,
  })
  const limits = {
    limitDefault,
    limitMax,
    depth: config.relationalDepth,
    jsonDepth: config.jsonDepth,
    listLength: config.listLength,
  }
  let isClosing = false

  const server = createServer(
    {
      engine,
      authenticate: createAuthenticate(config.adminToken),
      metadata: { snapshot, store: createMetadataStore(database, snapshot, systemSchema, failpoints), isReadOnly },
      systemCollections,
      imports: { size: config.importSize, errors: config.importErrors },
      limits,
      queryOf: createQueryOf(limits),
      version: version,
      limitSettings: { default: limitDefault, max: limitMax },
      isReady: () => !isClosing && snapshot.current() !== null && database.driver.isReachable,
      isReachable: () => database.driver.isReachable,
    },
    {
      logger,
      payloadSize: config.payloadSize,
      cors: config.corsEnabled
        ? { origins: config.corsOrigin, credentials: config.corsCredentials, maxAge: config.corsMaxAge }
        : null,
      isClosing: () => isClosing,
    },
  )

  return {
    server,
    start: () => start(database, config, snapshot, logger, () => isClosing),
    async close() {
      isClosing = true
      await pause(config.shutdownDelay)
      snapshot.stop()
      await closeGently(server, config.shutdownTimeout)
      await database.driver.close()
    },
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A database that is away is waited for; anything else that is wrong ends the start with what to do. */
async function start(
  database: Database,
  config: Config,
  snapshot: Snapshot,
  logger: Logger,
  isClosing: () => boolean,
): Promise<boolean> {
  try {
    if (!config.isReadOnly) await migrate(database, config.systemSchema)
    await snapshot.reload()
    return true
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.fault !== 'unavailable' || isClosing()) throw error
    logger.warn({ error }, 'the database does not answer, waiting for it')
    void retry(database, config, snapshot, logger, isClosing)
    return false
  }
}

async function retry(
  database: Database,
  config: Config,
  snapshot: Snapshot,
  logger: Logger,
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing()) {
    await pause(RETRY_INTERVAL)
    try {
      if (!config.isReadOnly) await migrate(database, config.systemSchema)
      await snapshot.reload()
      logger.info('the database answers')
      return
    } catch (error) {
      const isAway = error instanceof DatabaseError && error.fault === 'unavailable'
      logger[isAway ? 'debug' : 'error']({ error }, 'the start did not succeed yet')
    }
  }
}

const RETRY_INTERVAL = 250

/** Stops listening, lets requests finish and tells each connection that it is the last answer; then cuts what is left. */
async function closeGently(server: FastifyInstance, timeout: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), timeout)
  await quietMoment(server)
  const closed = new Promise<void>((resolve) => {
    // Not http's own close: it cuts connections that look idle at once, and on each of them a request may be under way.
    NetServer.prototype.close.call(server.server, () => resolve())
  })
  // A request may be on its way on an idle connection: the connection gets a moment to prove it.
  const idle = setTimeout(() => server.server.closeIdleConnections(), IDLE_GRACE)
  await closed
  clearTimeout(cut)
  clearTimeout(idle)
  await server.close()
}

const IDLE_GRACE = 500

/**
 * Closing the port resets what the kernel has connected and we have not accepted yet. So it is closed in a turn that
 * brought no connection and left no time for one; if there is none for long, it is closed nevertheless.
 */
async function quietMoment({ server }: FastifyInstance): Promise<void> {
  const deadline = performance.now() + QUIET_GRACE
  let arrived = 0
  const count = () => (arrived += 1)
  server.on('connection', count)
  for (let isQuiet = false; !isQuiet && performance.now() < deadline;) {
    const [before, began] = [arrived, performance.now()]
    await new Promise((resolve) => setImmediate(resolve))
    isQuiet = arrived === before && performance.now() - began < SHORT_TURN
  }
  server.off('connection', count)
}

const QUIET_GRACE = 2000
const SHORT_TURN = 0.5

/** Appends every SQL text to a file, for whoever wants to see what is sent. */
const statementLog = (file: string) => (statement: Statement) =>
  appendFileSync(file, `${JSON.stringify({ text: statement.text })}\n`)
