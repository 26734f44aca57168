import type { FieldType } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { KeyPart, TypedColumn } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'
import { shownMoment } from './moments.ts'
import { payloadValue } from './payload.ts'
import { formOf } from './values.ts'

const integers = new Set(['int', 'int8'])

const times: Partial<Record<FieldType, (expression: Sql, column: DatabaseColumn) => Sql>> = {
  timestamp: shownMoment,
  dateTime: (expression) => sql`tain_shown_datetime(${expression})`,
  time: (expression) => sql`tain_shown_time(${expression})`,
}

/** Times are stored in several forms, and statements compare them as times, see `bulk.ts`. */
export const keyValue = (text: string, column: TypedColumn): string =>
  times[column.type] === undefined ? payloadValue(text, column) : JSON.stringify(text)

/** The parts of a key as one text. Commas, slashes and percent signs inside a part are percent-encoded. */
export const joinedKey = (parts: readonly KeyPart[]): Sql =>
  sql`(${list(
    parts.map((part) => sql`replace(replace(replace(${shownPart(part)}, '%', '%25'), ',', '%2C'), '/', '%2F')`),
    sql` || ',' || `,
  )})`

const shownPart = ({ value, column, column: { type } }: KeyPart): Sql =>
  type === 'boolean'
    ? formOf(column).json(value)
    : type === 'binary'
      ? sql`tain_base64(${value})`
      : (times[type]?.(value, column.column) ?? value)

/** Text of a key that another collection may have stored with another type. */
export const jsonOfText = (text: Sql): Sql => sql`json_quote(tain_text(${text}))`

export const jsonOfJoinedKey = (parts: readonly KeyPart[]): Sql => sql`json_quote(${joinedKey(parts)})`

const isDigits = (text: Sql): Sql =>
  sql`(${text} not glob '*[^0-9-]*' and ltrim(${text}, '-') not glob '*-*' and length(ltrim(${text}, '-')) between 1 and 19 and ${text} <> '-')`

/** A key that is stored as text, in the type of the referenced column; NULL if it is not such a value. */
export function keyFromText(text: Sql, { type, column }: TypedColumn): Sql {
  if (type === 'boolean')
    return sql`(case when ${text} in ('true', '1') then 1 when ${text} in ('false', '0') then 0 end)`
  if (integers.has(column.baseType)) return sql`(case when ${isDigits(text)} then cast(${text} as integer) end)`
  if (column.baseType === 'uuid') return sql`lower(${text})`
  return text
}

export const jsonOfKey = (text: Sql, column: TypedColumn): Sql =>
  integers.has(column.column.baseType) && column.type === 'integer'
    ? formOf(column).json(keyFromText(text, column))
    : jsonOfText(text)
