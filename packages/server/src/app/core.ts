import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createSecretEncryption } from '../auth/secret-encryption.ts'
import type { ChangeConsumer } from '../changes/sink.ts'
import type { Config } from '../config.ts'
import { createFailpoints } from '../lib/failpoint.ts'
import { logObservation } from '../log.ts'
import type { Observe } from '../observe.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import { connectDatabase } from '../sql/dialects/index.ts'
import type { PermissionStore } from '../store/permission-store.ts'
import { readVersions } from '../store/versions.ts'
import { createDirectusMigration, type DirectusMigration } from '../system/directus/migration.ts'
import { createOperator, type Operator } from '../system/operator.ts'
import { reportRules } from '../system/rule-report.ts'
import type { Snapshots } from '../system/snapshot/snapshots.ts'
import { createAuthentication, type AuthenticationParts } from './authentication.ts'
import { closeConnections } from './close.ts'
import type { AppContext } from './context.ts'
import { connectionOptions, withoutMissingTables } from './database.ts'
import { createEngineParts, type EngineParts } from './engine.ts'
import { connectReplicas } from './redis.ts'
import { createSchemaParts, type SchemaParts } from './schema.ts'
import { watchedDatabase } from './statements.ts'
import { startParts, type Preparation } from './start.ts'

/** Everything but the protocols: enough for commands, which listen on no port. */
export interface Core {
  readonly context: AppContext
  readonly parts: SchemaParts & EngineParts & { readonly authentication: AuthenticationParts }
  readonly snapshots: Snapshots
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
  /** `whenQuiet` runs after the service stopped following the schema, and before the connections are closed. */
  close(whenQuiet?: () => Promise<void>): Promise<void>
}

export interface CoreOptions {
  readonly connect?: typeof connectDatabase
  /** Writes nothing: uses the service's tables if they exist, and works without them otherwise. */
  readonly onlyLooks?: boolean
  /** Receives observations in place of the log, which it is given. */
  readonly observe?: (log: Observe) => Observe
  /** Consumers of changes besides activity and revisions. */
  readonly changeConsumers?: readonly ChangeConsumer[]
  /** Statements belong to traces. */
  readonly isTraced?: boolean
}

/** Another replica tells of a new version: the database says whether that is true. */
async function readNews(schemaCache: SchemaCache, permissionStore: PermissionStore): Promise<void> {
  if (schemaCache.current() === null) return
  const { schemaVersion, permissionVersion } = readVersions(await schemaCache.stamp())
  await schemaCache.atLeast(schemaVersion)
  if (permissionStore.atHand() !== null) await permissionStore.atLeast(permissionVersion)
}

export async function createCore(
  given: Config,
  logger: Logger,
  {
    connect = connectDatabase,
    onlyLooks = false,
    observe = (log) => log,
    changeConsumers = [],
    isTraced = false,
  }: CoreOptions = {},
): Promise<Core> {
  const log = observe(logObservation(logger))
  const database = watchedDatabase(await connect(connectionOptions(given)), { ...given, isTraced }, log)
  const config = onlyLooks ? await withoutMissingTables(database, given) : given
  const context: AppContext = {
    config,
    database,
    systemSchema: database.systemSchema(config.systemSchema),
    logger,
    observe: log,
    ...connectReplicas(config, log),
    failpoints: createFailpoints(config.failpoints, (name, count) => logger.info({ name, count }, 'failpoint')),
    onlyLooks,
    lifecycle: { isClosing: false },
  }
  const schemaParts = createSchemaParts(context)
  const engineParts = createEngineParts(context, schemaParts.schemaCache, changeConsumers)
  const authentication = createAuthentication(context, engineParts)
  context.versionNews.onNews(() => readNews(schemaParts.schemaCache, engineParts.permissionStore))

  let preparation: Preparation | null = null

  return {
    context,
    parts: { ...schemaParts, ...engineParts, authentication },
    snapshots: schemaParts.snapshots,
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
      if (!config.isReadOnly) reportRules(await permissionStore.current(), engine.schema(), context.observe)
      return true
    },
    async close(whenQuiet) {
      context.lifecycle.isClosing = true
      await sleep(config.shutdownDelay)
      await schemaParts.schemaCache.stop()
      await whenQuiet?.()
      await authentication.services.mailer.close()
      context.redis?.close()
      await closeConnections(database)
    },
  }
}
