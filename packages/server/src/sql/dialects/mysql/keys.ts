import type { KeyPart, TypedColumn } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'
import { bytes, printsPadded } from './types.ts'
import { formOf, plainNumber, timeText } from './values.ts'

const integers = /^(tinyint|smallint|mediumint|int|bigint)( unsigned)?$/u

/** The parts of a key as one text. Commas, slashes and percent signs inside a part are percent-encoded. */
export const joinedKey = (parts: readonly KeyPart[]): Sql =>
  sql`concat(${list(
    parts.map((part) => sql`replace(replace(replace(${shownPart(part)}, '%', '%25'), ',', '%2C'), '/', '%2F')`),
    sql`, ',', `,
  )})`

/** A part of a key as responses show it. */
export function shownPart({ value, column: typed }: KeyPart): Sql {
  const { type, column } = typed
  if (type === 'boolean') return formOf(typed).json(value)
  if (bytes.has(column.baseType)) return sql`replace(to_base64(${value}), '\n', '')`
  const time = timeText(value, column.baseType)
  if (time !== null) return time
  return sql`cast(${printsPadded(column) ? plainNumber(value, column) : value} as char)`
}

/**
 * A key that is stored as text, in the type of the referenced column. The same column stores keys of other collections,
 * so a text that is not such a value must give NULL and not an error.
 */
export function keyFromText(text: Sql, { type, column }: TypedColumn): Sql {
  if (type === 'boolean')
    return sql`(case when ${text} in ('true', '1') then 1 when ${text} in ('false', '0') then 0 end)`
  if (integers.test(column.baseType))
    return sql`(case when ${text} regexp '^-?[0-9]{1,18}$' then cast(${text} as signed) end)`
  if (column.baseType === 'uuid')
    return sql`(case when ${text} regexp '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then ${text} end)`
  return text
}

export const jsonOfKey = (text: Sql, column: TypedColumn): Sql =>
  integers.test(column.column.baseType) && column.type === 'integer'
    ? keyFromText(text, column)
    : sql`json_quote(${text})`
