import { forbidden, ServiceError } from '@tain/contract'
import type { Watch } from '../engine/watch.ts'
import { sharedCalls } from '../lib/shared-calls.ts'
import type { Member, Seat } from './hub-model.ts'
import type { Audience } from './hub.ts'

/** Who listens, and under which rights. */
export interface Rights {
  /** The seat of an audience, with its caller of now. */
  readonly seatOf: (audience: Audience) => Seat
  readonly leave: (member: Member) => void
  /** Brings a seat to the permissions that the others have: its caller may have been found long ago. */
  readonly bring: (seat: Seat) => Promise<void>
  /** Renews callers whose permissions are not those of now. */
  readonly renew: () => Promise<void>
  /** The same, if there is something new. */
  readonly check: () => Promise<void>
  /** The caller of an audience has changed. Returns its seat; undefined: it has none. */
  readonly changed: (audience: Audience) => Seat | undefined
}

export interface RightsOptions {
  readonly watch: Watch
  /** Seats have the callers of now: members have to be placed anew. */
  readonly onRenewed: (seats: Iterable<Seat>) => void
}

const AT_ONCE = 8

export function createRights({ watch, onRenewed }: RightsOptions): Rights {
  const seats = new Map<Audience, Seat>()
  /** The versions that all seats have, at least; empty: some may have older ones. */
  let known = ''
  let taken = 0

  const renew = sharedCalls(async () => {
    const stamp = await watch.stamp()
    const before = taken
    const waiting = [...seats.values()].values()
    let failures = 0
    const worker = async () => {
      for (const seat of waiting) if (!(await renewSeat(seat, stamp, watch))) failures += 1
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    known = failures === 0 && taken === before ? stamp : ''
    onRenewed(seats.values())
  })

  return {
    seatOf(audience) {
      const found = seats.get(audience)
      if (found !== undefined) return found
      const source = audience.actor()
      const { viewer = null } = audience
      const seat: Seat = { audience, source, actor: source, viewer, isRefused: false, members: new Set() }
      seats.set(audience, seat)
      taken += 1
      return seat
    },
    async bring(seat) {
      const { actor } = seat
      if (actor === null || known === '') return
      const stamp = known
      await renewViewer(seat, stamp, watch)
      const renewed = await watch.renew(actor, stamp)
      if (seat.actor === actor) seat.actor = renewed
    },
    leave(member) {
      const { seat } = member
      seat.members.delete(member)
      if (seat.members.size === 0 && seats.get(seat.audience) === seat) seats.delete(seat.audience)
    },
    renew,
    async check() {
      if (seats.size > 0 && (await watch.stamp()) !== known) await renew()
    },
    changed(audience) {
      const seat = seats.get(audience)
      if (seat === undefined) return undefined
      seat.source = audience.actor()
      seat.actor = seat.source
      return seat
    },
  }
}

/**
 * A caller whose credentials are no longer valid is nobody; who has opened the connection closes it. False: that could not be
 * found out, and the caller is nobody until it is.
 */
async function renewSeat(seat: Seat, stamp: string, watch: Watch): Promise<boolean> {
  const { source } = seat
  if (source === null) return true
  try {
    await renewViewer(seat, stamp, watch)
    const actor = await watch.renew(seat.actor ?? source, stamp)
    if (seat.source === source) seat.actor = actor
    return true
  } catch (error) {
    if (seat.source === source) seat.actor = null
    const isRefusal = error instanceof ServiceError && (error.status === 401 || error.status === 403)
    if (isRefusal && seat.viewer !== null) seat.isRefused = true
    return isRefusal
  }
}

/** Only administrators read with the permissions of others. */
async function renewViewer(seat: Seat, stamp: string, watch: Watch): Promise<void> {
  if (seat.viewer === null) return
  seat.viewer = await watch.renew(seat.viewer, stamp)
  if (!seat.viewer.isAdmin || seat.viewer.lacksSecondFactor) throw forbidden()
}
