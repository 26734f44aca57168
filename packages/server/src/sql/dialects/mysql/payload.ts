import type { FieldType } from '@tain/contract'
import { isExactNumber } from '../../../lib/exact-json.ts'
import { ValueError, type TypedColumn } from '../../dialect.ts'
import { dateText, dateTimeText, timestampText, timeText } from './timestamps.ts'
import { isInRange } from './types.ts'

const text = (value: string) => JSON.stringify(value)

const scalar = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

/** Non-negative numbers below this are in the range of every integer type. */
const SMALL = 128

function integer(value: unknown, { column }: TypedColumn): string {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < SMALL) return String(value)
  const written = scalar(value)?.trim() ?? ''
  if (!/^[+-]?\d{1,40}$/u.test(written)) throw new ValueError('invalid', 'takes a whole number')
  const number = BigInt(written.replace(/^\+/u, ''))
  if (!isInRange(number, column.baseType)) throw new ValueError('out-of-range', 'is out of range')
  return text(number.toString())
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu

function decimal(value: unknown, { column }: TypedColumn): string {
  const written = scalar(value)?.trim() ?? ''
  if (!numberPattern.test(written)) throw new ValueError('invalid', 'takes a number')
  const { baseType, numericPrecision: precision, numericScale: scale } = column
  if (baseType !== 'decimal') {
    const number = Number(written)
    const isFinite = baseType === 'float' ? Number.isFinite(Math.fround(number)) : Number.isFinite(number)
    if (!isFinite) throw new ValueError('out-of-range', 'is out of range')
    return text(written)
  }
  if (precision !== null && wholeDigits(written) > precision - (scale ?? 0))
    throw new ValueError('out-of-range', 'is out of range')
  return text(written)
}

/** The number of digits before the decimal point. */
function wholeDigits(written: string): number {
  const [mantissa = '', exponent = '0'] = written.replace(/^[+-]/u, '').split(/e/iu)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`
  const leading = /^0*/u.exec(digits)?.[0].length ?? 0
  return leading === digits.length ? 0 : whole.length + Number(exponent) - leading
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
  if (column.enumValues !== null) {
    const parts = column.baseType === 'set' ? written.split(',').filter(Boolean) : [written]
    if (!parts.every((part) => column.enumValues?.includes(part)))
      throw new ValueError('invalid', `takes one of ${column.enumValues.join(', ')}`)
    return text(written)
  }
  if (column.maxLength !== null && Array.from(written.replace(/ +$/u, '')).length > column.maxLength)
    throw new ValueError('too-long', 'is too long')
  return text(written)
}

const dateOrTime =
  (what: string, spell: (text: string) => string | null) =>
  (value: unknown): string => {
    const spelled = typeof value === 'string' ? spell(value) : null
    if (spelled === null) throw new ValueError('invalid', `takes ${what}`)
    return text(spelled)
  }

function binary(value: unknown): string {
  // A key arrives in the form in which the driver read it.
  if (typeof value === 'string' && /^\\x([0-9a-f]{2})*$/u.test(value)) return text(value)
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/u.test(value))
    throw new ValueError('invalid', 'takes base64 text')
  return text(`\\x${Buffer.from(value, 'base64').toString('hex')}`)
}

const csv = (value: unknown, column: TypedColumn): string =>
  string(Array.isArray(value) ? value.map(String).join(',') : value, column)

/** In JSON text, complete characters are never escaped and unpaired surrogates always are. */
const HALF = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/u

function json(value: unknown, { column }: TypedColumn): string {
  const written = JSON.stringify(value)
  if (written.includes('\\u0000')) throw new ValueError('invalid', 'contains a NUL character')
  if (HALF.test(written)) throw new ValueError('invalid', 'contains an unpaired surrogate')
  return column.baseType === 'json' ? written : text(written)
}

const printed = (value: unknown): string => text(scalar(value) ?? JSON.stringify(value))

const writers: Readonly<Record<FieldType, (value: unknown, column: TypedColumn) => string>> = {
  integer,
  bigInteger: integer,
  float: decimal,
  decimal,
  boolean,
  uuid: (value, column) => (column.column.baseType === 'uuid' ? uuid(value) : string(value, column)),
  string,
  text: string,
  hash: string,
  csv,
  json,
  binary,
  date: dateOrTime('a date', dateText),
  dateTime: dateOrTime('a date and time', dateTimeText),
  timestamp: dateOrTime('a date and time', timestampText),
  time: dateOrTime('a time', timeText),
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

/** A payload value as JSON that the database converts to the column's type. */
export function payloadValue(value: unknown, column: TypedColumn): string {
  if (value === null || value === undefined) return 'null'
  return writers[column.type](value, column)
}
