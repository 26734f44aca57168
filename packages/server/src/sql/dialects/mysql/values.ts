import { MASK } from '@tain/contract'
import type { FieldType } from '@tain/contract'
import { constant } from '../../bind.ts'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { TypedColumn, ValueForm } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'
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
import { collationIn } from './charsets.ts'
import { bytes, hasZeroDate, isTextType, printsPadded } from './types.ts'

/** Inside a nested object every value is the text of its JSON. The object around it handles NULL. */
const inQuotes = (expression: Sql) => sql`concat('"', ${expression}, '"')`

/** Selects by how many digits of the fraction are shown. */
const byFraction = (expression: Sql, none: Sql, milliseconds: Sql, microseconds: Sql): Sql =>
  sql`case when microsecond(${expression}) = 0 then ${none} when microsecond(${expression}) % 1000 = 0 then ${milliseconds} else ${microseconds} end`

const isoText = (expression: Sql) => sql`date_format(${expression}, '%Y-%m-%dT%H:%i:%s.%f')`

const timestampText = (expression: Sql): Sql =>
  sql`concat(left(${isoText(expression)}, if(microsecond(${expression}) % 1000 = 0, 23, 26)), 'Z')`

const dateTimeText = (expression: Sql): Sql =>
  sql`left(${isoText(expression)}, ${byFraction(expression, sql`19`, sql`23`, sql`26`)})`

/** Hours may have three digits and a sign, so the fraction is cut off at the end. */
const timeOfDayText = (expression: Sql): Sql => {
  const text = sql`time_format(${expression}, '%H:%i:%s.%f')`
  return sql`left(${text}, char_length(${text}) - ${byFraction(expression, sql`7`, sql`3`, sql`0`)})`
}

/** A time as responses show it; null for other types. */
export function timeText(expression: Sql, baseType: string): Sql | null {
  if (baseType === 'timestamp') return timestampText(expression)
  if (baseType === 'datetime') return dateTimeText(expression)
  return baseType === 'time' ? timeOfDayText(expression) : null
}

const float: ValueForm = { text: same, json: same, write: writeNumber }
const string = quoted((expression) => sql`json_quote(${expression})`)
/** Types other than text, whose printed values need no escapes. */
const unescaped = quoted(inQuotes)
const boolean: ValueForm = {
  text: same,
  json: (expression) => sql`if(${expression} is null, null, if(${expression}, 'true', 'false'))`,
  write: (text) => (text === '0' ? 'false' : 'true'),
}
/** Shows other numbers than 0 and 1 as they are. */
const flagOrNumber: ValueForm = {
  text: same,
  json: (expression) => sql`case ${expression} when 0 then 'false' when 1 then 'true' else ${expression} end`,
  write: (text) => (text === '0' ? 'false' : text === '1' ? 'true' : text),
}
const flagOf = ({ holdsNumbers }: DatabaseColumn): ValueForm => (holdsNumbers === true ? flagOrNumber : boolean)
const flagText = (form: ValueForm): ValueForm => spelledOut(form, (expression) => inQuotes(form.json(expression)))
/** Documents cannot be combined with texts of another collation unless a collation is named. */
const collatedJson = (text: (expression: Sql) => Sql): ValueForm => ({
  text: same,
  json: (expression) => sql`(${text(expression)} collate utf8mb4_bin)`,
  write: asIs,
})
const jsonAsItIs = collatedJson(same)
const convertedJson = collatedJson((expression) => sql`convert(${expression} using utf8mb4)`)
export function documentForm({ castType }: DatabaseColumn): ValueForm {
  const collation = collationIn(castType)
  if (collation === null) return plain
  return collation === 'utf8mb4_bin' ? jsonAsItIs : convertedJson
}
const timestamp: ValueForm = {
  text: same,
  json: (expression) => inQuotes(timestampText(expression)),
  // In UTC, the time zone of the session.
  write: (text) => `"${shownTimestamp(text)}"`,
}
const dateTime: ValueForm = {
  text: same,
  json: (expression) => inQuotes(dateTimeText(expression)),
  write: (text) => `"${shownDateTime(text)}"`,
}
const time: ValueForm = {
  text: same,
  json: (expression) => inQuotes(timeOfDayText(expression)),
  write: (text) => `"${shownTime(text)}"`,
}
const bytesForm = binary((expression) => inQuotes(sql`replace(to_base64(${expression}), '\n', '')`))
const csvForm = csv(
  (expression) => sql`if(${expression} = '', '[]', concat('[', replace(json_quote(${expression}), ',', '","'), ']'))`,
)
const jsonText: ValueForm = {
  text: same,
  json: (expression) => sql`if(json_valid(${expression}), ${expression}, json_quote(${expression}))`,
  write: writeJsonOrText,
}
const printedText = quoted((expression) => sql`json_quote(cast(${expression} as char))`)
/** Labels without a character set are returned as bytes unless they are converted. */
const labelOfBytes: ValueForm = { ...printedText, text: (expression) => sql`cast(${expression} as char)` }
const secret = concealed(sql.lit(JSON.stringify(MASK)))
const geometry: ValueForm = {
  text: (expression) => sql`st_asgeojson(${expression})`,
  json: (expression) => sql`st_asgeojson(${expression})`,
  write: asIs,
}

