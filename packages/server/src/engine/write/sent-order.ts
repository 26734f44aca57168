import type { ChangedRow } from '../../changes/change.ts'
import type { State } from './tree-state.ts'

/**
 * The changes of a payload, the created rows of each collection in the order in which they were sent: those that wait for
 * the keys of others are written later. Where a row has changed more than once, its changes stay as they were.
 */
export function asSent({ changes, created, tree }: State): readonly ChangedRow[] {
  if (created.size < 2 || hasRepeated(changes)) return changes
  const place = new Map(tree.nodes.map((node, index) => [node, index]))
  const placeOf = (change: ChangedRow) => {
    const node = created.get(change)
    return node === undefined ? 0 : (place.get(node) ?? 0)
  }
  const sorted = new Map<string, ChangedRow[]>()
  for (const change of created.keys()) {
    const rows = sorted.get(change.collection.name)
    if (rows === undefined) sorted.set(change.collection.name, [change])
    else rows.push(change)
  }
  for (const rows of sorted.values()) rows.sort((one, other) => placeOf(one) - placeOf(other)).reverse()
  return changes.map((change) => (created.has(change) ? (sorted.get(change.collection.name)?.pop() ?? change) : change))
}

function hasRepeated(changes: readonly ChangedRow[]): boolean {
  const rows = new Set(changes.map(({ collection, key }) => JSON.stringify([collection.name, ...key])))
  return rows.size < changes.length
}
