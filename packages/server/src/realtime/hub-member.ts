import { listRead } from '../engine/items/read-items.ts'
import type { Read } from '../engine/read.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import { joinedKey } from '../query/keys.ts'
import { toldOf } from './hub-events.ts'
import type { HubEvent, Member, Seat } from './hub-model.ts'
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
  told: new Set(),
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
  const told = event.isUncertain ? asFarAsTold(member, event) : event.told
  if (told === null) return
  note(member, told)
  member.toldAt = Date.now()
  member.tell(told)
}

function asFarAsTold({ told: keys, item }: Member, { outcomes, told }: HubEvent): HubEvent['told'] | null {
  const heard = outcomes.filter(({ hint }) => keys.has(hint.key))
  return heard.length === 0 ? null : toldOf(told.kind, heard, told.position, item !== null)
}

/** The keys in the first rows, as far as they show them: of others nobody can say that they were told. */
export function noteFirst({ told: keys, view }: Member, data: string): void {
  if (view === null || view.showsEveryRow || data.length > LARGEST) return
  const names = view.collection.key.map(({ name }) => name)
  const rows = [JSON.parse(data) as unknown].flat() as (Readonly<Record<string, unknown>> | null)[]
  for (const row of rows) {
    const parts = names.map((name) => row?.[name])
    const isShown = parts.every((part) => typeof part === 'string' || typeof part === 'number')
    if (isShown && keys.size < MOST_KEYS) keys.add(joinedKey(parts.map(String)))
  }
}

/** Who sees every row is told of every end, and needs no memory. */
function note({ told: keys, view }: Member, { kind, rows }: HubEvent['told']): void {
  if (view === null || view.showsEveryRow) return
  for (const { key } of rows) {
    if (kind === 'delete') keys.delete(key)
    else if (keys.size < MOST_KEYS) keys.add(key)
  }
}
