import { invalidPayload, type SnapshotColumn } from '@tain/contract'
import { isExactNumber, parseExactJson } from '../../lib/exact-json.ts'
import type { ColumnDefault, NativeType } from '../../schema/change.ts'
import type { DatabaseColumn } from '../../schema/schema.ts'

type Values = NativeType['values']
type Described = Pick<SnapshotColumn, 'default_value' | 'default_expression'>

const none: Described = { default_value: null }

const NOW = 'now()'
const UUID = 'gen_random_uuid()'

/** Expressions for the current timestamp, by column type. */
const timestamps: Readonly<Record<string, RegExp>> = {
  'timestamp with time zone': /^(now\(\)|CURRENT_TIMESTAMP|LOCALTIMESTAMP)$/u,
  'timestamp without time zone': /^(now\(\)|CURRENT_TIMESTAMP|LOCALTIMESTAMP)$/u,
  date: /^(now\(\)|CURRENT_TIMESTAMP|LOCALTIMESTAMP|CURRENT_DATE)$/u,
  'time without time zone': /^(now\(\)|CURRENT_TIMESTAMP|LOCALTIMESTAMP|LOCALTIME)$/u,
  timestamp: /^(now\(\)|CURRENT_TIMESTAMP)$/u,
  datetime: /^(now\(\)|CURRENT_TIMESTAMP)$/u,
  time: /^(now\(\)|CURRENT_TIMESTAMP)$/u,
}

/** A constant as the database prints it, with optional casts after it. */
const literal = /^(?:'((?:[^']|'')*)'|(-?[\d.]+(?:e[+-]?\d+)?|true|false))(?:::[\w\s".[\](),]+)*$/su

/** JSON without whitespace; text that is not JSON becomes a JSON string. */
function jsonText(text: string): string {
  try {
    return JSON.stringify(parseExactJson(text))
  } catch {
    return JSON.stringify(text)
  }
}

/** Number of digits that every JSON reader keeps; a longer number stays a text. */
const SAFE_DIGITS = 15

const asNumber = (text: string): unknown => {
  const isPlain = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d{1,2})?$/iu.test(text)
  if (isPlain && text.replace(/e.*$/iu, '').replace(/\D/gu, '').length <= SAFE_DIGITS) return Number(text)
  // Some databases print a plus sign here, some do not.
  return text.replace(/(?<=\d)e\+?(?=\d+$)/iu, 'e')
}

const readers: Readonly<Record<Values, (text: string) => unknown>> = {
  number: asNumber,
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  json: jsonText,
  text: (text) => text,
}

/** A column's default: its value, or its expression. An auto-increment column has none. */
export function describeDefault(column: DatabaseColumn, values: Values): Described {
  const expression = column.defaultExpression
  if (expression === null || column.hasAutoIncrement || /^NULL(::.*)?$/iu.test(expression)) return none
  if (timestamps[column.dataType]?.test(expression) === true) return { default_value: null, default_expression: NOW }
  if (column.dataType === 'uuid' && expression === UUID) return { default_value: null, default_expression: UUID }
  const found = literal.exec(expression)
  if (found === null) return { default_value: null, default_expression: expression }
  const text = found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll("''", "'")
  return { default_value: readers[values](text) }
}

/** A default from a file, normalised to the form in which defaults are described. */
export function normalDefault(given: unknown, values: Values): unknown {
  if (given === null || given === undefined) return null
  if (values === 'json') return typeof given === 'string' ? jsonText(given) : JSON.stringify(given)
  const value = isExactNumber(given) ? given.rawJSON : given
  if (typeof value === 'object') throw invalidPayload('"default_value" has to be a text, a number, true, false or null')
  return readers[values](typeof value === 'string' ? value : JSON.stringify(value))
}

/** undefined: an expression that the service cannot create. */
export function defaultOf({ default_value: value, default_expression: expression }: Described) {
  if (expression === NOW) return { kind: 'now' } satisfies ColumnDefault
  if (expression === UUID) return { kind: 'uuid' } satisfies ColumnDefault
  if (expression !== undefined) return undefined
  if (value === null) return null
  return { kind: 'value', text: typeof value === 'string' ? value : JSON.stringify(value) } satisfies ColumnDefault
}
