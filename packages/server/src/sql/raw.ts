import { sql, type RawBuilder } from 'kysely'

/**
 * The only place where text becomes SQL as it is: names of types, operators and schemas, printed and quoted by the
 * database's own catalogue (`DatabaseColumn`). Text that a caller can choose never gets here.
 */
export const catalogueType = (castType: string): RawBuilder<unknown> => sql.raw(castType)

export const catalogueOperator = (operator: string): RawBuilder<unknown> => sql.raw(`operator(${operator})`)

/** A function of the schema, which is that of a type: `st_asgeojson`, `min`. */
export const catalogueFunction = (schema: string, name: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${sql.raw(schema)}.${name}`

/** A row count as a literal. The planner must see it: for a bind value it would assume a tenth of the table. */
export function rowCount(count: number): RawBuilder<unknown> {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no row count`)
  return sql.raw(String(count))
}
