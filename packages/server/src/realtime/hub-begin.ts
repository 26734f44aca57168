import { ServiceError } from '@tain/contract'
import type { Engine } from '../engine/engine.ts'
import { itemRead, listRead, readCollection } from '../engine/items/read-items.ts'
import type { EventLog, LogHead } from '../events/event-log.ts'
import { isOutside } from '../events/logged-change.ts'
import type { Position } from '../events/position.ts'
import { keyParts } from '../query/keys.ts'
import { findCollection } from '../schema/schema.ts'
import { addHint, createWriteSpans, type Hints } from './hub-hints.ts'
import type { Member } from './hub-model.ts'
import type { Wish } from './hub.ts'

/** The rows of a subscription as JSON. */
export interface FirstRows {
  readonly data: string
  readonly meta: string | null
}

const MOST_KEYS = 10_000
const MOST_CHANGES = 1000

/** The result of the query of a wish, as the same read answers it; null: it has to be read for nobody. */
export async function readFirst(member: Member, engine: Engine): Promise<FirstRows | null> {
  const { wish, seat } = member
  const { actor } = seat
  if (actor === null) return null
  const address = { collection: wish.collection, isSystem: wish.isSystem }
  if (wish.item !== null) {
    const key = keyParts(wish.item, collectionOf(wish, engine))
    const { data } = await engine.fresh.item(
      actor,
      itemRead(address, wish.query, () => key),
    )
    return { data, meta: null }
  }
  const fresh = { ...engine, ...engine.fresh }
  const reply = await readCollection(fresh, actor, listRead(address, wish.query))
  if ('item' in reply) return { data: reply.item, meta: null }
  return { data: `[${reply.rows.join(',')}]`, meta: reply.meta === null ? null : JSON.stringify(reply.meta) }
}

function collectionOf({ collection, isSystem }: Wish, engine: Engine) {
  const found = findCollection(engine.schema(), collection, isSystem)
  if (found === undefined) throw new ServiceError('FORBIDDEN')
  return found
}

/** Whether every change after a position is in the log. */
export async function canGoOn(from: Position, head: LogHead, collection: string, log: EventLog): Promise<boolean> {
  if (from.epoch !== head.epoch || from.number > head.number || from.number < head.oldest) return false
  const since = await log.capturedSince(collection)
  return since !== null && since <= from.number
}

export interface MissedSpan {
  readonly collection: string
  readonly item: string | null
  /** Whether writes of other programs count: they come late, so they may be older than the span. */
  readonly hasOutside: boolean
}

/** What happened to a collection between two positions; null: too much, or all rows at once. */
export async function missedHints(
  { collection, item, hasOutside }: MissedSpan,
  from: number,
  upTo: number,
  log: EventLog,
): Promise<Hints | null> {
  const hints: Hints = new Map()
  const spanOf = createWriteSpans()
  let after = from
  while (after < upTo) {
    const changes = await log.changes({ after, upTo, most: MOST_CHANGES, collection })
    for (const change of changes) {
      if (change.kind === 'heard' || (isOutside(change) && !hasOutside)) continue
      if (change.kind === 'truncate') return null
      const span = spanOf(change)
      if (item === null || item === change.key) addHint(hints, change, span)
    }
    if (hints.size > MOST_KEYS) return null
    const last = changes.at(-1)
    if (last === undefined || changes.length < MOST_CHANGES) break
    after = last.position
  }
  return hints
}
