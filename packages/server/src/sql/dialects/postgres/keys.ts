import type { KeyPart, TypedColumn } from '../../dialect.ts'
import { catalogueType } from '../../raw.ts'
import { list, sql, type Sql } from '../../sql.ts'
import { formOf } from './values.ts'

const integers = new Set(['int2', 'int4', 'int8'])

/** Parts of a key as one text; commas, slashes and percent signs inside a part are percent-encoded. */
const joinedTexts = (parts: readonly Sql[]): Sql =>
  list(
    parts.map((part) => sql`replace(replace(replace(${part}::text, '%', '%25'), ',', '%2C'), '/', '%2F')`),
    sql` || ',' || `,
  )

/** Types whose text differs from the form that responses show. */
const reshaped = new Set(['timestamptz', 'timestamp', 'time', 'bytea'])

export const shownPart = ({ value, column }: KeyPart): Sql =>
  reshaped.has(column.column.baseType) ? formOf(column).json(value) : value

export const joinedKey = (parts: readonly KeyPart[]): Sql => joinedTexts(parts.map(shownPart))

/**
 * Converts a key that is stored as text to the type of the column it references. The same column holds keys of other
 * collections, so invalid text must give NULL instead of an error.
 */
export function keyFromText(text: Sql, { column }: TypedColumn): Sql {
  if (integers.has(column.baseType)) return sql`(case when ${text} ~ '^-?[0-9]{1,18}$' then ${text}::int8 end)`
  if (column.baseType === 'bool')
    return sql`(case when ${text} in ('true', '1') then true when ${text} in ('false', '0') then false end)`
  if (column.baseType === 'uuid') {
    return sql`(case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end)`
  }
  return sql`${text}::${catalogueType(column.castType)}`
}

export const jsonOfKey = (text: Sql, column: TypedColumn): Sql =>
  integers.has(column.column.baseType) && column.type === 'integer'
    ? sql`to_json(${keyFromText(text, column)})`
    : sql`to_json(${text})`
