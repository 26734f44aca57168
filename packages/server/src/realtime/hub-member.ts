import { randomBytes } from 'node:crypto'
import { listRead } from '../engine/items/read-items.ts'
import type { Read } from '../engine/read.ts'
import type { View } from '../engine/watch.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import { joinedKey } from '../query/keys.ts'
import { toldOf } from './hub-events.ts'
import { ownKey } from './hub-keys.ts'
import type { HubEvent, Member, Outcome, Seat } from './hub-model.ts'
import type { Told, Wish } from './hub.ts'

export const createMember = (seat: Seat, wish: Wish, tell: (told: Told) => void): Member => ({
  seat,
  wish,
  read: wish.isLive ? listRead(wish, wish.query) : eventRead(wish),
  tell,
  view: null,
  group: null,
  item: null,
  begin: 0,
  covered: null,
  emptied: 0,
  readAt: 0,
  reread: () => {},
  queue: [],
  parkedAt: null,
  told: new Map(),
  secret: randomBytes(32),
  toldAt: 0,
  result: null,
  release: () => {},
  beginning: 0,
  isOver: false,
})

/** Rows that are read by their keys have no order and no pages; this limit only says what they may cost. */
const ROWS = 100

/** The read of events: what the query selects, and which rows it means. */
function eventRead({ collection, isSystem, query: { query: asked, values } }: Wish): Read {
  const query = { ...asked, sort: [], limit: ROWS, offset: null, aggregate: null }
  const queryKey = queryKeyOf(query)
  return { collection, isSystem, query, queryKey, values, meta: [], cursor: null, key: null }
}

const MOST_KEYS = 10_000
const LARGEST = 1024 ** 2

/** Whether the member may have been told newer rows already. */
export const mayBeOlder = ({ readAt }: Member, event: HubEvent): boolean => event.readAt < readAt

/** Tells an event, or keeps it until the member has begun. */
export function deliver(member: Member, event: HubEvent): void {
  if (member.queue !== null) member.queue.push(event)
  else if (mayBeOlder(member, event) && event.last > member.begin) {
    member.queue = [event]
    member.reread()
  } else tellEvent(member, event)
}

export function tellEvent(member: Member, event: HubEvent): void {
  if (member.isOver || event.last <= member.begin) return
  const { event: wanted } = member.wish
  if (wanted !== null && event.told.kind !== wanted) return
  const heard = event.isUncertain ? event.outcomes.filter(({ hint }) => member.told.has(hint.key)) : event.outcomes
  if (heard.length === 0) return
  const told = toldTo(member, event, heard)
  note(member, heard)
  member.toldAt = Date.now()
  member.tell(told)
}

function toldTo(member: Member, { told, outcomes, hidesKeys }: HubEvent, heard: readonly Outcome[]): HubEvent['told'] {
  const showsKeys = told.kind === 'delete' || member.wish.hasKeys
  if (heard.length === outcomes.length && !(hidesKeys && showsKeys)) return told
  return toldOf(told.kind, heard, told.position, member.item !== null, (outcome) => ownKey(member, outcome))
}

/** Who sees every row is told of every end, and needs no memory, unless the row decides whether the key is told. */
const needsMemory = (view: View): boolean => !view.showsEveryRow || view.keyRows === 'some'

/** The keys in the first rows, as far as they show them: of others nobody can say that they were told. */
export function noteFirst({ told: keys, view }: Member, data: string): void {
  if (view === null || !needsMemory(view) || view.keyNames === null || data.length > LARGEST) return
  const names = view.keyNames
  const rows = [JSON.parse(data) as unknown].flat() as (Readonly<Record<string, unknown>> | null)[]
  for (const row of rows) {
    const parts = names.map((name) => row?.[name])
    const isShown = parts.every((part) => typeof part === 'string' || typeof part === 'number')
    if (isShown && keys.size < MOST_KEYS) keys.set(joinedKey(parts.map(String)), true)
  }
}

function note({ told: keys, view }: Member, heard: readonly Outcome[]): void {
  if (view === null || !needsMemory(view)) return
  for (const { hint, json, isKeyShown } of heard) {
    if (json === null) keys.delete(hint.key)
    else if (keys.size < MOST_KEYS || keys.has(hint.key)) keys.set(hint.key, isKeyShown === true)
  }
}
