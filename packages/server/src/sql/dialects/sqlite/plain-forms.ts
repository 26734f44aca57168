import type { FieldType } from '@tain/contract'
import { MASK } from '@tain/contract'
import { sql, type Sql } from '../../sql.ts'
import type { TypedColumn } from '../../typed-column.ts'

/**
 * Forms of values by functions that every SQLite from 3.38 on has: triggers run in other programs. They have the JSON
 * that responses show where they know it, which is for values as programs usually store them.
 */
export interface PlainForm {
  /** Condition: `json` is right. */
  readonly isKnown: (value: Sql) => Sql
  /** The JSON of a value that is not NULL. */
  readonly json: (value: Sql) => Sql
}

const inQuotes = (text: Sql): Sql => sql`'"' || ${text} || '"'`
const typeIn = (...types: readonly string[]) => {
  const names = sql.join(types.map((type) => sql.lit(type)))
  return (value: Sql): Sql => sql`typeof(${value}) in (${names})`
}

const string: PlainForm = {
  isKnown: typeIn('text', 'integer'),
  json: (value) => sql`case typeof(${value}) when 'text' then json_quote(${value}) else ${inQuotes(value)} end`,
}
const [LEAST, MOST] = [sql.lit(Number.MIN_SAFE_INTEGER), sql.lit(Number.MAX_SAFE_INTEGER)]
const digitsOrText = (value: Sql): Sql =>
  sql`case when ${value} between ${LEAST} and ${MOST} then cast(${value} as text) else ${inQuotes(value)} end`
const integer: PlainForm = { isKnown: typeIn('integer'), json: digitsOrText }
const bigInteger: PlainForm = { isKnown: typeIn('integer'), json: inQuotes }

/** Older versions print 15 digits, which may be another number. */
const isPrinted = (value: Sql): Sql =>
  sql`(typeof(${value}) = 'integer' or (typeof(${value}) = 'real' and abs(${value}) < 1e300 and cast(cast(${value} as text) as real) = ${value}))`
const float: PlainForm = { isKnown: isPrinted, json: (value) => sql`cast(${value} as text)` }

const digits = (value: Sql): Sql =>
  sql`case typeof(${value}) when 'integer' then cast(${value} as text) else rtrim(rtrim(cast(${value} as text), '0'), '.') end`
const places = (value: Sql): Sql =>
  sql`(case instr(${digits(value)}, '.') when 0 then 0 else length(${digits(value)}) - instr(${digits(value)}, '.') end)`
const decimal = (scale: number | null): PlainForm => ({
  isKnown: (value) =>
    sql`(${isPrinted(value)} and cast(${value} as text) not like '%e%'${scale === null ? sql`` : sql` and ${places(value)} <= ${sql.lit(scale)}`})`,
  json: (value) => {
    if (scale === null || scale === 0) return inQuotes(sql`(${digits(value)})`)
    const zeros = sql.lit(`.${'0'.repeat(scale)}`)
    const missing = sql`case ${places(value)} when 0 then ${zeros} else substr(${zeros}, 2 + ${places(value)}) end`
    return inQuotes(sql`(${digits(value)}) || (${missing})`)
  },
})

const boolean: PlainForm = {
  isKnown: (value) => sql`(typeof(${value}) = 'integer' and ${value} in (0, 1))`,
  json: (value) => sql`case ${value} when 0 then 'false' else 'true' end`,
}
const flagOrNumber: PlainForm = {
  isKnown: typeIn('integer'),
  json: (value) => sql`case ${value} when 0 then 'false' when 1 then 'true' else ${digitsOrText(value)} end`,
}
const document: PlainForm = {
  isKnown: (value) => sql`(typeof(${value}) = 'text' and json_valid(${value}) and instr(${value}, char(0)) = 0)`,
  json: (value) => value,
}
const csv: PlainForm = {
  isKnown: typeIn('text'),
  json: (value) =>
    sql`case ${value} when '' then '[]' else '[' || replace(json_quote(${value}), ',', '","') || ']' end`,
}
const unknown: PlainForm = { isKnown: () => sql`0`, json: () => sql`'null'` }

const TWO = '[0-9][0-9]'
const DATE = `${TWO}${TWO}-${TWO}-${TWO}`
const TIME = `${TWO}:${TWO}:${TWO}`
/** Date and time with a space between, without the zone. */
const clock = (value: Sql): Sql => sql`rtrim(replace(${value}, 'T', ' '), 'Z')`
const isClock = (value: Sql): Sql =>
  sql`(typeof(${value}) = 'text' and ${value} not glob '*ZZ' and ${value} not glob '0000*'
    and (${clock(value)} glob ${sql.lit(`${DATE} ${TIME}`)} or ${clock(value)} glob ${sql.lit(`${DATE} ${TIME}.${TWO}[0-9]`)})
    and strftime('%Y-%m-%d %H:%M:%S', substr(${clock(value)}, 1, 19)) = substr(${clock(value)}, 1, 19))`
const clockStart = (value: Sql): Sql => sql`substr(${clock(value)}, 1, 10) || 'T' || substr(${clock(value)}, 12, 8)`
const timestamp: PlainForm = {
  isKnown: isClock,
  json: (value) =>
    inQuotes(
      sql`${clockStart(value)} || (case length(${clock(value)}) when 19 then '.000' else substr(${clock(value)}, 20) end) || 'Z'`,
    ),
}
const dateTime: PlainForm = {
  isKnown: isClock,
  json: (value) =>
    inQuotes(
      sql`${clockStart(value)} || (case substr(${clock(value)}, 20) when '.000' then '' else substr(${clock(value)}, 20) end)`,
    ),
}
const time: PlainForm = {
  isKnown: (value) => sql`(typeof(${value}) = 'text' and ${value} glob ${sql.lit(TIME)} and time(${value}) = ${value})`,
  json: inQuotes,
}

const byType: Partial<Readonly<Record<FieldType, PlainForm>>> = {
  string,
  text: string,
  hash: string,
  uuid: string,
  date: string,
  integer,
  bigInteger,
  float,
  boolean,
  json: document,
  csv,
  timestamp,
  dateTime,
  time,
  unknown: string,
}

const secret: PlainForm = { isKnown: () => sql`1`, json: () => sql.lit(JSON.stringify(MASK)) }

export function plainForm({ type, column, isConcealed }: TypedColumn): PlainForm {
  if (isConcealed) return secret
  if (type === 'boolean' && column.holdsNumbers === true) return flagOrNumber
  return type === 'decimal' ? decimal(column.numericScale) : (byType[type] ?? unknown)
}
