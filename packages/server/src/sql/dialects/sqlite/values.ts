import { MASK } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { TypedColumn, ValueForm } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { binary, concealed, csv, formsByType, plain, quote, quoted, same, spelledOut } from '../base/forms.ts'
import { documentOfKey, isJson } from './documents.ts'
import { shownClock, shownStoredTimestamp, shownTimeOfDay } from './timestamps.ts'
import { shownMoment } from './moments.ts'
import { printDecimal } from './numbers.ts'
import { writeBoolean, writeFlag, writeInteger, writeNumber } from './written.ts'

// In this dialect the JSON form of a value is already JSON text. The code that joins the texts handles NULL.

/**
 * A column accepts values of any storage class; functions print the values whose class is unexpected for its type. The
 * tests for them are the cheapest ones that work, because they run for every value of a nested row.
 */
const jsonString = (expression: Sql) =>
  sql`json_quote(iif(typeof(${expression}) in ('text', 'null'), ${expression}, tain_text(${expression})))`
/** For columns that convert numbers to text when they are stored. */
const jsonStringOfText = (expression: Sql) =>
  sql`json_quote(iif(typeof(${expression}) <> 'blob', ${expression}, tain_text(${expression})))`
/** The numbers that JavaScript holds with all their digits. */
const [LEAST, MOST] = [sql.lit(Number.MIN_SAFE_INTEGER), sql.lit(Number.MAX_SAFE_INTEGER)]
const isInteger = (expression: Sql) => sql`${expression} is cast(${expression} as integer)`

/** For functions and counts, which return only integers. */
const integer: ValueForm = { text: same, json: same, write: writeNumber }
const storedInteger: ValueForm = {
  text: same,
  json: (expression) =>
    sql`iif(${isInteger(expression)} and ${expression} between ${LEAST} and ${MOST}, ${expression}, tain_integer(${expression}))`,
  write: writeInteger,
}
const float: ValueForm = { text: same, json: (expression) => sql`tain_float(${expression})`, write: writeNumber }
const exact = quoted(
  (expression) => sql`json_quote(iif(${isInteger(expression)}, cast(${expression} as text), tain_text(${expression})))`,
)
const string = quoted(jsonString)
const affineText = quoted(jsonStringOfText)
const boolean: ValueForm = {
  text: same,
  json: (expression) =>
    sql`case ${expression} when 0 then 'false' when 1 then 'true' else tain_boolean(${expression}) end`,
  write: writeBoolean,
}
/** Shows other numbers than 0 and 1 as they are. */
const flagOrNumber: ValueForm = {
  text: same,
  json: (expression) =>
    sql`case ${expression} when 0 then 'false' when 1 then 'true' else tain_flag(${expression}) end`,
  write: writeFlag,
}
const flagOf = ({ holdsNumbers }: DatabaseColumn): ValueForm => (holdsNumbers === true ? flagOrNumber : boolean)
const flagText = (form: ValueForm): ValueForm =>
  spelledOut(form, (expression) => sql`json_quote(${form.json(expression)})`)
/** A value in a JSON column that is not JSON is shown as text. */
const document: ValueForm = {
  text: same,
  // json_valid ignores everything after a NUL.
  json: (expression) =>
    sql`iif(typeof(${expression}) = 'text' and json_valid(${expression}) and instr(${expression}, char(0)) = 0, ${expression}, tain_json_or_text(${expression}))`,
  write: (text) => (isJson(text) ? text : quote(text)),
}
const jsonKey: ValueForm = {
  text: same,
  json: (expression) => sql`tain_document(${expression})`,
  write: documentOfKey,
}
const timestampOf = (column: Pick<DatabaseColumn, 'epoch'>): ValueForm => ({
  text: same,
  json: (expression) => sql`json_quote(${shownMoment(expression, column)})`,
  write: (text) => quote(shownStoredTimestamp(text, column.epoch)),
})
const dateTime: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(tain_shown_datetime(${expression}))`,
  write: (text) => quote(shownClock(text)),
}
const time: ValueForm = {
  text: same,
  json: (expression) => sql`json_quote(tain_shown_time(${expression}))`,
  write: (text) => quote(shownTimeOfDay(text)),
}
const bytes: ValueForm = {
  ...binary((expression) => sql`json_quote(tain_base64(${expression}))`),
  text: (expression) =>
    sql`iif(typeof(${expression}) in ('blob', 'null'), ${expression}, cast(tain_text(${expression}) as blob))`,
}
/** The stored value as text, whatever it is. */
const printedText = quoted((expression) => sql`json_quote(tain_text(${expression}))`)
const secret = concealed(sql.lit(JSON.stringify(MASK)))

const decimal = (scale: number | null): ValueForm => ({
  text: same,
  json: (expression) =>
    scale === null
      ? sql`json_quote(tain_decimal(${expression}))`
      : sql`json_quote(tain_decimal(${expression}, ${sql.lit(scale)}))`,
  write: (text) => quote(printDecimal(text, scale)),
})

export const forms = { integer, text: printedText, json: plain, jsonKey }

const other = { text: printedText, number: float }

const byType = formsByType({
  string,
  uuid: string,
  date: string,
  integer: storedInteger,
  bigInteger: exact,
  decimal: decimal(null),
  float,
  boolean,
  json: document,
  csv: csv((expression) => sql`tain_csv(${expression})`),
  binary: bytes,
  timestamp: timestampOf({}),
  dateTime,
  time,
  geometry: printedText,
  unknown: printedText,
})

/** Tests the words by which the database itself determines affinity. */
const hasTextAffinity = ({ dataType }: DatabaseColumn) => !dataType.includes('int') && /char|clob|text/u.test(dataType)

export function formOf({ type, column, isConcealed }: TypedColumn, as: 'text' | 'number' | null = null): ValueForm {
  if (isConcealed) return secret
  if (as !== null) return type === 'boolean' && as === 'text' ? flagText(flagOf(column)) : other[as]
  if (type === 'boolean') return flagOf(column)
  if (type === 'timestamp' && column.epoch !== undefined) return timestampOf(column)
  if (type === 'decimal' && column.numericScale !== null) return decimal(column.numericScale)
  if (byType[type] === string && hasTextAffinity(column)) return affineText
  return byType[type]
}
