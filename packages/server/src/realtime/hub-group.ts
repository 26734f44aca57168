import type { View } from '../engine/watch.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import { createConcerned, indexedValue } from './hub-concerned.ts'
import { absorbHints } from './hub-hints.ts'
import type { Group, Member } from './hub-model.ts'

export const MOST_KEYS = 1000

export interface Groups {
  /** The member joins the group of a view, and takes along what it has not heard in another. */
  readonly join: (member: Member, view: View) => Group
  readonly leave: (member: Member) => void
  /** The groups that a change can concern. */
  readonly concerned: (change: LoggedChange) => Iterable<Group>
  /** Whether changes of a collection are left out by the rights that groups had when they were made. */
  readonly leavesOut: (collection: string) => boolean
  /** The groups of a collection. */
  readonly of: (collection: string) => Iterable<Group>
}

/**
 * Whether some members have older permissions than the view of their group: another caller who is shown the same brought it
 * newer ones.
 */
export const hasOutdated = ({ members, view }: Group): boolean => {
  for (const member of members) if (member.view?.actor.permissionVersion !== view.actor.permissionVersion) return true
  return false
}

/** The number up to which a group has told everything. */
export function heardBy({ pending, taken }: Group, position: number): number {
  let heard = position
  for (const { first } of pending.values()) heard = Math.min(heard, first - 1)
  for (const { first } of taken) heard = Math.min(heard, first - 1)
  return heard
}

export function createGroups(): Groups {
  const byName = new Map<string, Group>()
  const { add, remove, concerned, of } = createConcerned()

  const groupOf = (view: View, item: string | null): Group => {
    const name = item === null ? view.fingerprint : JSON.stringify([view.fingerprint, item])
    const known = byName.get(name)
    if (known !== undefined) return known
    const group = createGroup(name, view, item)
    byName.set(name, group)
    add(group)
    return group
  }

  const leave = (member: Member) => {
    const { group } = member
    member.group = null
    if (group === null) return
    group.members.delete(member)
    if (group.members.size > 0) return
    byName.delete(group.name)
    remove(group)
  }

  return {
    join(member, view) {
      const group = groupOf(view, member.item)
      group.view = view
      member.view = view
      if (member.group === group) return group
      if (member.group !== null) carry(member, member.group, group)
      leave(member)
      group.members.add(member)
      member.group = group
      return group
    },
    leave,
    concerned,
    leavesOut: (collection) => {
      for (const { fixedValue } of of(collection)) if (fixedValue !== null) return true
      return false
    },
    of,
  }
}

const createGroup = (name: string, view: View, item: string | null): Group => ({
  name,
  item,
  collection: view.collection.name,
  view,
  fixedValue: indexedValue(view.fixedValues),
  members: new Set(),
  pending: new Map(),
  taken: [],
  isRunning: false,
  failures: 0,
  most: MOST_KEYS,
})

/** What a member has not heard goes with it. What waits for it was read under the old view, and is read again. */
function carry(member: Member, from: Group, to: Group): void {
  absorbHints(to.pending, from.pending.values())
  absorbHints(to.pending, from.taken)
  if (member.queue === null) return
  for (const { outcomes } of member.queue)
    absorbHints(
      to.pending,
      outcomes.map(({ hint }) => hint),
    )
  member.queue = []
}
