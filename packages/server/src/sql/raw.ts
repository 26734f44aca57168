import { sql, type RawBuilder } from 'kysely'

/**
 * The only door for text that becomes SQL as it stands: names of types, printed and quoted by the database's own catalogue
 * (`DatabaseColumn.castType`). Nothing a caller can choose ever comes here.
 */
export const catalogueType = (castType: string): RawBuilder<unknown> => sql.raw(castType)

/** A row count. The planner has to see it: as a bind it would plan for a tenth of the table. */
export function rowCount(count: number): RawBuilder<unknown> {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no row count`)
  return sql.raw(String(count))
}
