import { createRedisBus, silentBus } from '../cluster/bus.ts'
import { createEventLog } from '../events/create-log.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Outside } from '../events/outside.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { AppContext } from './context.ts'
import { createOutsideParts, withOutside } from './outside.ts'

/** The log of changes, and who hears the writes of other programs for it. */
export interface EventParts {
  /** null: the service keeps none. */
  readonly events: EventLog | null
  readonly outside: Outside
}

export function createEvents(context: AppContext, schemaCache: SchemaCache): EventParts {
  const log = createLog(context, schemaCache)
  const outside = createOutsideParts(context, { events: log, schemaCache })
  return { events: withOutside(log, outside), outside }
}

function createLog(context: AppContext, schemaCache: SchemaCache): EventLog | null {
  const { config, database, systemSchema, redis, observe, failpoints } = context
  if (config.isReadOnly || config.eventsEnabled === false) return null
  const isOn = config.eventsEnabled === true || config.hasSockets
  return createEventLog({
    database,
    systemSchema,
    schemaCache,
    bus: redis === null ? silentBus : createRedisBus(redis, `${config.redisPrefix}:events`),
    retention: { age: config.eventsRetention, size: config.eventsRetentionSize },
    capturesAll: isOn && config.eventsCapture === 'all',
    observe,
    failpoints,
  })
}
