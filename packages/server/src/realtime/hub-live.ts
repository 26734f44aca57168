import { hash } from 'node:crypto'
import { forbidden, invalidQuery, ServiceError } from '@tain/contract'
import type { Engine } from '../engine/engine.ts'
import type { View } from '../engine/watch.ts'
import { positionText, type Position } from '../events/position.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import { readFirst, type FirstRows } from './hub-begin.ts'
import type { Member } from './hub-model.ts'
import { isRefusal } from './hub-prepare.ts'
import type { Tail } from './hub-tail.ts'

/** Live queries: the whole result, whenever it has changed. */
export interface Live {
  /** Reads the first result; returns what tells it. */
  readonly begin: (member: Member, view: View) => Promise<() => void>
  /** The rights of the caller may be others. */
  readonly place: (member: Member) => void
  readonly leave: (member: Member) => void
  readonly onChange: (change: Pick<LoggedChange, 'collection'>) => void
  /** Everything is read again. */
  readonly onLost: () => void
  /** What depends on the time is read again. */
  readonly onMinute: () => void
}

/** Live queries with the same result: they are read once for all. */
interface LiveGroup {
  readonly name: string
  view: View
  readonly members: Set<Member>
  /** When it was read last. */
  readAt: number
  state: 'idle' | 'waiting' | 'reading' | 'again'
}

export interface LiveOptions {
  readonly engine: Engine
  readonly tail: Pick<Tail, 'position'>
  /** Shortest time between two reads, in milliseconds. */
  readonly interval: number
  readonly renew: () => Promise<void>
  /** The same, if there is something new. */
  readonly check: () => Promise<void>
  readonly end: (member: Member, error: ServiceError) => void
  readonly onError: (error: unknown) => void
}

const LARGEST = 1024 ** 2
const PAUSE = 500

export function createLive(options: LiveOptions): Live {
  const { engine, tail, end } = options
  const { all, groupOf, join, leave } = createLiveGroups()
  const wake = createWake(options)

  const wakeThose = (isMeant: (view: View) => boolean) => {
    for (const group of all()) if (isMeant(group.view)) wake(group)
  }

  return {
    leave,
    async begin(member, view) {
      join(member, view)
      const position = tail.position()
      const rows = await readFirst(member, engine)
      if (member.seat.viewer !== null) await options.check()
      if (rows === null || position === null) throw forbidden()
      if (isTooLarge(rows)) throw tooLarge()
      return () => {
        const group = groupOf(member)
        // Its caller may have become nobody meanwhile.
        if (group === undefined) return end(member, forbidden())
        tellInit(member, rows, position)
        // What has changed since it was read is found by reading once more.
        wake(group)
      }
    },
    place(member) {
      const { actor } = member.seat
      if (actor === null) return leave(member)
      try {
        const moved = join(member, engine.watch.view(actor, member.read))
        if (moved !== null) wake(moved)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        end(member, error)
      }
    },
    onChange: ({ collection }) => wakeThose(({ readSet }) => readSet.includes(collection)),
    onLost: () => wakeThose(() => true),
    onMinute: () => wakeThose(({ isOfNow }) => isOfNow),
  }
}

function createLiveGroups() {
  const groups = new Map<string, LiveGroup>()
  const places = new Map<Member, LiveGroup>()

  const leave = (member: Member) => {
    const group = places.get(member)
    places.delete(member)
    group?.members.delete(member)
    if (group?.members.size === 0) groups.delete(group.name)
  }

  /** The group, if it is another than before. */
  const join = (member: Member, view: View): LiveGroup | null => {
    const name = nameOf(view)
    const group: LiveGroup = groups.get(name) ?? { name, view, members: new Set<Member>(), readAt: 0, state: 'idle' }
    groups.set(name, group)
    group.view = view
    member.view = view
    if (places.get(member) === group) return null
    leave(member)
    groups.set(name, group)
    group.members.add(member)
    places.set(member, group)
    return group
  }
  return { all: () => groups.values(), groupOf: (member: Member) => places.get(member), join, leave }
}

/** Rows that are read by their keys have no order and no pages: their values are none of the fingerprint. */
const nameOf = ({ fingerprint, read }: View): string => JSON.stringify([fingerprint, read.values, read.meta])

const textOf = ({ data, meta }: FirstRows): string => hash('sha256', `${meta ?? ''}\n${data}`, 'base64url')

const isTooLarge = ({ data }: FirstRows) => data.length > LARGEST

const tooLarge = () => invalidQuery('The result of a live query may have at most 1 MB; ask for fewer rows or fields')

function tellInit(member: Member, rows: FirstRows, position: Position): void {
  member.queue = null
  member.result = textOf(rows)
  member.toldAt = Date.now()
  const isResumed = member.wish.from === null ? null : false
  member.tell({ kind: 'init', ...rows, position: positionText(position), isResumed })
}

/** Reads a group again: not too often, and never twice at once. */
function createWake(options: LiveOptions): (group: LiveGroup) => void {
  const { interval, onError } = options

  const later = (group: LiveGroup, pause: number) => {
    group.state = 'waiting'
    setTimeout(() => void now(group), pause).unref()
  }

  async function now(group: LiveGroup): Promise<void> {
    if (group.members.size === 0) return
    group.state = 'reading'
    group.readAt = performance.now()
    const isDone = await readAgain(group, options).catch((error: unknown) => {
      onError(error)
      return false
    })
    if (!isDone) later(group, PAUSE)
    else if ((group.state as LiveGroup['state']) === 'again') later(group, pauseOf(group))
    else group.state = 'idle'
  }

  const pauseOf = ({ readAt }: LiveGroup) => Math.max(0, readAt + interval - performance.now())

  return (group) => {
    if (group.state === 'idle') later(group, group.readAt === 0 ? 0 : pauseOf(group))
    else if (group.state === 'reading') group.state = 'again'
  }
}

/** False: it has to be tried again. */
async function readAgain(group: LiveGroup, { engine, tail, renew, end }: LiveOptions): Promise<boolean> {
  const { view } = group
  const [member] = group.members
  const position = tail.position()
  if (member === undefined || position === null) return true
  try {
    const rows = await readFirst(member, engine)
    // A read brings its caller to newer permissions by itself, but not the others who share the result.
    const stamp = await engine.watch.stamp()
    const isCurrent = (each: View | null) => each !== null && engine.watch.isCurrent(each, stamp)
    if (rows === null || !isCurrent(view) || ![...group.members].every((each) => isCurrent(each.view))) {
      await renew()
      return false
    }
    if (isTooLarge(rows)) group.members.forEach((each) => end(each, tooLarge()))
    else tellResult(group, rows, position)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    await renew()
    if (group.members.has(member)) end(member, error)
    return false
  }
}

function tellResult({ members }: LiveGroup, rows: FirstRows, position: Position): void {
  const result = textOf(rows)
  const told = { kind: 'result', ...rows, position: positionText(position) } as const
  for (const member of members) {
    if (member.queue !== null || member.result === result) continue
    member.result = result
    member.toldAt = Date.now()
    member.tell(told)
  }
}
