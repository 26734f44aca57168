import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createSecretEncryption } from '../auth/secret-encryption.ts'
import type { ChangeConsumer } from '../changes/sink.ts'
import type { Config } from '../config.ts'
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
import { noProbes, type Probes } from './probes.ts'
import { connectionOptions, withoutMissingTables } from './database.ts'
import type { Files } from '../files/files.ts'
import type { Outside } from '../events/outside.ts'
import type { EventLog } from '../events/event-log.ts'
import { createEvents } from './events.ts'
import type { EngineParts } from './engine.ts'
import { createEngineAndFiles } from './files.ts'
import { connectReplicas } from './redis.ts'
import { createExtensionParts, type ExtensionParts } from './extensions.ts'
import { createSchemaParts, type SchemaParts } from './schema.ts'
import { watchedDatabase } from './statements.ts'
import { startParts, type Preparation } from './start.ts'
import { createWebhookParts, webhookGuard } from './webhooks.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

/** Everything but the protocols: enough for commands, which listen on no port. */
export interface Core {
  readonly context: AppContext
  readonly parts: SchemaParts &
    EngineParts & {
      readonly authentication: AuthenticationParts
      readonly files: Files | null
      /** The log of changes; null: none is kept. */
      readonly events: EventLog | null
      readonly outside: Outside
      readonly webhooks: Webhooks | null
      readonly extensions: ExtensionParts
    }
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
  readonly probes?: Probes
}

/** Another replica tells of a new version: the database says whether that is true. */
async function readNews(schemaCache: SchemaCache, permissionStore: PermissionStore): Promise<void> {
  if (schemaCache.current() === null) return
  const { schemaVersion, permissionVersion } = readVersions(await schemaCache.stamp())
  await schemaCache.atLeast(schemaVersion)
  if (permissionStore.atHand() !== null) await permissionStore.atLeast(permissionVersion)
}

const directusOf = (
  { secret, isReadOnly }: Config,
  { changes }: SchemaParts,
  { services }: AuthenticationParts,
): DirectusMigration =>
  createDirectusMigration({
    changes,
    // Without a secret of its own, a restarted service could not decrypt anything.
    encryption: secret === null ? null : createSecretEncryption(services.keyring),
    isReadOnly,
  })

export async function createCore(
  given: Config,
  logger: Logger,
  {
    connect = connectDatabase,
    onlyLooks = false,
    observe = (log) => log,
    changeConsumers = [],
    isTraced = false,
    probes = noProbes,
  }: CoreOptions = {},
): Promise<Core> {
  const log = observe(logObservation(logger))
  const database = watchedDatabase(await connect(connectionOptions(given, probes)), { ...given, isTraced }, log)
  const config = onlyLooks ? await withoutMissingTables(database, given) : given
  const context: AppContext = {
    config,
    database,
    systemSchema: database.systemSchema(config.systemSchema),
    logger,
    observe: log,
    ...connectReplicas(config, log),
    failpoints: probes.failpoints?.((name, count) => logger.info({ name, count }, 'failpoint')) ?? null,
    onlyLooks,
    lifecycle: { isClosing: false },
  }
  const schemaParts = createSchemaParts(context)
  const { schemaCache } = schemaParts
  const { events, outside } = createEvents(context, schemaCache)
  const extensions = createExtensionParts(context, () => engineParts.limits)
  const webhooks = webhookGuard(context, () => webhookParts)
  const around = { changeConsumers, events, webhooks, filters: extensions.filters }
  const { engineParts, files, closeFiles } = createEngineAndFiles(context, schemaCache, around)
  const authentication = createAuthentication(context, engineParts)
  const webhookParts = createWebhookParts(context, { ...engineParts, authentication, schemaCache, events })
  context.versionNews.onNews(() => readNews(schemaCache, engineParts.permissionStore))

  let preparation: Preparation | null = null

  return {
    context,
    parts: { ...schemaParts, ...engineParts, authentication, files, events, outside, extensions, ...webhookParts },
    snapshots: schemaParts.snapshots,
    operator: createOperator({ ...engineParts, accounts: authentication.accounts, importErrors: config.importErrors }),
    hasTables: !config.isReadOnly,
    tablesIn: context.systemSchema,
    preparation: () => preparation,
    directus: directusOf(config, schemaParts, authentication),
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
      await schemaCache.stop()
      await whenQuiet?.()
      await authentication.services.mailer.close()
      await closeFiles()
      context.redis?.close()
      await closeConnections(database)
    },
  }
}