export const forms = { integer: plain, text: printedText, json: plain, jsonKey: plain }

const other = { text: printedText, number: float }

const byType = formsByType({
  string,
  uuid: unescaped,
  date: unescaped,
  integer: plain,
  bigInteger: unescaped,
  decimal: unescaped,
  float,
  boolean,
  json: plain,
  csv: csvForm,
  binary: bytesForm,
  timestamp,
  dateTime,
  time,
  geometry,
  unknown: printedText,
})

/** Types whose values are texts to the server, but which JSON_QUOTE does not accept. */
const kinds = new Set(['inet4', 'inet6', 'uuid'])

/**
 * As a number: `bit` would be bytes, and `year` and `zerofill` are printed with leading zeros, which JSON numbers do
 * not have.
 */
export function plainNumber(expression: Sql, { baseType }: DatabaseColumn): Sql {
  if (baseType === 'year') return sql`nullif(${expression} + 0, 0)`
  return baseType === 'float' ? sql`cast(${expression} as float)` : sql`(${expression} + 0)`
}

const asNumber = (form: ValueForm, column: DatabaseColumn): ValueForm => ({
  ...form,
  text: (expression) => form.text(plainNumber(expression, column)),
  json: (expression) => form.json(plainNumber(expression, column)),
})

/** The server's zero date stands for no value. */
const nullWhenZero = (form: ValueForm): ValueForm => ({
  ...form,
  json: (expression) => form.json(sql`nullif(${expression}, 0)`),
  write: (text) => (text.startsWith('0000') && /^[0:. -]+$/u.test(text) ? 'null' : form.write(text)),
})

/** Uses the character set of the connection, whatever the character set of the column is. */
const ofPrinted = (form: ValueForm): ValueForm => ({
  ...form,
  json: (expression) => form.json(sql`cast(${expression} as char)`),
})

/** Flags may give a column a different field type. The stored type then decides what the database can do with it. */
export function formOf({ type, column, isConcealed }: TypedColumn, as: 'text' | 'number' | null = null): ValueForm {
  if (isConcealed) return secret
  // Bytes must never be combined with the texts of a JSON object: one value without a character set turns all of it
  // into bytes.
  if (bytes.has(column.baseType)) return bytesForm
  const form =
    as === null ? textForm(type, column) : type === 'boolean' && as === 'text' ? flagText(flagOf(column)) : other[as]
  if (printsPadded(column)) return asNumber(form, column)
  return hasZeroDate(column) ? nullWhenZero(form) : form
}

function textForm(type: FieldType, column: DatabaseColumn): ValueForm {
  switch (type) {
    case 'json':
      return column.baseType === 'json' ? documentForm(column) : ofPrinted(jsonText)
    case 'csv':
      return isTextType(column.baseType) ? csvForm : ofPrinted(csvForm)
    case 'timestamp':
    case 'dateTime':
      return column.baseType === 'timestamp' ? timestamp : column.baseType === 'datetime' ? dateTime : printedText
    case 'uuid':
      return column.baseType === 'uuid' ? unescaped : isTextType(column.baseType) ? string : printedText
    case 'string':
    case 'text':
    case 'hash':
      if (kinds.has(column.baseType)) return unescaped
      if (column.castType.endsWith(' collate binary')) return labelOfBytes
      return column.enumValues === null && isTextType(column.baseType) ? string : printedText
    case 'boolean':
      return flagOf(column)
    default:
      return byType[type]
  }
}

/** The label with a rank. */
export const labelOf = (rank: Sql, labels: readonly string[]): Sql =>
  sql`if(${rank} = 0, '', elt(${rank}, ${list(labels.map(constant))}))`

/** Labels are sorted by their rank, so the database returns the rank. */
export function sortKeyForm(typed: TypedColumn): ValueForm {
  const { baseType, enumValues } = typed.column
  if (baseType !== 'enum' || enumValues === null || typed.isConcealed) return formOf(typed)
  return {
    text: same,
    json: (expression) => sql`json_quote(${labelOf(expression, enumValues)})`,
    write: (text) => quote(enumValues[Number(text) - 1] ?? ''),
  }
}
