import { ServiceError } from '@tain/contract'
import type { Engine } from '../engine/engine.ts'
import type { EventLog, LogHead } from '../events/event-log.ts'
import { positionText, type Position } from '../events/position.ts'
import { canGoOn, missedHints, readFirst, type FirstRows } from './hub-begin.ts'
import { eventsOf } from './hub-events.ts'
import { absorbHints, takeHints, type Hints } from './hub-hints.ts'
import { deliver, mayBeOlder, noteFirst, tellEvent } from './hub-member.ts'
import type { Member } from './hub-model.ts'
import { findOutcomes, tooLarge } from './hub-outcomes.ts'

/** `first`: the subscription itself. `again`: everything anew. `return`: the caller is back, and goes on if possible. */
export type Beginning = 'first' | 'again' | 'return'

/** Reads what a beginning tells; returns what tells it. The member has to be in its group already, so that nothing is missed. */
export type Prepare = (member: Member, from: Position | null, form: Beginning) => Promise<() => void>

export interface PrepareOptions {
  readonly engine: Engine
  readonly log: EventLog
  readonly renew: () => Promise<void>
  /** The same, if there is something new. */
  readonly check: () => Promise<void>
  readonly end: (member: Member, error: ServiceError) => void
  readonly onError: (error: unknown) => void
}

/** An item is read even if it is not told: who may not read it is refused. */
export const readsRows = ({ wish }: Member): boolean => wish.item !== null || (wish.event === null && wish.hasInit)

/** An error that stays when the same is tried again. */
export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code !== 'SERVICE_UNAVAILABLE' && error.code !== 'INTERNAL_SERVER_ERROR'

export function createPrepare(options: PrepareOptions): Prepare {
  const { engine, log } = options
  return async (member, from, form) => {
    member.beginning += 1
    const turn = member.beginning
    member.queue = []
    if (member.view === null) throw new TypeError('a subscription begins with its view')
    const collection = member.view.collection.name
    const head = await headFor(member, log)
    member.covered = head.number
    const start = from ?? (form === 'first' ? member.wish.since : null)
    const goesOn = start !== null && (await canGoOn(start, head, collection, log))
    const span = { collection, item: member.item, hasOutside: from !== null }
    const hints = goesOn ? await missedHints(span, start.number, head.number, log) : null
    const rows = hints === null && readsRows(member) ? await firstRows(member, engine, form) : null
    // The read brings the caller to newer permissions by itself, but not the administrator who views as that caller.
    if (member.seat.viewer !== null) await options.check()
    member.readAt = performance.now()
    const opening = { member, turn, form, from: hints === null ? null : start, head, hints, rows }
    return () => void open(opening, options).catch(endOf(member, options))
  }
}

/** Who cannot be told what waits would wait for ever. */
const endOf =
  (member: Member, { end, onError }: PrepareOptions) =>
  (error: unknown): void => {
    if (isRefusal(error)) end(member, error)
    else onError(error)
  }

/** The head, behind what emptied the collection since the member is in its group: its rows are read after that. */
async function headFor(member: Member, log: EventLog): Promise<LogHead> {
  for (;;) {
    const head = await log.head()
    if (member.emptied <= head.number) return head
  }
}

/** An item that is gone when everything begins anew is told as null: there is nobody to refuse any more. */
async function firstRows(member: Member, engine: Engine, form: Beginning): Promise<FirstRows | null> {
  try {
    return await readFirst(member, engine)
  } catch (error) {
    const isGone = error instanceof ServiceError && error.code === 'FORBIDDEN' && member.item !== null
    if (form === 'first' || !isGone) throw error
    return { data: 'null', meta: null }
  }
}

interface Opening {
  readonly member: Member
  readonly turn: number
  readonly form: Beginning
  /** Where it goes on from; null: from the head. */
  readonly from: Position | null
  readonly head: Position
  readonly hints: Hints | null
  readonly rows: FirstRows | null
}

async function open(opening: Opening, options: PrepareOptions): Promise<void> {
  const { member, turn, form, from, head, hints } = opening
  const isStale = () => member.isOver || member.beginning !== turn
  if (isStale()) return
  if (form !== 'return' || from === null) tellInit(opening)
  member.toldAt = Date.now()
  member.begin = from?.number ?? head.number
  if (hints !== null) await replay(member, hints, head, isStale, options)
  if (isStale()) return
  member.begin = head.number
  const catchUpNow = () => catchUp(member, head, isStale, options)
  member.reread = () => void catchUpNow().catch(endOf(member, options))
  await catchUpNow()
}

/** What waits was read for others, maybe before the member was told newer rows: an item must not go back, so it is read again. */
async function catchUp(member: Member, head: Position, isStale: () => boolean, options: PrepareOptions): Promise<void> {
  for (;;) {
    const waiting = (member.queue ?? []).filter(({ last }) => last > member.begin)
    if (!waiting.some((event) => mayBeOlder(member, event))) {
      member.queue = null
      for (const event of waiting) deliver(member, event)
      return
    }
    const hints: Hints = new Map()
    for (const { outcomes } of waiting)
      absorbHints(
        hints,
        outcomes.map(({ hint }) => hint),
      )
    member.queue = []
    await replay(member, hints, head, isStale, options)
    if (isStale()) return
  }
}

function tellInit({ member, form, from, head, rows }: Opening): void {
  const { wish } = member
  const shown = wish.event === null && wish.hasInit ? rows : null
  if (shown !== null) noteFirst(member, shown.data)
  member.tell({
    kind: 'init',
    data: shown?.data ?? null,
    meta: shown?.meta ?? null,
    position: positionText(from ?? head),
    isResumed: form === 'first' && wish.from === null ? null : from !== null,
  })
}

const PAUSE = 500
const AT_ONCE = 1000

/** Tells what was missed, to one member. */
async function replay(
  member: Member,
  hints: Hints,
  { epoch }: Position,
  isStale: () => boolean,
  { engine: { watch }, renew, onError }: PrepareOptions,
): Promise<void> {
  let most = AT_ONCE
  const text = (number: number) => positionText({ epoch, number })
  while (hints.size > 0 && !isStale()) {
    const { view } = member
    if (view === null) return
    const taken = takeHints(hints, most)
    const readAt = performance.now()
    const look = async () => {
      const found = await findOutcomes(taken, view, watch)
      if (found === 'outdated') await renew()
      return found
    }
    const outcomes = await look().catch((error: unknown) => {
      if (isRefusal(error)) throw error
      onError(error)
      return 'away' as const
    })
    if (isStale()) return
    if (outcomes === 'too-large') {
      if (taken.length === 1) throw tooLarge()
      most = Math.ceil(taken.length / 2)
    } else if (outcomes === 'away') await new Promise((resolve) => setTimeout(resolve, PAUSE).unref())
    else if (outcomes !== 'outdated') {
      member.readAt = performance.now()
      for (const { key } of taken) hints.delete(key)
      const unfinished = new Set([...hints.values()].map(({ write }) => write))
      const form = { isOfItem: member.item !== null, positionText: text, readAt, unfinished }
      for (const event of eventsOf(outcomes, form)) tellEvent(member, event)
    }
  }
}
