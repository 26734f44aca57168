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
  const json = JSON.stringify(items.map((item) => ({ of_webhook: webhook, of_item: item })))
  const rows = await ask(statements.firsts, [json], transaction)
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

/** Marks some of the first deliveries of a webhook that are not marked; returns how many. */
export async function markSome(
  { statements, ask }: OrderAccess,
  webhook: string,
  transaction: Transaction,
): Promise<number> {
  const ids = (await ask(statements.unmarked, [webhook], transaction)).map(([id]) => id ?? '')
  if (ids.length > 0) await ask(statements.mark, [idRows(ids)], transaction)
  return ids.length
}

/** Marks the first deliveries of a webhook, and no others, after earlier ones came in. */
export async function markAnew(access: OrderAccess, webhook: string, transaction: Transaction): Promise<void> {
  const { statements, ask } = access
  const displaced = (await ask(statements.displaced, [webhook], transaction)).map(([id]) => id ?? '')
  if (displaced.length > 0) await ask(statements.unmark, [idRows(displaced)], transaction)
  while ((await markSome(access, webhook, transaction)) === MARKED_AT_ONCE);
}
