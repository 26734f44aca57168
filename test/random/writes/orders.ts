import type { Run } from './run-state.ts'
import type { ToMany } from './schema.ts'
import { areSame, type Row, rowsOf, type State, valueOf, valuesOf } from './state.ts'

/** The positions of the children of a parent. New children come after them. */
export interface Order {
  readonly largest: number
  /** Children without a position come last: where there are some, new ones have none either. */
  readonly isComplete: boolean
}

function orderIn(state: State, parent: Row, { child, childColumns, columns, sortField }: ToMany): Order {
  const siblings = rowsOf(state, child).filter((row) => areSame(valuesOf(row, childColumns), valuesOf(parent, columns)))
  const positions = siblings.map((row) => (sortField === null ? null : valueOf(row, sortField)))
  const numbers = positions.flatMap((position) => (typeof position === 'string' ? [Number(position)] : []))
  return { largest: numbers.length === 0 ? 0 : Math.max(...numbers), isComplete: !positions.includes(null) }
}

const isSame = (a: Order, b: Order): boolean => a.largest === b.largest && a.isComplete === b.isComplete

const SHIFTING = 'the order is continued while it changes'

/** The order that new children continue. */
export function continuedOrder(run: Run, parent: Row, relation: ToMany): Order {
  const order = orderIn(run.before, parent, relation)
  if (!isSame(orderIn(run.after, parent, relation), order)) run.open.add(SHIFTING)
  run.orders.push({ parent, relation, order })
  return order
}

/** Marks the outcome as open if existing children got another position or parent in the same request. */
export function checkOrders(run: Run): void {
  for (const { parent, relation, order } of run.orders) {
    const old = new Map(run.after)
    old.set(
      relation.child,
      rowsOf(run.after, relation.child).filter(({ id }) => !run.created.has(id)),
    )
    if (!isSame(orderIn(old, parent, relation), order)) run.open.add(SHIFTING)
  }
}
