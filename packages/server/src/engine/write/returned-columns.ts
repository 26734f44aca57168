import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Row } from '../../sql/driver.ts'
import { compositeKeys } from './composite-keys.ts'
import type { Known, State } from './tree-state.ts'

/** Columns of a collection that identify its rows or that other rows and checks depend on. */
export function returned(collection: Collection, { tree, context }: State): ColumnField[] {
  const names = new Set(collection.key.map(({ name }) => name))
  for (const node of tree.nodes) {
    const isAssigned = node.collection === collection && (node.action === 'update' || node.action === 'save')
    for (const [name, value] of node.values) {
      if (value.kind !== 'taken') continue
      if (value.node.collection === collection) names.add(value.column)
      if (isAssigned) names.add(name)
    }
    if (isAssigned)
      for (const { relation } of compositeKeys(node, context)) for (const name of relation.columns) names.add(name)
  }
  for (const { list, parent } of tree.removals)
    if (parent.collection === collection) for (const name of list.parentColumns) names.add(name)
  for (const { node, field } of tree.pendingAny) {
    if (node.collection === collection && field.relation?.kind === 'any') names.add(field.relation.collectionColumn)
  }
  for (const { order } of tree.nodes)
    if (order?.parent.collection === collection) for (const name of order.list.parentColumns) names.add(name)
  return [...names].flatMap((name) => collection.columns.get(name) ?? [])
}

export const knownOf = (fields: readonly ColumnField[], row: Row, from: number): Known =>
  new Map(fields.map(({ name }, index) => [name, row[from + index] ?? null]))
