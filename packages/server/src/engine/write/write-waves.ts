import type { Authorized } from '../../access/authorized.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { type Group, earlierSteps, groupSteps, stepOf } from './steps.ts'
import type { State } from './tree-state.ts'
import { createRows, joinRows, updateRows } from './write-rows.ts'

/** Each wave writes the rows whose values are all known, table by table, until no row is left. */
export async function writeWaves(state: Authorized<State>): Promise<void> {
  let waiting = state.tree.nodes.flatMap((node) => stepOf(node, state) ?? [])
  const isDone = new Set<WriteNode>(state.tree.nodes.filter(({ action }) => action === 'link'))
  const earlier = earlierSteps(waiting, state)
  const written = new Set<string>()
  while (waiting.length > 0) {
    const known = waiting.filter(({ node }) =>
      [...node.values.values()].every((value) => value.kind === 'given' || isDone.has(value.node)),
    )
    const inTurn = new Set<WriteNode>()
    for (const { node } of known) {
      const before = earlier.get(node)
      if (before === undefined || isDone.has(before) || inTurn.has(before)) inTurn.add(node)
    }
    const ready = inTurn.size === 0 ? known : known.filter(({ node }) => inTurn.has(node))
    if (ready.length === 0) throw new TypeError('rows of a payload wait for each other')
    for (const group of groupSteps(ready, written, state)) await writeGroup(group, state)
    for (const { node } of ready) isDone.add(node)
    waiting = waiting.filter(({ node }) => !isDone.has(node))
  }
}

/** Keys from other rows of the payload also have to satisfy the validation rules. */
function checkKeys({ kind, nodes }: Group, { known, context }: State): void {
  for (const node of nodes) {
    const keys = [...node.values].flatMap(([name, value]) =>
      value.kind === 'taken' ? [[name, known.get(value.node)?.get(value.column) ?? null] as const] : [],
    )
    if (keys.length > 0) context.completeKeys(node, kind === 'update' ? 'update' : 'create', Object.fromEntries(keys))
  }
}

async function writeGroup(group: Group, state: Authorized<State>): Promise<void> {
  checkKeys(group, state)
  switch (group.kind) {
    case 'create':
      return createRows(group, state)
    case 'update':
      return updateRows(group, state)
    case 'join':
      return joinRows(group, state)
  }
}
