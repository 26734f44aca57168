import { forbidden, ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import type { View } from '../engine/watch.ts'
import type { Position } from '../events/position.ts'
import { heardBy, type Groups } from './hub-group.ts'
import type { Live } from './hub-live.ts'
import type { Group, Member, Seat } from './hub-model.ts'
import { isRefusal, readsRows, type Beginning, type Prepare } from './hub-prepare.ts'
import type { Tail } from './hub-tail.ts'

/** How subscriptions go on under other rights, begin anew and end. */
export interface Life {
  /** Puts a member where its caller of now belongs. */
  readonly place: (member: Member) => void
  /** The caller is another. Who is shown the same hears on; others wait until the rights of the new caller are known. */
  readonly changed: (member: Member) => void
  /** What was told cannot be gone on from. */
  readonly again: (member: Member) => void
  readonly end: (member: Member, error: ServiceError) => void
}

export interface LifeOptions {
  readonly engine: Engine
  readonly groups: Groups
  readonly tail: Tail
  readonly live: Live
  readonly prepare: Prepare
  readonly schedule: (group: Group) => void
  readonly leave: (member: Member) => void
  readonly onError: (error: unknown) => void
}

const PAUSE = 500

export function createLife(options: LifeOptions): Life {
  const { groups, tail, live, prepare, schedule, leave, onError } = options
  const { watch } = options.engine

  const end = (member: Member, error: ServiceError) => {
    if (member.isOver) return
    leave(member)
    member.tell({ kind: 'error', error })
  }

  async function restart(member: Member, from: Position | null, form: Beginning): Promise<void> {
    try {
      const open = await prepare(member, from, form)
      open()
    } catch (error) {
      if (member.isOver) return
      if (isRefusal(error)) return end(member, error)
      onError(error)
      setTimeout(() => void (member.isOver || restart(member, from, form)), PAUSE).unref()
    }
  }

  return {
    end,
    again: (member) => {
      if (member.group !== null) void restart(member, null, 'again')
    },
    changed(member) {
      const { actor } = member.seat
      if (member.wish.isLive) live.leave(member)
      else if (actor === null || !isShownTheSame(member, () => watch.view(actor, member.read)))
        park(member, groups, tail)
    },
    place(member) {
      const { seat, parkedAt } = member
      if (seat.isRefused) return end(member, forbidden())
      if (member.wish.isLive) return live.place(member)
      // Whoever is in no group yet finds its place by itself.
      if (member.group === null && parkedAt === null) return
      if (seat.actor === null) return park(member, groups, tail)
      try {
        schedule(groups.join(member, watch.view(seat.actor, member.read)))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return end(member, error)
      }
      member.parkedAt = null
      if (parkedAt !== null) void restart(member, parkedAt, 'return')
    },
  }
}

function isShownTheSame({ view }: Member, viewOf: () => View): boolean {
  try {
    return viewOf().fingerprint === view?.fingerprint
  } catch (error) {
    // The renewal decides, under the newest versions.
    if (error instanceof ServiceError) return false
    throw error
  }
}

/** The caller is nobody for now. Who has not begun begins anew. */
function park(member: Member, groups: Groups, tail: Tail): void {
  const { group } = member
  const position = tail.position()
  if (group === null || position === null) return
  const number = member.queue === null ? heardBy(group, position.number) : -1
  member.beginning += 1
  member.parkedAt = { epoch: position.epoch, number }
  groups.leave(member)
}

/** The view of a caller. Refuses as the read is refused: not under outdated permissions. */
export async function viewOf(member: Member, engine: Engine): Promise<View> {
  const { seat, read } = member
  // Where no rows are read, nothing else asks for the newest permissions.
  const actor = readsRows(member) ? seat.actor : await renewedActor(seat, engine)
  if (actor === null) throw forbidden()
  try {
    return engine.watch.view(actor, read)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error
    const renewed = await renewedActor(seat, engine)
    if (renewed === null) throw error
    return engine.watch.view(renewed, read)
  }
}

/** The caller with the newest permissions, unless it is another one by then. */
async function renewedActor(seat: Seat, engine: Engine): Promise<Actor | null> {
  const { actor } = seat
  if (actor === null) return null
  const renewed = await engine.renew(actor)
  if (seat.actor === actor) seat.actor = renewed
  return seat.actor
}
