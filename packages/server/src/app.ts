import { appendFileSync } from 'node:fs'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createActorOfUser } from './auth/actor-of-user.ts'
import { createAuthenticate, createBareAuthenticate, type Authenticate } from './auth/authenticate.ts'
import { begin } from './auth/bootstrap.ts'
import { createKeyring } from './auth/keyring.ts'
import { createLimits } from './auth/limits.ts'
import { createPasswords } from './auth/passwords.ts'
import { createWithPaths, type WithPaths } from './auth/paths.ts'
import type { AuthServices } from './auth/auth-procedure.ts'
import { createProcedures, type Procedures } from './auth/procedures/index.ts'
import { setupToken } from './auth/procedures/setup.ts'
import { createSecretEncryption } from './auth/secret-encryption.ts'
import { createTokens } from './auth/tokens.ts'
import type { Config } from './config.ts'
import { createAccounts } from './engine/accounts.ts'
import { createEngine } from './engine/engine.ts'
import { createIdentity } from './engine/identity.ts'
import { createLoginFailures } from './engine/login-failures.ts'
import { createOneTimeValues } from './engine/one-time.ts'
import { createPermissionStore } from './engine/permission-store.ts'
import { createSessions } from './engine/sessions.ts'
import { createLastPages } from './engine/last-page.ts'
import { createGraphql } from './graphql/endpoint.ts'
import { graphiqlPage } from './graphql/graphiql.ts'
import { typeNaming } from './graphql/schemas.ts'
import { createAttempts } from './http/simulated-request.ts'
import { createBrowser } from './http/browser.ts'
import { createQueryOf } from './http/queries.ts'
import { createServer } from './http/server.ts'
import { createFailpoints } from './lib/failpoint.ts'
import { logObservation } from './log.ts'
import { createMailer } from './mail/queue.ts'
import { createSmtp } from './mail/smtp.ts'
import { createSchemaChanger } from './schema/schema-changer.ts'
import type { SchemaChanger } from './schema/change.ts'
import { isPrepared, migrate } from './schema/migrate.ts'
import { createSchemaCache, type Snapshot } from './schema/schema-cache.ts'
import { connectionRefused } from './schema/start-error.ts'
import type { Database } from './sql/database.ts'
import { connectDatabase } from './sql/dialects/index.ts'
import { DatabaseError, type Statement } from './sql/driver.ts'
import { systemCollections } from './system/collections/index.ts'
import { pruneReferences } from './system/prune-references.ts'
import { guards } from './system/guards/index.ts'
import { reportRules } from './system/rule-report.ts'
import { createSnapshots, type Snapshots } from './system/snapshot/snapshots.ts'
import { version } from './version.ts'

/** The running service. */
export interface App {
  readonly server: FastifyInstance
  readonly snapshots: Snapshots
  /** Prepares the service's tables and reads the schema. False if the database is unavailable; it is then retried. */
  start(): Promise<boolean>
  close(): Promise<void>
}

export interface AppOptions {
  readonly connect?: typeof connectDatabase
  /** Writes nothing: uses the service's tables if they exist, and works without them otherwise. */
  readonly onlyLooks?: boolean
}

