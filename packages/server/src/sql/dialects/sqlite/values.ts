import type { FieldType } from '@tain/contract'
import type { TypedColumn, ValueForm } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { documentOfKey, isJson } from './documents.ts'
import { momentKey, momentOfNumber, timeOf } from './moments.ts'
import { printDecimal } from './numbers.ts'

/** In this dialect the JSON form of a value is JSON text already; NULL is left to whoever puts texts together. */
const same = (expression: Sql) => expression
const quoted = (expression: Sql) => sql`json_quote(${expression})`
const asIs = (text: string) => text
const quote = (text: string) => JSON.stringify(text)

/** Digits stay digits; what JSON has no number for travels as text. */
const writeNumber = (text: string) => (/^-?\d/u.test(text) ? text : quote(text))
const isTrue = (text: string) => text !== '0' && text !== 'false' && text !== 'f'

/** Numbers count the time since 1970. */
function momentOf(text: string, heedsZone: boolean): string | null {
  return /^-?\d+(\.\d+)?$/u.test(text) ? momentOfNumber(Number(text)) : momentKey(text, heedsZone)
}

function writeTimestamp(text: string): string {
  const moment = momentOf(text, true)
  return moment === null ? quote(text) : `"${moment.slice(0, 10)}T${moment.slice(11, 23)}Z"`
}

function writeDateTime(text: string): string {
  const moment = momentOf(text, false)
  return moment === null ? quote(text) : `"${moment.slice(0, 10)}T${moment.slice(11, 19)}"`
}

const writeTime = (text: string) => quote((timeOf(text) ?? text).slice(0, 8))

const integer: ValueForm = { text: same, json: same, write: writeNumber }
const float: ValueForm = { text: same, json: (expression) => sql`tain_float(${expression})`, write: writeNumber }
const exact: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(cast(${expression} as text))`,
  write: quote,
}
const string: ValueForm = { text: same, json: quoted, write: quote }
const boolean: ValueForm = {
  text: same,
  json: (expression) =>
    sql`case ${expression} when 0 then 'false' when 1 then 'true' when 'false' then 'false' when 'true' then 'true' end`,
  write: (text) => (isTrue(text) ? 'true' : 'false'),
}
const json: ValueForm = { text: same, json: same, write: asIs }
/** What is in a column for JSON and is none is shown as the text it is. */
const document: ValueForm = {
  text: same,
  json: (expression) => sql`case when json_valid(${expression}) then ${expression} else json_quote(${expression}) end`,
  write: (text) => (isJson(text) ? text : quote(text)),
}
const jsonKey: ValueForm = {
  text: same,
  json: (expression) => sql`tain_document(${expression})`,
  write: documentOfKey,
}
const timestamp: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(tain_shown_moment(${expression}))`,
  write: writeTimestamp,
}
const dateTime: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(tain_shown_datetime(${expression}))`,
  write: writeDateTime,
}
const time: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(substr(tain_time(${expression}), 1, 8))`,
  write: writeTime,
}
const binary: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(tain_base64(${expression}))`,
  write: (text) =>
    quote((text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex') : Buffer.from(text)).toString('base64')),
}
const csv: ValueForm = {
  text: same,
  json: (expression) => sql`tain_csv(${expression})`,
  write: (text) => JSON.stringify(text === '' ? [] : text.split(',')),
}
/** The stored text, whatever it is. */
const printedText: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(tain_text(${expression}))`,
  write: quote,
}
const concealed: ValueForm = {
  text: (expression) => sql`case when ${expression} is not null then '**********' end`,
  json: (expression) => sql`case when ${expression} is not null then '"**********"' end`,
  write: quote,
}

const decimal = (scale: number | null): ValueForm => ({
  text: same,
  json: (expression) =>
    scale === null
      ? sql`json_quote(tain_decimal(${expression}))`
      : sql`json_quote(tain_decimal(${expression}, ${sql.lit(scale)}))`,
  write: (text) => quote(printDecimal(text, scale)),
})

export const forms = { integer, number: float, text: printedText, json, jsonKey }

const byType: Readonly<Record<FieldType, ValueForm>> = {
  string,
  text: string,
  uuid: string,
  hash: string,
  date: string,
  alias: string,
  integer,
  bigInteger: exact,
  decimal: decimal(null),
  float,
  boolean,
  json: document,
  csv,
  binary,
  timestamp,
  dateTime,
  time,
  geometry: printedText,
  'geometry.Point': printedText,
  'geometry.LineString': printedText,
  'geometry.Polygon': printedText,
  'geometry.MultiPoint': printedText,
  'geometry.MultiLineString': printedText,
  'geometry.MultiPolygon': printedText,
  unknown: printedText,
}

export function formOf({ type, column, isConcealed }: TypedColumn): ValueForm {
  if (isConcealed) return concealed
  if (type === 'decimal' && column.numericScale !== null) return decimal(column.numericScale)
  return byType[type]
}
