import { ServiceError } from '@tain/contract'
import type { Collection } from '../schema/schema.ts'
import type { Row } from '../sql/driver.ts'

/** Tables that inherit from a table bring their own rows into it, so its primary key may find several rows. */
export function sharedKey({ name }: Pick<Collection, 'name'>): ServiceError {
  const reason = `Several rows of "${name}" have this key, because other tables inherit from it`
  return new ServiceError('UNPROCESSABLE_CONTENT', `Can't process content. ${reason}.`, { reason, collection: name })
}

/** The values at the start of the rows that more than one row has. */
export function sharedBy({ beyondKey }: Pick<Collection, 'beyondKey'>, rows: readonly Row[], columns: number): Row[] {
  if (beyondKey.length === 0) return []
  const groups = Map.groupBy(rows, (row) => JSON.stringify(row.slice(0, columns)))
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length === 0 ? [] : [first],
  )
}
