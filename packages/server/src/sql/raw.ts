import { sql, type RawBuilder } from 'kysely'

/**
 * The only place where text becomes SQL as it is: type names, printed and quoted by the database's own catalogue
 * (`DatabaseColumn.castType`). Text that a caller can choose never gets here.
 */
export const catalogueType = (castType: string): RawBuilder<unknown> => sql.raw(castType)

/** A row count as a literal. The planner must see it: for a bind value it would assume a tenth of the table. */
export function rowCount(count: number): RawBuilder<unknown> {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no row count`)
  return sql.raw(String(count))
}
