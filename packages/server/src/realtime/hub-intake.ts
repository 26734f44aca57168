import type { LoggedChange } from '../events/logged-change.ts'
import type { Groups } from './hub-group.ts'
import { addHint, type WriteSpan } from './hub-hints.ts'
import type { Group, Member } from './hub-model.ts'

/** Hands the changes of the log on to groups. */
export interface Intake {
  readonly onChange: (change: LoggedChange, write: WriteSpan) => void
  readonly onBatch: () => void
}

/** A group that lags behind this far begins anew. */
const MOST_PENDING = 10_000

export function createIntake(
  groups: Groups,
  schedule: (group: Group) => void,
  again: (member: Member) => void,
  onLive: (change: LoggedChange) => void,
): Intake {
  const touched = new Set<Group>()
  let latest = 0

  const beginAgain = (group: Group, position: number) => {
    group.pending.clear()
    for (const member of group.members) {
      if (member.covered === null) member.emptied = position
      else if (member.covered < position) again(member)
    }
  }

  return {
    onChange(change, write) {
      onLive(change)
      latest = change.position
      if (change.kind === 'truncate') {
        for (const group of groups.of(change.collection)) beginAgain(group, change.position)
        return
      }
      for (const group of groups.concerned(change)) {
        addHint(group.pending, change, write)
        touched.add(group)
      }
    },
    onBatch() {
      for (const group of touched) {
        if (group.pending.size > MOST_PENDING) beginAgain(group, latest)
        else schedule(group)
      }
      touched.clear()
    },
  }
}
