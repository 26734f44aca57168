import type { Field } from '../model/field.ts'
import { choicesOf } from '../model/kind.ts'
import type { Kind } from '../model/kind.ts'

/** Text as a value of a field, or why it is none. */
export type Parsed =
  | { readonly isValue: true; readonly value: unknown }
  | { readonly isValue: false; readonly reason: string }

const value = (given: unknown): Parsed => ({ isValue: true, value: given })
const not = (reason: string): Parsed => ({ isValue: false, reason })

interface Target {
  readonly field: Field
  readonly kind: Kind
}

/** Reads what somebody typed or pasted. Numbers stay text where a float could lose digits. */
export function parseValue(text: string, { field, kind }: Target): Parsed {
  if (text === '') return emptyValue(field)
  return readers[kind](text, field)
}

/** What an empty cell means: NULL, the empty text where NULL is not allowed, else nothing that can be. */
export function emptyValue({ schema, type }: Field): Parsed {
  if (schema === null || schema.is_nullable) return value(null)
  if (type === 'string' || type === 'text') return value('')
  return not('This field cannot be empty: the database does not allow NULL here.')
}

const integer = /^[+-]?\d+$/u
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u

/** Takes groups of digits out and writes the decimal point as a point. */
export function plainNumber(text: string): string {
  const dense = text
    .trim()
    .replaceAll(/[\s\u00a0\u202f']/gu, '')
    .replace('\u2212', '-')
  if (/^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(dense)) return dense.replaceAll(',', '')
  if (/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/u.test(dense)) return dense.replaceAll('.', '').replace(',', '.')
  return /^[+-]?\d+,\d+$/u.test(dense) ? dense.replace(',', '.') : dense
}

function readNumber(text: string, { type, schema }: Field): Parsed {
  const plain = plainNumber(text).replace(/^\+/u, '')
  if (type === 'integer' || type === 'bigInteger') {
    if (!integer.test(plain)) return not(`“${text}” is not a whole number.`)
    return value(type === 'integer' ? Number(plain) : plain)
  }
  if (type === 'float') {
    const number = Number(plain)
    return plain === '' || Number.isNaN(number) ? not(`“${text}” is not a number.`) : value(number)
  }
  if (!decimal.test(plain)) return not(`“${text}” is not a number.`)
  const [whole = '', fraction = ''] = plain.replace('-', '').split('.')
  const scale = schema?.numeric_scale ?? null
  const precision = schema?.numeric_precision ?? null
  if (scale !== null && fraction.replace(/0+$/u, '').length > scale)
    return not(scale === 0 ? 'Only whole numbers fit here.' : `At most ${scale} digits fit after the point.`)
  if (precision !== null && scale !== null && whole.replace(/^0+/u, '').length > precision - scale)
    return not(`At most ${precision - scale} digits fit before the point.`)
  return value(plain)
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  t: true,
  '1': true,
  on: true,
  '✓': true,
  false: false,
  no: false,
  n: false,
  f: false,
  '0': false,
  off: false,
  '–': false,
}

function readText(text: string, { type, schema }: Field): Parsed {
  if (type === 'integer' || type === 'bigInteger' || type === 'decimal' || type === 'float')
    return readNumber(text, { type, schema } as Field)
  const most = schema?.max_length ?? null
  const length = Array.from(text).length
  if (most !== null && length > most) return not(`At most ${most} characters fit; these are ${length}.`)
  if (type === 'uuid' && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text.trim()))
    return not(`“${text}” is not a UUID.`)
  return value(type === 'uuid' ? text.trim() : text)
}

function readBoolean(text: string): Parsed {
  const truth = truths[text.trim().toLowerCase()]
  return truth === undefined ? not(`“${text}” is neither true nor false.`) : value(truth)
}

function readDate(text: string): Parsed {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/u.exec(text.trim())
  if (match === null) return not('Write the date as 2026-01-31.')
  const [, year = '', month = '', day = ''] = match
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const read = new Date(`${date}T00:00:00Z`)
  const isDay = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date)
  return isDay ? value(date) : not(`There is no ${date}.`)
}

function readMoment(text: string, { type }: Field): Parsed {
  const dense = text.trim().replace(' ', 'T')
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u.test(dense))
    return not('Write the moment as 2026-01-31 14:30.')
  const full = dense.includes('T') ? dense : `${dense}T00:00`
  const time = new Date(full)
  if (Number.isNaN(time.getTime())) return not(`There is no ${text}.`)
  if (type === 'timestamp') return value(time.toISOString())
  return value(full.replace(/(?:Z|[+-]\d{2}:?\d{2})$/u, '').replace(/T(\d{2}:\d{2})$/u, 'T$1:00'))
}

function readTime(text: string): Parsed {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/u.exec(text.trim())
  if (match === null || Number(match[1]) > 23 || Number(match[2]) > 59) return not('Write the time as 14:30.')
  const [, hour = '', minute = '', second = '00'] = match
  return value(`${hour.padStart(2, '0')}:${minute}:${second}`)
}

function readChoice(text: string, field: Field): Parsed {
  const choices = choicesOf(field) ?? []
  const wanted = text.trim().toLowerCase()
  const found =
    choices.find((choice) => choice.value === text) ??
    choices.find((choice) => choice.value.toLowerCase() === wanted || choice.text.toLowerCase() === wanted)
  if (found === undefined)
    return not(
      `“${text}” is not one of ${choices
        .map((choice) => choice.text)
        .slice(0, 8)
        .join(', ')}.`,
    )
  return isNumeric(field) ? readNumber(found.value, field) : value(found.value)
}

const isNumeric = ({ type }: Field): boolean => type === 'integer' || type === 'bigInteger' || type === 'decimal'

function readJson(text: string): Parsed {
  try {
    return value(JSON.parse(text))
  } catch {
    return not('This is not valid JSON.')
  }
}

function readList(text: string): Parsed {
  const isJson = text.trim().startsWith('[')
  if (isJson) return readJson(text)
  return value(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
}

const readers: Readonly<Record<Kind, (text: string, field: Field) => Parsed>> = {
  key: readText,
  text: readText,
  number: readNumber,
  boolean: readBoolean,
  date: readDate,
  moment: readMoment,
  time: readTime,
  choice: readChoice,
  json: readJson,
  list: readList,
  secret: () => not('A secret is set on the page of its item.'),
  relation: readText,
  rows: () => not('Related rows are changed on the page of the item.'),
  binary: () => not('Binary data cannot be typed.'),
  other: readText,
}
