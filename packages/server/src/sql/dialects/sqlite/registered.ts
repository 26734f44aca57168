import { hash } from 'node:crypto'
import type BetterSqlite from 'better-sqlite3'
import { cursorText, cursorValue } from './cursors.ts'
import { documentKey, documentOfKey, isJson, jsonAt, lengthOf, numberAt, textAt, withMasked } from './documents.ts'
import { lowerCase } from './letters.ts'
import { fits } from './value-fits.ts'
import {
  dateOf,
  numberLike,
  partOf,
  secondsSince2001,
  shortTimestamp,
  shownClock,
  shownStoredTimestamp,
  shownTimeOfDay,
  storedTimestamp,
  timeOf,
  type Epoch,
} from './timestamps.ts'
import { mentions } from './table-text.ts'
import { numberKey, printDecimal, scalarOf, printFloat, quotientOf, sumOf } from './numbers.ts'
import { writeBoolean, writeFlag, writeInteger, writeNumber } from './written.ts'

type Value = bigint | number | string | Buffer | null

/** A stored value as text; floats as PostgreSQL prints them. */
export function textOf(value: Exclude<Value, null>): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
      return value.toString()
    case 'number':
      return printFloat(value)
    default:
      return `\\x${value.toString('hex')}`
  }
}

/** A timestamp in one form; any other text unchanged. */
const timestamp = (heedsZone: boolean) => (value: Exclude<Value, null>, epoch?: Value) => {
  const text = textOf(value)
  return storedTimestamp(text, heedsZone, epochOf(epoch)) ?? text
}

const epochOf = (value: Value | undefined): Epoch => (value === 2001n ? 2001 : undefined)

type Scalar = (value: Exclude<Value, null>, ...rest: Exclude<Value, null>[]) => Value

/** Functions that return NULL if an argument is NULL. */
const scalars: Readonly<Record<string, Scalar>> = {
  tain_lower: (value) => lowerCase(textOf(value)),
  tain_text: (value) => textOf(value),
  tain_float: (value) => writeNumber(textOf(value)),
  tain_integer: (value) => writeInteger(textOf(value)),
  tain_boolean: (value) => writeBoolean(textOf(value)),
  tain_flag: (value) => writeFlag(textOf(value)),
  tain_decimal: (value, scale) => printDecimal(textOf(value), scale === undefined ? null : Number(scale)),
  tain_number: (value) => numberKey(textOf(value)),
  tain_quotient: (value, divisor) => quotientOf(textOf(value), textOf(divisor ?? 1)),
  tain_moment: timestamp(true),
  tain_datetime: timestamp(false),
  tain_date: (value) => dateOf(timestamp(false)(value)) ?? textOf(value),
  tain_time: (value) => timeOf(textOf(value)) ?? textOf(value),
  tain_shown_moment: (value, epoch) => shownStoredTimestamp(textOf(value), epochOf(epoch)),
  tain_shown_datetime: (value) => shownClock(textOf(value)),
  tain_shown_time: (value) => shownTimeOfDay(textOf(value)),
  tain_part: (part, value, epoch) => (value === undefined ? null : partOf(textOf(part), timestamp(true)(value, epoch))),
  tain_base64: (value) => (Buffer.isBuffer(value) ? value : Buffer.from(textOf(value))).toString('base64'),
  tain_csv: (value) => JSON.stringify(textOf(value) === '' ? [] : textOf(value).split(',')),
  tain_json_or_text: (value) => (isJson(textOf(value)) ? textOf(value) : JSON.stringify(textOf(value))),
  tain_with_masked: (document, names, mask) => withMasked(textOf(document), textOf(names ?? '[]'), textOf(mask ?? '')),
  tain_json_at: (document, path) => jsonAt(textOf(document), textOf(path ?? '[]')),
  tain_text_at: (document, path) => textAt(textOf(document), textOf(path ?? '[]')),
  tain_number_at: (document, path) => numberAt(textOf(document), textOf(path ?? '[]')),
  tain_json_length: (document) => lengthOf(textOf(document)),
  tain_document_key: (document) => documentKey(textOf(document)),
  tain_document: (key) => documentOfKey(textOf(key)),
  tain_seconds_since_2001: (text) => secondsSince2001(textOf(text)),
  tain_number_like: (text, other) => numberLike(textOf(text), Number(other)),
  tain_short_moment: (key) => shortTimestamp(textOf(key)),
  tain_fits: (baseType, value, digits) =>
    value === undefined ? 1 : Number(fits(textOf(baseType), textOf(value), textOf(digits ?? ''))),
  tain_scalar: (value) => (typeof value === 'string' ? scalarOf(value) : value),
  tain_cursor_text: (value, plain, scale) =>
    cursorText(value, textOf(plain ?? ''), scale === undefined ? null : Number(scale)),
  tain_cursor_value: (text) => cursorValue(textOf(text)),
  tain_mentions: (text, name) => Number(mentions(textOf(text), textOf(name ?? ''))),
  tain_sha256: (value) => hash('sha256', textOf(value), 'hex'),
}

interface Collected {
  readonly sum: string | null
  readonly count: number
}

/** Adds without losing a digit. */
const exactSum = (sum: string | null, value: Value): string | null =>
  value === null ? sum : sum === null ? printDecimal(textOf(value), null) : sumOf(sum, textOf(value))

const addTo = ({ sum, count }: Collected, value: Value): Collected => ({
  sum: exactSum(sum, value),
  count: count + (value === null ? 0 : 1),
})

const averageOf = ({ sum, count }: Collected) => (sum === null ? null : quotientOf(sum, String(count)))

const smaller = (a: string, b: string) => numberKey(a) < numberKey(b)

/**
 * Functions of this dialect. No database has functions with these names, so indexes and checks of users are unaffected.
 */
export function registerFunctions(database: BetterSqlite.Database): void {
  const options = { deterministic: true, varargs: true, safeIntegers: true } as const
  for (const [name, call] of Object.entries(scalars)) {
    database.function(name, options, (...values: Value[]) => {
      for (const value of values) if (value === null) return null
      return call(values[0] as Exclude<Value, null>, ...(values.slice(1) as Exclude<Value, null>[]))
    })
  }
  database.function('tain_refuse', { deterministic: false }, () => {
    throw new Error('CHECK constraint failed: it was to be empty')
  })
  const aggregate = { deterministic: true, safeIntegers: true } as const
  database.aggregate<string | null>('tain_sum', { ...aggregate, start: null, step: exactSum })
  database.aggregate<unknown>('tain_average', {
    ...aggregate,
    start: (): Collected => ({ sum: null, count: 0 }),
    step: (total, value) => addTo(total as Collected, value as Value),
    result: (total) => averageOf(total as Collected),
  })
  // Adds one value after another, as PostgreSQL does: other methods give different last digits.
  database.aggregate<number | null>('tain_float_sum', {
    ...aggregate,
    start: null,
    step: (sum, value: Value) => (value === null ? sum : (sum ?? 0) + Number(value)),
  })
  for (const [name, isBetter] of [
    ['tain_least', smaller],
    ['tain_greatest', (a: string, b: string) => smaller(b, a)],
  ] as const) {
    database.aggregate<string | null>(name, {
      ...aggregate,
      start: null,
      step: (best, value: Value) => {
        if (value === null) return best
        const text = textOf(value)
        return best === null || isBetter(text, best) ? text : best
      },
    })
  }
}
