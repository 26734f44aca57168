import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createAuthentication } from './app/authentication.ts'
import { closeConnections, closeGently } from './app/close.ts'
import type { AppContext } from './app/context.ts'
import { connectionOptions, withoutMissingTables } from './app/database.ts'
import { createEngineParts } from './app/engine.ts'
import { factsOf, type AppFacts } from './app/facts.ts'
import { createProtocols } from './app/protocols.ts'
import { createSchemaParts } from './app/schema.ts'
import { startParts, type Preparation } from './app/start.ts'
import { createSecretEncryption } from './auth/secret-encryption.ts'
import type { ChangeConsumer } from './changes/sink.ts'
import type { Config } from './config.ts'
import { createFailpoints } from './lib/failpoint.ts'
import { logObservation } from './log.ts'
import type { Observe } from './observe.ts'
import { connectDatabase } from './sql/dialects/index.ts'
import { createOperator, type Operator } from './system/operator.ts'
import { reportRules } from './system/rule-report.ts'
import { createDirectusMigration, type DirectusMigration } from './system/directus/migration.ts'
import type { Snapshots } from './system/snapshot/snapshots.ts'

/** The running service. */
export interface App {
  readonly server: FastifyInstance
  readonly snapshots: Snapshots
  /** What a person who starts the service is told; null while the database does not answer. */
  facts(): Promise<AppFacts | null>
  /** For commands: reads and writes rows with every permission. */
  readonly operator: Operator
  /** False if the service works without tables of its own. */
  readonly hasTables: boolean
  /** The schema that holds the service's tables, or will. */
  readonly tablesIn: string
  /** The last start's findings; null before it, and if the service only reads. */
  preparation(): Preparation | null
  readonly directus: DirectusMigration
  /** Prepares the service's tables and reads the schema. False if the database is unavailable; it is then retried. */
  start(): Promise<boolean>
  close(): Promise<void>
}

export interface AppOptions {
  readonly connect?: typeof connectDatabase
  /** Writes nothing: uses the service's tables if they exist, and works without them otherwise. */
  readonly onlyLooks?: boolean
  /** Receives observations in place of the log, which it is given. */
  readonly observe?: (log: Observe) => Observe
  /** Consumers of changes besides activity and revisions. */
  readonly changeConsumers?: readonly ChangeConsumer[]
}

/** Wires the parts together. Only this file and the folder app/ know all of them. */
export async function createApp(
  given: Config,
  logger: Logger,
  { connect = connectDatabase, onlyLooks = false, observe = (log) => log, changeConsumers = [] }: AppOptions = {},
): Promise<App> {
  const database = await connect(connectionOptions(given))
  const config = onlyLooks ? await withoutMissingTables(database, given) : given
  const context: AppContext = {
    config,
    database,
    systemSchema: database.systemSchema(config.systemSchema),
    logger,
    observe: observe(logObservation(logger)),
    failpoints: createFailpoints(config.failpoints, (name, count) => logger.info({ name, count }, 'failpoint')),
    onlyLooks,
    lifecycle: { isClosing: false },
  }
  const schemaParts = createSchemaParts(context)
  const engineParts = createEngineParts(context, schemaParts.schemaCache, changeConsumers)
  const authentication = createAuthentication(context, engineParts)
  const { server, graphql } = createProtocols(context, { ...schemaParts, ...engineParts, authentication })

  let preparation: Preparation | null = null

  return {
    server,
    snapshots: schemaParts.snapshots,
    facts: () => factsOf(context, schemaParts.schemaCache.current(), authentication, graphql),
    operator: createOperator({
      ...engineParts,
      accounts: authentication.accounts,
      importErrors: config.importErrors,
    }),
    hasTables: !config.isReadOnly,
    tablesIn: context.systemSchema,
    preparation: () => preparation,
    directus: createDirectusMigration({
      changes: schemaParts.changes,
      // Without a secret of its own, a restarted service could not decrypt anything.
      encryption: config.secret === null ? null : createSecretEncryption(authentication.services.keyring),
      isReadOnly: config.isReadOnly,
    }),
    async start() {
      const found = await startParts(context, schemaParts, authentication.services)
      if (found === 'waiting') return false
      preparation = found
      const { engine, permissionStore } = engineParts
      const changed = graphql.prepare()
      if (!config.isReadOnly) reportRules(await permissionStore.current(), engine.schema(), context.observe)
      if (changed.length > 0) context.observe({ kind: 'types-renamed', changed })
      return true
    },
    async close() {
      context.lifecycle.isClosing = true
      await sleep(config.shutdownDelay)
      schemaParts.schemaCache.stop()
      await closeGently(server, config.shutdownTimeout)
      await authentication.services.mailer.close()
      await closeConnections(database)
    },
  }
}
