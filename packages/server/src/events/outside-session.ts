import { isDeepStrictEqual } from 'node:util'
import type { Observe } from '../observe.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Schema } from '../schema/schema.ts'
import type { LogOptions, OutsideReader, Unheard } from '../sql/outside.ts'
import type { EventLog } from './event-log.ts'
import { createAppender, type Appender, type AppenderParts } from './outside-appender.ts'
import { heardCollections } from './outside-changes.ts'
import { setMark, storedMark, type Mark } from './outside-mark.ts'

const TICK = 500
/** An idle database moves its log on as often. */
const BEAT = 10_000

export interface SessionParts extends Omit<AppenderParts, 'stored' | 'failed' | 'schema' | 'exactSchema' | 'log'> {
  readonly log: Pick<EventLog, 'append' | 'told' | 'renewEpoch'>
  readonly schemaCache: Pick<SchemaCache, 'current' | 'latest' | 'exact'>
  readonly options: LogOptions
  readonly observe: Observe
  /** Throws if another replica may have taken over. */
  readonly assertHeld: () => void
}

/** One replica reads the log of the database until something fails. */
export interface Session {
  readonly lag: () => number
  /** Rejects with the reason of the end. */
  readonly over: Promise<never>
  readonly close: () => Promise<void>
}

/**
 * Begins at the end of the log of the database. The mark says that this is under way: a crash between the steps must not
 * look like an ordinary start.
 */
async function beginAnew(parts: SessionParts, loss: string | null): Promise<Mark> {
  const { logical, log, observe, options } = parts
  await setMark(parts, 'renewing')
  const position = await logical.renew(options)
  if (loss !== null) {
    await log.renewEpoch(loss)
    observe({ kind: 'outside-lost', reason: loss })
  }
  const mark = { position, done: null }
  await setMark(parts, mark)
  return mark
}

/** The place to go on from; a new one if there is none, or the old one is of no use. */
async function placeToBegin(parts: SessionParts): Promise<Mark> {
  const mark = await storedMark(parts)
  if (mark === null) return beginAnew(parts, null)
  if (mark === 'renewing') return beginAnew(parts, 'the log of the database could not be read on')
  const { state } = await parts.logical.place(mark.position, parts.options)
  if (state === 'missing') return beginAnew(parts, 'the database has no slot any more')
  return state === 'lost' ? beginAnew(parts, 'the database has removed log that was not read') : mark
}

/** Has the tables of the mirror in the log, and says which are not. */
function createInclusion({ logical, options, observe, log }: SessionParts) {
  let known: ReadonlySet<string> = new Set()
  let told: readonly Unheard[] = []
  return async (schema: Schema): Promise<void> => {
    const tables = heardCollections(schema).map((collection) => ({
      schema: collection.schema,
      name: collection.table,
      key: collection.key.map(({ column }) => column.name),
    }))
    const { unheard, heard, removed } = await logical.include(tables, known, options)
    known = heard
    if (unheard.length > 0 && !isDeepStrictEqual(unheard, told)) observe({ kind: 'outside-unheard', tables: unheard })
    told = unheard
    if (!removed) return
    await log.renewEpoch('tables were taken out of the publication')
    observe({ kind: 'outside-lost', reason: 'tables were taken out of the publication' })
  }
}

interface Listening {
  readonly appender: Appender
  readonly reader: OutsideReader
}

async function listenFrom(mark: Mark, parts: SessionParts, failed: (error: unknown) => void): Promise<Listening> {
  const { logical, options, schemaCache } = parts
  let reader: OutsideReader | null = null
  const appender = createAppender(
    {
      ...parts,
      schema: schemaCache.latest,
      exactSchema: schemaCache.exact,
      stored: (position) => reader?.confirm(position),
      failed,
    },
    mark,
  )
  reader = await logical.read(mark.position, { take: appender.take, reached: appender.reached, failed }, options)
  return { appender, reader }
}

/** Goes on from the last place, or from a new one if the database does not take the last one. */
async function listen(parts: SessionParts, failed: (error: unknown) => void): Promise<Listening> {
  const mark = await placeToBegin(parts)
  try {
    return await listenFrom(mark, parts, failed)
  } catch (error) {
    if (!parts.logical.isLost(error)) throw error
    const anew = await beginAnew(parts, 'the log of the database cannot be read from the last place on')
    return listenFrom(anew, parts, failed)
  }
}

export async function beginSession(parts: SessionParts): Promise<Session> {
  const { logical, options, schemaCache, observe } = parts
  const include = createInclusion(parts)
  let included = await schemaCache.latest()
  // The tables come first: what is logged before that is lost.
  await include(included)
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  const { appender, reader } = await listen(parts, over.reject)
  observe({ kind: 'outside-began', slot: options.slot })

  let lastBeat = performance.now()
  const tick = async () => {
    parts.assertHeld()
    const schema = schemaCache.current()
    const isDue = performance.now() - lastBeat >= BEAT
    if (schema !== null && (isDue || schema.generation !== included.generation)) {
      included = schema
      await include(schema)
    }
    if (!isDue) return
    lastBeat = performance.now()
    await logical.beat(options)
    await appender.rest()
  }
  let ticking: Promise<void> | null = null
  const timer = setInterval(() => {
    ticking ??= tick()
      .catch(over.reject)
      .finally(() => {
        ticking = null
      })
  }, TICK)
  timer.unref()

  return {
    lag: appender.lag,
    over: over.promise,
    async close() {
      clearInterval(timer)
      await ticking
      await reader.close()
      await appender.close()
    },
  }
}
