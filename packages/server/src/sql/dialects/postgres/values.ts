import { MASK } from '@tain/contract'
import { typeFunction } from '../../compared.ts'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { TypedColumn, ValueForm } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { shownDateTime, shownTime, shownTimestamp } from '../../time-text.ts'
import {
  asIs,
  binary,
  concealed,
  csv,
  formsByType,
  plain,
  quote,
  quoted,
  same,
  spelledOut,
  writeJsonOrText,
  writeNumber,
} from '../base/forms.ts'
import { arrayForm } from './arrays.ts'
import { isoInterval } from './iso-interval.ts'

const asText = (expression: Sql) => sql`${expression}::text`

/** Sessions use UTC and ISO format: `2023-01-15 08:30:00.123456+00`. BC dates and infinities stay as printed. */
const isPlainTimestamp = (text: string) => text.charCodeAt(text.length - 1) <= 57 && text.charCodeAt(0) >= 48

const writeTimestamp = (text: string): string => {
  if (!isPlainTimestamp(text)) return quote(text)
  const zone = text.indexOf('+', 19)
  return `"${shownTimestamp(zone === -1 ? text : text.slice(0, zone))}"`
}

const writeDateTime = (text: string): string => (isPlainTimestamp(text) ? `"${shownDateTime(text)}"` : quote(text))

const writeTime = (text: string) => `"${shownTime(text)}"`

/** The shortest of the formats in responses whose fraction is exact. */
const formatFor = (expression: Sql, whole: Sql, milliseconds: Sql, microseconds: Sql) =>
  sql`case when date_trunc('second', ${expression}) = ${expression} then ${whole} when date_trunc('milliseconds', ${expression}) = ${expression} then ${milliseconds} else ${microseconds} end`

/** Outside this range, to_char would print a text that means a different timestamp. */
const printed = (expression: Sql, type: Sql, format: Sql) =>
  sql`case when ${expression} >= '0001-01-01'::${type} and ${expression} < 'infinity'::${type}
    then to_char(${expression}, ${format}) else ${expression}::text end`

const float: ValueForm = { text: same, json: same, write: writeNumber }
const exact = quoted(asText)
const string = quoted(same)
const boolean: ValueForm = { text: same, json: same, write: (text) => (text === 't' ? 'true' : 'false') }
const booleanText = spelledOut(boolean, asText)
const timestamp: ValueForm = {
  text: same,
  json: (expression) =>
    printed(
      expression,
      sql`timestamptz`,
      sql`case when date_trunc('milliseconds', ${expression}) = ${expression} then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end`,
    ),
  write: writeTimestamp,
}
const dateTime: ValueForm = {
  text: same,
  json: (expression) =>
    printed(
      expression,
      sql`timestamp`,
      formatFor(
        expression,
        sql`'YYYY-MM-DD"T"HH24:MI:SS'`,
        sql`'YYYY-MM-DD"T"HH24:MI:SS.MS'`,
        sql`'YYYY-MM-DD"T"HH24:MI:SS.US'`,
      ),
    ),
  write: writeDateTime,
}
const time: ValueForm = {
  text: same,
  json: (expression) => {
    const interval = sql`${expression}::interval`
    return sql`to_char(${interval}, ${formatFor(interval, sql`'HH24:MI:SS'`, sql`'HH24:MI:SS.MS'`, sql`'HH24:MI:SS.US'`)})`
  },
  write: writeTime,
}
const interval: ValueForm = { text: isoInterval, json: isoInterval, write: quote }
const jsonText: ValueForm = {
  text: same,
  json: (expression) => sql`${expression}::json`,
  write: writeJsonOrText,
}
/** The database's own text for any type; `format` uses the type's output function, to_json may not. */
const printedText = quoted(
  (expression) => sql`case when ${expression} is not null then format('%s', ${expression}) end`,
)
const secret = concealed(sql.lit(MASK))
const geometryOf = (column: Pick<DatabaseColumn, 'ownNames'>): ValueForm => {
  const text = (expression: Sql) => sql`${typeFunction(sql`st_asgeojson`, column)}(${expression})`
  return { text, json: (expression) => sql`${text(expression)}::json`, write: asIs }
}

export const forms = { integer: plain, text: exact, json: plain, jsonKey: plain }

const other = { text: exact, number: float }

const byType = formsByType({
  string,
  uuid: string,
  date: string,
  integer: plain,
  bigInteger: exact,
  decimal: exact,
  float,
  boolean,
  json: plain,
  csv: csv(
    (expression) =>
      sql`case when ${expression} = '' then '[]'::json else array_to_json(string_to_array(${expression}, ',')) end`,
  ),
  binary: binary((expression) => sql`translate(encode(${expression}, 'base64'), chr(10), '')`),
  timestamp,
  dateTime,
  time,
  geometry: geometryOf({}),
  unknown: printedText,
})

/** Metadata flags can give a column another field type; the stored type then decides what the database can do. */
export function formOf(typed: TypedColumn, as: 'text' | 'number' | null = null): ValueForm {
  const { type, column, isConcealed } = typed
  if (isConcealed) return secret
  if (as !== null) return type === 'boolean' && as === 'text' ? booleanText : other[as]
  if (column.elementType !== null) return arrayForm(typed, formOf)
  if (type === 'geometry') return geometryOf(column)
  if (type === 'json') return column.baseType === 'json' || column.baseType === 'jsonb' ? plain : jsonText
  if (type === 'timestamp' || type === 'dateTime')
    return column.baseType === 'timestamptz' ? timestamp : column.baseType === 'timestamp' ? dateTime : printedText
  return column.baseType === 'interval' ? interval : byType[type]
}
