import type { TypedColumn } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'

const integers = new Set(['int', 'int8'])

/** Parts of a key as one text; commas, slashes and percent signs inside a part are percent-encoded. */
export const joinedKey = (parts: readonly Sql[]): Sql =>
  sql`(${list(
    parts.map((part) => sql`replace(replace(replace(${part}, '%', '%25'), ',', '%2C'), '/', '%2F')`),
    sql` || ',' || `,
  )})`

export const jsonOfJoinedKey = (parts: readonly Sql[]): Sql => sql`json_quote(${joinedKey(parts)})`

const isDigits = (text: Sql): Sql =>
  sql`(${text} not glob '*[^0-9-]*' and ltrim(${text}, '-') not glob '*-*' and length(${text}) between 1 and 19 and ${text} <> '-')`

/** A key that is stored as text, in the type of the column it refers to; NULL where it is no such value. */
export function keyFromText(text: Sql, { column }: TypedColumn): Sql {
  if (integers.has(column.baseType)) return sql`(case when ${isDigits(text)} then cast(${text} as integer) end)`
  if (column.baseType === 'uuid') return sql`lower(${text})`
  return text
}

export const jsonOfKey = (text: Sql, column: TypedColumn): Sql =>
  integers.has(column.column.baseType) && column.type === 'integer'
    ? keyFromText(text, column)
    : sql`json_quote(${text})`
