import type { FieldType } from '@tain/contract'
import { isExactNumber } from '../../../lib/exact-json.ts'
import { ValueError, type TypedColumn } from '../../dialect.ts'
import { sentDate, sentTimestamp, sentTime, shortTimestamp } from './timestamps.ts'
import { decimalOf, printDecimal } from './numbers.ts'

/** A JSON string that the column's affinity converts to the stored value. */
const text = (value: string) => JSON.stringify(value)

const scalar = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

const LIMIT = 2n ** 63n
const limits: Readonly<Record<string, bigint>> = { smallint: 2n ** 15n, int2: 2n ** 15n, tinyint: 2n ** 8n }

function integer(value: unknown, { column }: TypedColumn): string {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 256) return String(value)
  const written = scalar(value)?.trim() ?? ''
  if (!/^[+-]?\d{1,40}$/u.test(written)) throw new ValueError('invalid', 'takes a whole number')
  const number = BigInt(written.replace(/^\+/u, ''))
  const limit = limits[column.dataType] ?? LIMIT
  if (number < -limit || number >= limit) throw new ValueError('out-of-range', 'is out of range')
  return text(number.toString())
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu

function float(value: unknown): string {
  const written = scalar(value)?.trim() ?? ''
  if (!numberPattern.test(written)) throw new ValueError('invalid', 'takes a number')
  if (!Number.isFinite(Number(written))) throw new ValueError('out-of-range', 'is out of range')
  return text(written)
}

function decimal(value: unknown, { column }: TypedColumn): string {
  const written = scalar(value)?.trim() ?? ''
  const number = numberPattern.test(written) ? decimalOf(written) : null
  if (number === null) throw new ValueError('invalid', 'takes a number')
  const { numericPrecision: precision, numericScale: scale } = column
  const printed = printDecimal(written, scale)
  const whole = printed.replace(/^-/u, '').split('.', 1)[0]?.replace(/^0+/u, '') ?? ''
  if (precision !== null && whole.length > precision - (scale ?? 0))
    throw new ValueError('out-of-range', 'is out of range')
  return text(printed)
}

function boolean(value: unknown): string {
  if (value === true || value === 'true' || value === 1 || value === '1') return 'true'
  if (value === false || value === 'false' || value === 0 || value === '0') return 'false'
  throw new ValueError('invalid', 'takes true or false')
}

function uuid(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(value))
    return text(value.toLowerCase())
  throw new ValueError('invalid', 'takes a uuid')
}

function string(value: unknown, { column }: TypedColumn): string {
  const written =
    typeof value === 'boolean' ? String(value) : typeof value === 'object' ? JSON.stringify(value) : scalar(value)
  if (written === null) throw new ValueError('invalid', 'takes text')
  if (written.includes('\u0000')) throw new ValueError('invalid', 'contains a NUL character')
  if (!written.isWellFormed()) throw new ValueError('invalid', 'contains an unpaired surrogate')
  if (column.maxLength !== null && Array.from(written.replace(/ +$/u, '')).length > column.maxLength)
    throw new ValueError('too-long', 'is too long')
  if (column.enumValues !== null && !column.enumValues.includes(written))
    throw new ValueError('invalid', `takes one of ${column.enumValues.join(', ')}`)
  return text(written)
}

/** Checked here down to the day of the month, because the database accepts any text. */
const dateOrTime =
  (what: string, spell: (written: string) => string | null) =>
  (value: unknown): string => {
    const written = typeof value === 'string' ? spell(value) : null
    if (written === null) throw new ValueError('invalid', `takes ${what}`)
    return text(written)
  }

const normalTimestamp = (heedsZone: boolean) => (written: string) => {
  const key = sentTimestamp(written, heedsZone)
  return key === null ? null : shortTimestamp(key)
}

/** Bytes are sent in the form in which the driver reads them. */
function binary(value: unknown): string {
  // A key arrives in the form in which the driver read it.
  if (typeof value === 'string' && /^\\x([0-9a-f]{2})*$/u.test(value)) return text(value)
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/u.test(value))
    throw new ValueError('invalid', 'takes base64 text')
  return text(`\\x${Buffer.from(value, 'base64').toString('hex')}`)
}

function csv(value: unknown, column: TypedColumn): string {
  if (Array.isArray(value)) return string(value.map(String).join(','), column)
  return string(value, column)
}

/** In JSON text, complete characters are never escaped and unpaired surrogates always are. */
const HALF = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/u

function json(value: unknown, { column }: TypedColumn): string {
  const written = JSON.stringify(value)
  if (written.includes('\\u0000')) throw new ValueError('invalid', 'contains a NUL character')
  if (HALF.test(written)) throw new ValueError('invalid', 'contains an unpaired surrogate')
  return column.baseType === 'json' ? written : text(written)
}

const printed = (value: unknown): string => {
  const written = scalar(value)
  return text(written ?? JSON.stringify(value))
}

const writers: Readonly<Record<FieldType, (value: unknown, column: TypedColumn) => string>> = {
  integer,
  bigInteger: integer,
  float,
  decimal,
  boolean,
  uuid: (value, column) => (column.column.baseType === 'uuid' ? uuid(value) : string(value, column)),
  string,
  text: string,
  hash: string,
  csv,
  json,
  binary,
  date: dateOrTime('a date', sentDate),
  dateTime: dateOrTime('a date and time', normalTimestamp(false)),
  timestamp: dateOrTime('a date and time', normalTimestamp(true)),
  time: dateOrTime('a time', sentTime),
  alias: printed,
  unknown: printed,
  geometry: printed,
  'geometry.Point': printed,
  'geometry.LineString': printed,
  'geometry.Polygon': printed,
  'geometry.MultiPoint': printed,
  'geometry.MultiLineString': printed,
  'geometry.MultiPolygon': printed,
}

/** A payload value as JSON that the database converts to the stored value. */
export function payloadValue(value: unknown, column: TypedColumn): string {
  if (value === null || value === undefined) return 'null'
  return writers[column.type](value, column)
}
