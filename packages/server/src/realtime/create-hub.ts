import { setImmediate as turn } from 'node:timers/promises'
import { forbidden, type ServiceError } from '@tain/contract'
import type { Engine } from '../engine/engine.ts'
import type { EventLog } from '../events/event-log.ts'
import { sharedCalls } from '../lib/shared-calls.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import { positionText } from '../events/position.ts'
import { createGroups, heardBy, type Groups } from './hub-group.ts'
import { createIntake } from './hub-intake.ts'
import { createLife, viewOf, type Life } from './hub-life.ts'
import { createLive, type Live } from './hub-live.ts'
import { createMember } from './hub-member.ts'
import type { Group, Member } from './hub-model.ts'
import { createPrepare, type Prepare } from './hub-prepare.ts'
import { createRights, type Rights } from './hub-rights.ts'
import { createRunner } from './hub-runner.ts'
import { createTail, type Tail } from './hub-tail.ts'
import type { Hub } from './hub.ts'

export interface HubOptions {
  readonly engine: Engine
  readonly log: EventLog
  /** Shortest time between two results of a live query, in milliseconds. */
  readonly liveInterval: number
  /** What went wrong, and is tried again. */
  readonly onError: (error: unknown) => void
}

const CHECK_RIGHTS = 400
const CHECK_LOG = 1000
const CHECK_IDLE = 5000
const MINUTE = 60_000

export function createHub(options: HubOptions): Hub {
  const { engine, log, onError } = options
  const members = new Set<Member>()
  const groups = createGroups()

  const leave = (member: Member) => {
    member.isOver = true
    member.release()
    groups.leave(member)
    live.leave(member)
    rights.leave(member)
    members.delete(member)
    if (members.size === 0) tail.rest()
  }
  const schedule = (group: Group) => runner.schedule(group)
  const onFailure = (group: Group, error: ServiceError) => group.members.forEach((member) => life.end(member, error))
  const rights = createRights({
    watch: engine.watch,
    onRenewed: (seats) => {
      for (const seat of seats) for (const member of seat.members) life.place(member)
    },
  })
  const again = (member: Member) => life.again(member)
  const intake = createIntake(groups, schedule, again, (change) => live.onChange(change))
  const tail = createTail({
    log,
    ready: currentRights(groups, rights),
    ...intake,
    onLost: () => beginAll(members, live, again),
    onError,
  })
  const position = (number: number) => positionText({ epoch: tail.position()?.epoch ?? '', number })
  const { renew, check } = rights
  const runner = createRunner({ watch: engine.watch, positionText: position, renew, onFailure, onError })
  const end: Life['end'] = (member, error) => life.end(member, error)
  const prepare = createPrepare({ engine, log, renew, check, end, onError })
  const live = createLive({ engine, tail, interval: options.liveInterval, renew, check, end, onError })
  const life = createLife({ engine, groups, tail, live, prepare, schedule, leave, onError })

  const timers = timersOf({ rights, tail, live, members, onError })
  let endNews = () => {}
  return {
    subscribe: createSubscribe({ ...options, members, groups, rights, tail, live, prepare, leave }),
    place: sharedCalls(log.now),
    changed: createChanged(rights, life, onError),
    start() {
      endNews = log.onNews(tail.wake)
      timers.start()
    },
    async stop() {
      endNews()
      timers.stop()
      for (const member of members) leave(member)
      await Promise.all([tail.stop(), runner.stop()])
    },
  }
}

/** Who has no subscription is nobody to renew. */
const createChanged =
  (rights: Rights, life: Life, onError: HubOptions['onError']): Hub['changed'] =>
  (audience) => {
    const seat = rights.changed(audience)
    if (seat === undefined) return
    for (const member of seat.members) life.changed(member)
    rights.renew().catch(onError)
  }

/** What was to be looked at belongs to a log that is no more. */
function beginAll(members: Iterable<Member>, live: Live, again: (member: Member) => void): void {
  live.onLost()
  for (const member of members) {
    if (member.group !== null) {
      member.group.pending.clear()
      member.group.taken = []
    }
    again(member)
  }
}

/** Groups are left out by the rights that they have: those have to be at least as new as the changes. */
const currentRights = (groups: Groups, rights: Rights) => async (changes: readonly LoggedChange[]) => {
  if (changes.some(({ collection }) => groups.leavesOut(collection))) await rights.check()
}

interface SubscribeParts extends HubOptions {
  readonly members: Set<Member>
  readonly groups: Groups
  readonly rights: Rights
  readonly tail: Tail
  readonly live: Live
  readonly prepare: Prepare
  readonly leave: (member: Member) => void
}

function createSubscribe({ engine, log, members, groups, rights, tail, live, prepare, leave }: SubscribeParts) {
  const begin = async (member: Member): Promise<() => void> => {
    const { wish } = member
    await rights.bring(member.seat)
    const { collection, readSet } = await viewOf(member, engine)
    member.item = wish.item === null ? null : engine.watch.spelledKey(wish.item, collection)
    const release = await log.capture(wish.isLive ? readSet : [collection.name])
    if (member.isOver) release()
    member.release = release
    // Who goes on from a position may hear of something twice; others are not told what was written before.
    if (wish.from === null) await log.heard()
    await tail.follow()
    const view = await viewOf(member, engine)
    if (wish.isLive) return live.begin(member, view)
    groups.join(member, view)
    const open = await prepare(member, wish.from, 'first')
    // Its caller may have become nobody meanwhile.
    if (member.group === null) throw forbidden()
    return open
  }

  const subscribe: Hub['subscribe'] = async (audience, wish, tell) => {
    const member = createMember(rights.seatOf(audience), wish, tell)
    members.add(member)
    member.seat.members.add(member)
    try {
      const open = await begin(member)
      void turn().then(open)
    } catch (error) {
      leave(member)
      throw error
    }
    return { close: () => leave(member) }
  }
  return subscribe
}

const IDLE = 60_000

/** Who asks for it is told the position while nothing else is. */
function tellIdle(members: Iterable<Member>, tail: Tail): void {
  const position = tail.position()
  if (position === null) return
  const now = Date.now()
  for (const member of members) {
    const { group, queue, toldAt, wish } = member
    if (!wish.tellsPositions || queue !== null || group === null || now - toldAt < IDLE) continue
    member.toldAt = now
    member.tell({
      kind: 'position',
      position: positionText({ ...position, number: heardBy(group, position.number) }),
    })
  }
}

interface Timed {
  readonly rights: Rights
  readonly tail: Tail
  readonly live: Live
  readonly members: ReadonlySet<Member>
  readonly onError: HubOptions['onError']
}

const timersOf = ({ rights, tail, live, members, onError }: Timed) =>
  createTimers([
    [CHECK_RIGHTS, () => rights.check().catch(onError)],
    [CHECK_LOG, tail.wake],
    [CHECK_IDLE, () => tellIdle(members, tail)],
    [MINUTE, live.onMinute],
  ])

type Work = () => unknown

function createTimers(works: readonly (readonly [number, Work])[]): { start: () => void; stop: () => void } {
  let timers: NodeJS.Timeout[] = []
  return {
    start: () => {
      timers = works.map(([milliseconds, work]) => setInterval(() => void work(), milliseconds).unref())
    },
    stop: () => timers.forEach(clearInterval),
  }
}
