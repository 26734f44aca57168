import type { Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import { MARKED_AT_ONCE } from '../sql/service/delivery-order.ts'
import { isTrue, type RunServiceStatement } from '../sql/service/run-service-statement.ts'

/** The first delivery that waits of an item. */
export interface First {
  readonly item: string
  readonly id: string
  readonly isMarked: boolean
}

export const idRows = (ids: readonly string[]): string => JSON.stringify(ids.map((id) => ({ sent_id: id })))

const itemRows = (webhook: string, items: readonly string[]): string =>
  JSON.stringify(items.map((item) => ({ of_webhook: webhook, of_item: item })))

export interface OrderAccess {
  readonly statements: Database['deliveries']
  readonly ask: RunServiceStatement
}

type Find = (
  access: OrderAccess,
  webhook: string,
  items: readonly string[],
  transaction: Transaction,
) => Promise<readonly First[]>

/** The first deliveries of items, of those that have any. */
export const findFirsts: Find = async ({ statements, ask }, webhook, items, transaction) => {
  if (items.length === 0) return []
  const rows = await ask(statements.firsts, [itemRows(webhook, items)], transaction)
  return rows.map(([item, id, isMarked]) => ({ item: item ?? '', id: id ?? '', isMarked: isTrue(isMarked) }))
}

/** Marks the next deliveries of items, after those before them have ended. Returns their items. */
export async function markNext(
  { statements, ask }: OrderAccess,
  webhook: string,
  items: readonly string[],
  transaction: Transaction,
): Promise<readonly string[]> {
  const found = await findFirsts({ statements, ask }, webhook, items, transaction)
  const next = found.filter(({ isMarked }) => !isMarked)
  if (next.length > 0) await ask(statements.mark, [idRows(next.map(({ id }) => id))], transaction)
  return next.map(({ item }) => item)
}

/**
 * Marks the first deliveries of items, and no others of them. One that is being sent keeps its mark until that has ended; until
 * then its item gets no other one. Returns how many were marked.
 */
export async function markAnew(
  { statements, ask }: OrderAccess,
  webhook: string,
  items: readonly string[],
  transaction: Transaction,
): Promise<number> {
  let count = 0
  for (let at = 0; at < items.length; at += MARKED_AT_ONCE) {
    const some = items.slice(at, at + MARKED_AT_ONCE)
    const firsts = await findFirsts({ statements, ask }, webhook, some, transaction)
    const firstIds = new Set(firsts.map(({ id }) => id))
    const marked = await ask(statements.marked, [itemRows(webhook, some)], transaction)
    const others = marked.filter(([, id]) => !firstIds.has(id ?? ''))
    const displaced = others.filter(([, , isSent]) => !isTrue(isSent)).map(([, id]) => id ?? '')
    const occupied = new Set(others.filter(([, , isSent]) => isTrue(isSent)).map(([item]) => item))
    const next = firsts.filter(({ item, isMarked }) => !isMarked && !occupied.has(item)).map(({ id }) => id)
    if (displaced.length > 0) await ask(statements.unmark, [idRows(displaced)], transaction)
    if (next.length > 0) await ask(statements.mark, [idRows(next)], transaction)
    count += next.length
  }
  return count
}

/** Some of the items behind an item whose first delivery is not marked. `next`: where to go on; null: there are no more. */
export async function unmarkedItems(
  { statements, ask }: OrderAccess,
  webhook: string,
  after: string,
): Promise<{ readonly items: readonly string[]; readonly next: string | null }> {
  if (after === '' && (await ask(statements.someUnmarked, [webhook])).length === 0) return { items: [], next: null }
  const rows = await ask(statements.waitingAfter, [webhook, after])
  const firsts = new Map<string, boolean>()
  for (const [item, isMarked] of rows) if (!firsts.has(item ?? '')) firsts.set(item ?? '', isTrue(isMarked))
  const items = [...firsts].flatMap(([item, isMarked]) => (isMarked ? [] : [item]))
  // Further deliveries of the last item are of no interest: its first one was among these.
  return { items, next: rows.length < MARKED_AT_ONCE ? null : (rows.at(-1)?.[0] ?? null) }
}
