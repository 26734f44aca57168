import type { EventLog } from '../events/event-log.ts'
import { createOutside, type Outside } from '../events/outside.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { AppContext } from './context.ts'

const nothing: Outside = {
  start: () => undefined,
  stop: () => Promise.resolve(),
  facts: () => Promise.resolve({ outside: 'none', lag: null, slot: null }),
  settle: () => Promise.resolve(),
}

/** The log, which waits for the writes of other programs too. */
export const withOutside = (events: EventLog | null, { settle }: Outside): EventLog | null =>
  events === null
    ? null
    : {
        ...events,
        heard: settle,
        async settled() {
          await events.settled()
          await settle()
        },
      }

/** Hears of the writes of other programs, as long as a log of changes is kept. */
export function createOutsideParts(
  { config, database, systemSchema, observe, failpoints }: AppContext,
  { events, schemaCache }: { readonly events: EventLog | null; readonly schemaCache: SchemaCache },
): Outside {
  if (events === null) return nothing
  const isOn = config.eventsEnabled === true || config.hasSockets
  const isAnythingKept = () => {
    for (const { capturedSince } of schemaCache.current()?.collections.values() ?? [])
      if (capturedSince !== null) return true
    return false
  }
  return createOutside({
    mode: config.outside,
    slot: config.eventSlot,
    isUnbounded: config.isSlotUnbounded,
    isWanted: () => isOn || isAnythingKept(),
    database,
    systemSchema,
    schemaCache,
    log: events,
    isCaptured: ({ capturedSince }) => capturedSince !== null,
    observe,
    failpoints,
  })
}
