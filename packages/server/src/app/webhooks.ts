import { createSecretEncryption, type SecretEncryption } from '../auth/secret-encryption.ts'
import type { EventLog } from '../events/event-log.ts'
import { allowedAddresses, type IsAllowedAddress } from '../lib/outside-addresses.ts'
import { createOutsideConnections } from '../lib/outside-connections.ts'
import type { Config } from '../config.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import { createDeliveryStore } from '../store/deliveries.ts'
import type { WebhookGuardOptions } from '../system/guards/webhooks.ts'
import { version } from '../version.ts'
import { createChooseRows } from '../webhooks/choose-rows.ts'
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.ts'
import type { AuthenticationParts } from './authentication.ts'
import type { AppContext } from './context.ts'
import type { EngineParts } from './engine.ts'

const isAllowedBy = ({ webhookAllowed }: Config): IsAllowedAddress =>
  allowedAddresses({ allow: webhookAllowed, deny: [] })

/** Webhooks are made through the engine, which is there before they and their keys are. */
export interface LateWebhooks {
  readonly webhooks: Webhooks | null
  readonly encryption: SecretEncryption
}

export const webhookGuard = ({ config }: AppContext, late: () => LateWebhooks): WebhookGuardOptions => ({
  isAllowed: isAllowedBy(config),
  encryption: () => late().encryption,
  onChanged: async () => late().webhooks?.changed(),
})

export interface WebhookSources extends EngineParts {
  readonly authentication: AuthenticationParts
  readonly schemaCache: SchemaCache
  readonly events: EventLog | null
}

/** A service that only reads has none: they need rows of their own. */
export function createWebhookParts(
  { config, database, systemSchema, observe, failpoints }: AppContext,
  { engine, limits, authentication: { services, actorOfUser }, schemaCache, events: log }: WebhookSources,
): LateWebhooks {
  const encryption = createSecretEncryption(services.keyring)
  if (config.isReadOnly) return { webhooks: null, encryption }
  const webhooks = createWebhooks({
    store: createDeliveryStore(database, systemSchema),
    log,
    schema: () => engine.schema(),
    latestSchema: () => schemaCache.latest(),
    isReady: () => schemaCache.current() !== null,
    chooseRows: createChooseRows({ engine, actorOfUser, limits }),
    shownKey: engine.watch.shownKey,
    encryption: () => encryption,
    isDelivering: config.hasWebhooks,
    isAllowed: isAllowedBy(config),
    userAgent: `Tain/${version}`,
    timeout: config.webhookTimeout,
    delays: config.webhookDelays,
    concurrency: config.webhookConcurrency,
    hostConcurrency: config.webhookHostConcurrency,
    connections: createOutsideConnections(),
    observe,
    failpoints,
  })
  return { webhooks, encryption }
}
