import type { Authorized } from '../../access/authorized.ts'
import type { ChildList, WriteNode } from '../../query/bound-write.ts'
import type { ColumnField } from '../../schema/schema.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import { recordset, statementKey } from './statements.ts'
import { parentCells, rowName, type State } from './tree-state.ts'

/**
 * Puts new children after existing ones. Children without a position come last, by their keys: where there are some, new ones
 * have none either. Positions are set before any write, so waves do not affect them.
 */
export async function takeOrders(state: Authorized<State>): Promise<void> {
  const byList = new Map<string, WriteNode[]>()
  for (const node of state.tree.nodes) {
    if (node.order === null) continue
    const { field, list } = node.order
    const name = JSON.stringify([list.collection.name, list.columns, field.name])
    const children = byList.get(name)
    if (children === undefined) byList.set(name, [node])
    else children.push(node)
  }
  for (const children of byList.values()) await takeOrder(children, state)
}

async function takeOrder(children: readonly WriteNode[], state: State): Promise<void> {
  const [first] = children.flatMap((node) => node.order ?? [])
  if (first === undefined) return
  const parents = [...Map.groupBy(children, (node) => node.order?.parent)]
  const existing = await existingOrders(
    first.list,
    first.field,
    parents.flatMap(([parent]) => parent ?? []),
    state,
  )
  // A parent that the payload names twice still has one list.
  const latest = new Map<string, number>()
  for (const [parent, nodes] of parents) {
    if (parent === undefined) continue
    const row = state.found.has(parent) ? rowName(parent, state) : null
    const { largest, isComplete } = existing.get(parent) ?? none
    const before = (row === null ? undefined : latest.get(row)) ?? largest
    let order = before
    for (const node of nodes) {
      order = before + 1 + (node.order?.index ?? 0)
      state.orders.set(node, isComplete ? order : null)
    }
    if (row !== null) latest.set(row, order)
  }
}

/** The positions of the children that a parent has. */
interface Orders {
  readonly largest: number
  /** Whether every child has a position. */
  readonly isComplete: boolean
}

const none: Orders = { largest: 0, isComplete: true }

async function existingOrders(
  list: ChildList,
  field: ColumnField,
  parents: readonly WriteNode[],
  state: State,
): Promise<Map<WriteNode, Orders>> {
  const existing = parents.filter((parent) => state.found.has(parent))
  if (existing.length === 0) return new Map()
  const columns = list.columns.flatMap((name) => list.collection.columns.get(name) ?? [])
  const rows = await state.statements.run(
    `largest ${field.name} ${statementKey(list.collection, columns)}`,
    () =>
      state.statements.dialect.bulk.largest(
        tableOf(list.collection),
        { columns: columns.map(typed), parameter: 0 },
        field.name,
      ),
    [recordset(existing.map((parent) => parentCells(list, parent, state)))],
    state.transaction,
  )
  const entries = rows.flatMap((row) => {
    const parent = existing[Number(row[0]) - 1]
    const [, largest, children, withOrder] = row
    return parent === undefined
      ? []
      : [[parent, { largest: Number(largest ?? 0), isComplete: children === withOrder }] as const]
  })
  return new Map(entries)
}
