import type { FieldType } from '@tain/contract'
import { constant } from '../../bind.ts'
import type { TypedColumn, ValueForm } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'

const same = (expression: Sql) => expression
const asIs = (text: string) => text
const quote = (text: string) => JSON.stringify(text)

/** Inside a nested node every value is the text of its JSON, and NULL is left to the object around it. */
const quoted = (expression: Sql) => sql`concat('"', ${expression}, '"')`

const number = (text: string) => (/^-?\d/u.test(text) ? text : quote(text))

/** `2023-01-15 08:30:00.123456` in UTC, which the session speaks. */
function writeTimestamp(text: string): string {
  const [seconds = '', fraction = ''] = text.split('.')
  return `"${seconds.replace(' ', 'T')}.${fraction.slice(0, 3).padEnd(3, '0')}Z"`
}

function writeDateTime(text: string): string {
  const [seconds = ''] = text.split('.', 1)
  return `"${seconds.replace(' ', 'T')}"`
}

const integer: ValueForm = { text: same, json: same, write: asIs }
const float: ValueForm = { text: same, json: same, write: number }
const exact: ValueForm = { text: same, json: quoted, write: quote }
const string: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(${expression})`,
  write: quote,
}
/** Types of their own kind, whose text needs no escapes. */
const plain: ValueForm = { text: same, json: quoted, write: quote }
const boolean: ValueForm = {
  text: same,
  json: (expression) => sql`if(${expression} is null, null, if(${expression}, 'true', 'false'))`,
  write: (text) => (text === '0' ? 'false' : 'true'),
}
const json: ValueForm = { text: same, json: same, write: asIs }
/** Documents of different collations cannot stand side by side unless one is named. */
const collatedJson: ValueForm = {
  text: same,
  json: (expression) => sql`(convert(${expression} using utf8mb4) collate utf8mb4_bin)`,
  write: asIs,
}
const timestamp: ValueForm = {
  text: same,
  json: (expression) => sql`concat('"', left(date_format(${expression}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z"')`,
  write: writeTimestamp,
}
const dateTime: ValueForm = {
  text: same,
  json: (expression) => sql`date_format(${expression}, '"%Y-%m-%dT%H:%i:%s"')`,
  write: writeDateTime,
}
const time: ValueForm = {
  text: same,
  json: (expression) => sql`time_format(${expression}, '"%H:%i:%s"')`,
  write: (text) => `"${text.split('.', 1)[0] ?? text}"`,
}
const binary: ValueForm = {
  text: same,
  json: (expression) => quoted(sql`replace(to_base64(${expression}), char(10), '')`),
  write: (text) => quote(Buffer.from(text.slice(2), 'hex').toString('base64')),
}
const csv: ValueForm = {
  text: same,
  json: (expression) =>
    sql`if(${expression} = '', '[]', concat('[', replace(json_quote(${expression}), ',', '","'), ']'))`,
  write: (text) => JSON.stringify(text === '' ? [] : text.split(',')),
}
/** Text that should hold JSON; what does not parse is shown as the text it is. */
const jsonText: ValueForm = {
  text: same,
  json: (expression) => sql`if(json_valid(${expression}), ${expression}, json_quote(${expression}))`,
  write: (text) => {
    try {
      JSON.parse(text)
      return text
    } catch {
      return quote(text)
    }
  },
}
const printedText: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(cast(${expression} as char))`,
  write: quote,
}
const concealed: ValueForm = {
  text: (expression) => sql`case when ${expression} is not null then '**********' end`,
  json: (expression) => sql`case when ${expression} is not null then '"**********"' end`,
  write: quote,
}
const geometry: ValueForm = {
  text: (expression) => sql`st_asgeojson(${expression})`,
  json: (expression) => sql`st_asgeojson(${expression})`,
  write: asIs,
}

export const forms = { integer, number: float, text: printedText, json, jsonKey: json }

const byType: Readonly<Record<FieldType, ValueForm>> = {
  string,
  text: string,
  uuid: plain,
  hash: string,
  date: plain,
  alias: string,
  integer,
  bigInteger: exact,
  decimal: exact,
  float,
  boolean,
  json,
  csv,
  binary,
  timestamp,
  dateTime,
  time,
  geometry,
  'geometry.Point': geometry,
  'geometry.LineString': geometry,
  'geometry.Polygon': geometry,
  'geometry.MultiPoint': geometry,
  'geometry.MultiLineString': geometry,
  'geometry.MultiPolygon': geometry,
  unknown: printedText,
}

/** Types whose values are texts to the server, but of a kind that JSON_QUOTE does not take. */
const kinds = new Set(['inet4', 'inet6', 'uuid'])

/** Flags may give a column another type than its own; then the stored type decides what can be done in the database. */
export function formOf({ type, column, isConcealed }: TypedColumn): ValueForm {
  if (isConcealed) return concealed
  switch (type) {
    case 'json':
      if (column.baseType !== 'json') return jsonText
      return / collate (?!utf8mb4_bin)/u.test(column.castType) ? collatedJson : json
    case 'timestamp':
    case 'dateTime':
      return column.baseType === 'timestamp' ? timestamp : column.baseType === 'datetime' ? dateTime : printedText
    case 'uuid':
      return column.baseType === 'uuid' ? plain : string
    case 'string':
    case 'text':
    case 'hash':
      return kinds.has(column.baseType) ? plain : column.enumValues === null ? string : printedText
    default:
      return byType[type]
  }
}

/** A label by its rank. */
export const labelOf = (rank: Sql, labels: readonly string[]): Sql => sql`elt(${rank}, ${list(labels.map(constant))})`

/** Labels are sorted by their rank, which is then what comes out. */
export function sortKeyForm(typed: TypedColumn): ValueForm {
  const { baseType, enumValues } = typed.column
  if (baseType !== 'enum' || enumValues === null || typed.isConcealed) return formOf(typed)
  return {
    text: same,
    json: (expression) => sql`json_quote(${labelOf(expression, enumValues)})`,
    write: (text) => quote(enumValues[Number(text) - 1] ?? ''),
  }
}
