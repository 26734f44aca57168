import type { WriteNode } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { isRequired } from './complete.ts'
import { actionOf } from './lock.ts'
import { type State, rowName } from './tree-state.ts'

/** A row to write. */
export type Step = { readonly kind: 'create' | 'update' | 'join'; readonly node: WriteNode }

export function stepOf(node: WriteNode, state: State): Step | null {
  switch (node.action) {
    case 'link':
      return null
    case 'save':
      return { kind: actionOf(node, state), node }
    case 'create':
    case 'update':
    case 'join':
      return { kind: node.action, node }
  }
}

/** Updates of one row run in the order they were sent: each waits for the previous one. */
export function earlierSteps(steps: readonly Step[], state: State): Map<WriteNode, WriteNode> {
  const latest = new Map<string, WriteNode>()
  const earlier = new Map<WriteNode, WriteNode>()
  for (const { kind, node } of steps) {
    if (kind !== 'update') continue
    const name = rowName(node, state)
    const before = latest.get(name)
    if (before !== undefined) earlier.set(node, before)
    latest.set(name, node)
  }
  return earlier
}

export interface Group {
  readonly kind: Step['kind']
  readonly collection: Collection
  readonly fields: readonly ColumnField[]
  readonly nodes: WriteNode[]
}

/** Rows with the same table and columns share a statement. A row that changes twice needs two, in that order. */
export function groupSteps(steps: readonly Step[], written: Set<string>, state: State): Group[] {
  const groups = new Map<string, Group>()
  const rounds = new Map<string, number>()
  for (const { kind, node } of steps) {
    const fields = writtenFields(kind, node, state)
    let round = 0
    if (kind === 'update') {
      const row = rowName(node, state)
      if (fields.length === 0 || (!written.has(row) && isUnchanged(node, fields, state))) continue
      written.add(row)
      round = rounds.get(row) ?? 0
      rounds.set(row, round + 1)
    }
    const names = fields.map((field) => field.name).join('\u0000')
    const name = `${node.collection.name}\u0000${kind}\u0000${String(round).padStart(6, '0')}\u0000${names}`
    const group = groups.get(name) ?? { kind, collection: node.collection, fields, nodes: [] }
    group.nodes.push(node)
    groups.set(name, group)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

function writtenFields(kind: Step['kind'], node: WriteNode, { orders, statements }: State): ColumnField[] {
  const { collection } = node
  const keyNames = new Set(collection.key.map(({ name }) => name))
  const namesAll = kind !== 'update' && collection.hasInsertTrigger && statements.dialect.bulk.namesTriggered
  return [...collection.columns.values()].filter((field) => {
    const { name } = field
    if (namesAll && isRequired(field)) return true
    // A given part of the key only finds the row. A part taken from the parent is written: the row moves there.
    if (kind === 'update' && node.action === 'save' && keyNames.has(name) && node.values.get(name)?.kind === 'given')
      return false
    return node.values.has(name) || (orders.has(node) && node.order?.field.name === name)
  })
}

/** Whether a child is only assigned to the parent that it already has. */
const isUnchanged = (node: WriteNode, fields: readonly ColumnField[], state: State) =>
  fields.every(({ name }) => {
    const value = node.values.get(name)
    const current = state.found.get(node)?.get(name)
    return (
      value?.kind === 'taken' && current !== undefined && current === state.known.get(value.node)?.get(value.column)
    )
  })

export function cellOf(node: WriteNode, { name }: ColumnField, { known, orders }: State): string {
  const value = node.values.get(name)
  if (value?.kind === 'given') return value.json
  if (value?.kind === 'taken') return JSON.stringify(known.get(value.node)?.get(value.column) ?? null)
  const order = orders.get(node)
  return order === undefined ? 'null' : String(order)
}