/** Wires the parts together. No other file knows all of them. */
export async function createApp(
  given: Config,
  logger: Logger,
  { connect = connectDatabase, onlyLooks = false }: AppOptions = {},
): Promise<App> {
  const database = await connect({
    url: given.databaseUrl,
    poolMax: given.poolMax,
    acquireTimeout: given.acquireTimeout,
    statementTimeout: given.statementTimeout,
    lockTimeout: given.lockTimeout,
    connectTimeout: given.connectTimeout,
    preparedStatements: given.preparedStatements,
    applicationName: 'tain',
    ...(given.statementLog === null ? {} : { onStatement: statementLog(given.statementLog) }),
  })
  const config = onlyLooks ? await withoutMissingTables(database, given) : given
  const observe = logObservation(logger)
  const failpoints = createFailpoints(config.failpoints, (name, count) => logger.info({ name, count }, 'failpoint'))
  const systemSchema = database.systemSchema(config.systemSchema)
  const { schemas, isReadOnly, pollInterval, limitDefault, limitMax } = config
  const snapshot = createSchemaCache(database, {
    systemSchema,
    schemas,
    isReadOnly,
    pollInterval,
    observe,
    systemCollections,
    nameTypes: typeNaming(),
    storesNames: !onlyLooks,
  })
  const permissionStore = createPermissionStore(database, systemSchema)
  const changes = createSchemaChanger(database, snapshot, {
    systemSchema,
    declared: systemCollections,
    failpoints,
    observe,
    pruneReferences,
  })
  const cost = {
    entries: config.queryEntries,
    conditions: config.queryConditions,
    values: config.queryValues,
    nodes: config.queryNodes,
    joins: config.queryJoins,
    rows: config.queryRows,
  }
  const engine = createEngine({
    database,
    snapshot,
    limitDefault,
    responseSize: config.responseSize,
    cost,
    maxBatch: config.maxBatch,
    systemSchema: isReadOnly ? null : systemSchema,
    observe,
    guards,
    permissionStore: isReadOnly ? null : permissionStore,
    showsRaised: config.showsRaised,
    failpoints,
  })
  const limits = {
    limitDefault,
    limitMax,
    depth: config.relationalDepth,
    jsonDepth: config.jsonDepth,
    listLength: config.listLength,
    cost,
  }
  const snapshots = createSnapshots({ changes, version, vendor: database.vendor, isReadOnly })
  const withPaths = createWithPaths(engine, limits)
  const keyring = createKeyring(config.secret, config.previousSecret)
  const mailer = createMailer(config.mailTransport === 'smtp' ? createSmtp(config) : null, observe)
  const services = {
    engine,
    identity: createIdentity(database, systemSchema),
    permissionStore,
    keyring,
    limits: createLimits(config),
    mailer,
    config,
    observe,
  }
  const authentication = isReadOnly ? null : createAuthentication(database, systemSchema, services, withPaths)
  let isClosing = false
  const isReady = () => !isClosing && snapshot.current() !== null && database.driver.isReachable

  const metadata = { changes, isReadOnly }
  const attempts = createAttempts(authentication?.authenticate ?? createBareAuthenticate(config.adminToken))
  const systemServices = {
    attempt: attempts.attempt,
    engine,
    lastPages: createLastPages(database, systemSchema),
    actorOfUser: isReadOnly ? async () => null : createActorOfUser(services.identity, permissionStore, withPaths),
    systemCollections,
    limits,
    version,
    rateLimit: config.isRateLimited ? { points: config.ratePoints, duration: config.rateDuration } : null,
    globalRateLimit: config.isGloballyLimited
      ? { points: config.globalRatePoints, duration: config.globalRateDuration }
      : null,
    isReady,
    isReachable: () => database.driver.isReachable,
  }
  const graphql = createGraphql({
    config,
    limits,
    responseSize: config.responseSize,
    services: { engine, metadata, system: systemServices, authentication: authentication?.procedures ?? null },
    onUnexpected: (error) => logger.error({ error }, 'a root field failed'),
  })

  const server = createServer(
    {
      engine,
      authenticate: attempts.authenticate,
      procedures: authentication?.procedures ?? null,
      browser: createBrowser({ ...config, origins: config.corsEnabled ? config.corsOrigin : [] }),
      metadata,
      snapshots,
      systemCollections,
      imports: { size: config.importSize, errors: config.importErrors },
      limits,
      queryOf: createQueryOf(limits),
      services: systemServices,
      graphql: { ...graphql, page: config.graphqlIde ? graphiqlPage : null },
      isReady,
    },
    {
      logger,
      payloadSize: config.payloadSize,
      cors: config.corsEnabled
        ? { origins: config.corsOrigin, credentials: config.corsCredentials, maxAge: config.corsMaxAge }
        : null,
      isClosing: () => isClosing,
      trustProxy: config.trustProxy,
      limits: services.limits,
    },
  )
  const prepare = async () => (onlyLooks ? undefined : prepareTables(database, config, services, changes))

  attempts.serveBy(server)

  return {
    server,
    snapshots,
    start: async () => {
      const isUp = await start(prepare, snapshot, logger, () => isClosing, database.refusalOf).catch(
        (error: unknown) => {
          throw refusedConnection(error, database, config)
        },
      )
      const changed = isUp ? graphql.prepare() : []
      if (isUp && !isReadOnly) reportRules(await permissionStore.current(), engine.schema(), observe)
      if (changed.length > 0) logger.info({ changed }, 'collections that go by another name in GraphQL')
      return isUp
    },
    async close() {
      isClosing = true
      await pause(config.shutdownDelay)
      snapshot.stop()
      await closeGently(server, config.shutdownTimeout)
      await mailer.close()
      const { driver, schemaDriver, backgroundDriver, ownDrivers = [] } = database
      await Promise.all([driver, schemaDriver, backgroundDriver, ...ownDrivers].map((each) => each.close()))
    },
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Switches to read-only mode, without metadata, if the service has not prepared this database. */
async function withoutMissingTables(database: Database, config: Config): Promise<Config> {
  if (config.isReadOnly) return config
  try {
    const isThere = await isPrepared(database, database.systemSchema(config.systemSchema), systemCollections)
    return isThere ? config : { ...config, isReadOnly: true }
  } catch (error) {
    throw refusedConnection(error, database, config)
  }
}

/** Turns errors that an operator can fix into one line; other errors stay unchanged. */
function refusedConnection(error: unknown, { refusalOf }: Database, { databaseUrl }: Config): unknown {
  const refusal = error instanceof DatabaseError ? refusalOf(error) : null
  return refusal === null ? error : connectionRefused(refusal, databaseUrl)
}

/** Creates the service's tables and initial rows, and recovers from changes that a crash interrupted. */
async function prepareTables(
  database: Database,
  config: Config,
  services: GivenServices,
  changes: SchemaChanger,
): Promise<void> {
  if (config.isReadOnly) return
  const { identity, keyring, observe } = services
  await migrate(database, database.systemSchema(config.systemSchema), systemCollections)
  await changes.recover()
  const { hasAdministrator, permissionVersion } = await begin(identity, config, observe)
  if (config.secret === null) observe({ kind: 'secret-missing' })
  const address = `${config.publicUrl ?? ''}/server/setup`
  if (!hasAdministrator) observe({ kind: 'setup-open', token: setupToken(keyring, permissionVersion), address })
}

type GivenServices = Pick<
  AuthServices,
  'engine' | 'identity' | 'permissionStore' | 'keyring' | 'limits' | 'mailer' | 'config' | 'observe'
>

/** Creates the authentication of callers and the authentication procedures. */
function createAuthentication(
  database: Database,
  systemSchema: string,
  given: GivenServices,
  withPaths: WithPaths,
): { readonly authenticate: Authenticate; readonly procedures: Procedures } {
  const tokens = createTokens(given.keyring)
  const sessions = createSessions(database, systemSchema)
  const accounts = createAccounts(database, systemSchema, given.permissionStore)
  const loginFailures = createLoginFailures(database, systemSchema)
  const oneTime = createOneTimeValues(database, systemSchema)
  const secretEncryption = createSecretEncryption(given.keyring)
  const passwords = createPasswords()
  return {
    authenticate: createAuthenticate({
      ...given,
      withPaths,
      tokens,
      sessions,
      sessionGrace: given.config.sessionGrace,
    }),
    procedures: createProcedures({
      ...given,
      tokens,
      sessions,
      accounts,
      loginFailures,
      oneTime,
      secretEncryption,
      passwords,
    }),
  }
}

/** Waits for a database that is unavailable; any other error aborts the start. */
async function start(
  prepare: () => Promise<void>,
  snapshot: Snapshot,
  logger: Logger,
  isClosing: () => boolean,
  refusalOf: Database['refusalOf'],
): Promise<boolean> {
  try {
    await prepare()
    await snapshot.reload()
    return true
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.fault !== 'unavailable' || isClosing()) throw error
    if (refusalOf(error) !== null) throw error
    logger.warn({ reason: error.message }, 'the database does not answer, waiting for it')
    void retry(prepare, snapshot, logger, isClosing)
    return false
  }
}

async function retry(
  prepare: () => Promise<void>,
  snapshot: Snapshot,
  logger: Logger,
  isClosing: () => boolean,
): Promise<void> {
  while (!isClosing()) {
    await pause(RETRY_INTERVAL)
    try {
      await prepare()
      await snapshot.reload()
      logger.info('the database answers')
      return
    } catch (error) {
      const isAway = error instanceof DatabaseError && error.fault === 'unavailable'
      logger[isAway ? 'debug' : 'error']({ error }, 'the start did not succeed yet')
    }
  }
}

const RETRY_INTERVAL = 50

/** Stops listening, lets requests finish, closes each connection after its last response, then cuts the rest. */
async function closeGently(server: FastifyInstance, timeout: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), timeout)
  await quietPeriod(server)
  const closed = new Promise<void>((resolve) => {
    // Not http's own close: it cuts idle connections at once, although a request may be in transit on each of them.
    NetServer.prototype.close.call(server.server, () => resolve())
  })
  // A request may be in transit on an idle connection, so idle connections stay open a little longer.
  const idle = setTimeout(() => server.server.closeIdleConnections(), IDLE_GRACE)
  await closed
  clearTimeout(cut)
  clearTimeout(idle)
  await server.close()
}

const IDLE_GRACE = 500

/**
 * Closing the port resets connections that the kernel has established and we have not accepted yet. So it is closed
 * after a short event loop turn without a new connection, or after QUIET_GRACE at the latest.
 */
async function quietPeriod({ server }: FastifyInstance): Promise<void> {
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

/** Appends every SQL text to a file, for inspection. */
const statementLog = (file: string) => (statement: Statement) =>
  appendFileSync(file, `${JSON.stringify({ text: statement.text })}\n`)
