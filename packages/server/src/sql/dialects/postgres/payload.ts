import type { FieldType } from '@tain/contract'
import { isExactNumber } from '../../../lib/exact-json.ts'
import { ValueError, type TypedColumn } from '../../dialect.ts'

/** Text the database will read as the column's type, as a JSON string. */
const text = (value: string) => JSON.stringify(value)

const ranges: Readonly<Record<string, bigint>> = { int2: 2n ** 15n, int4: 2n ** 31n, int8: 2n ** 63n }

const scalar = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

/** Fits every integer column. */
const SMALL = 32_768

function integer(value: unknown, { column }: TypedColumn): string {
  // Most are plain numbers well inside the smallest range.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < SMALL) return String(value)
  const written = scalar(value)?.trim() ?? ''
  if (!/^[+-]?\d{1,40}$/u.test(written)) throw new ValueError('invalid', 'takes a whole number')
  const number = BigInt(written.replace(/^\+/u, ''))
  const limit = ranges[column.baseType] ?? 2n ** 63n
  if (number < -limit || number >= limit) throw new ValueError('out-of-range', 'is out of range')
  return text(number.toString())
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu

function decimal(value: unknown, { column }: TypedColumn): string {
  const written = scalar(value)?.trim() ?? ''
  if (/^(NaN|[+-]?Infinity)$/u.test(written)) return text(written)
  if (!numberPattern.test(written)) throw new ValueError('invalid', 'takes a number')
  const { numericPrecision: precision, numericScale: scale } = column
  if (column.baseType === 'numeric' && precision !== null && !/e/iu.test(written)) {
    const whole = (written.replace(/^[+-]/u, '').split('.', 1)[0] ?? '').replace(/^0+/u, '')
    if (whole.length > precision - (scale ?? 0)) throw new ValueError('out-of-range', 'is out of range')
  }
  return text(written)
}

function boolean(value: unknown): string {
  if (value === true || value === 'true' || value === 1 || value === '1') return 'true'
  if (value === false || value === 'false' || value === 0 || value === '0') return 'false'
  throw new ValueError('invalid', 'takes true or false')
}

function uuid(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(value)) return text(value)
  throw new ValueError('invalid', 'takes a uuid')
}

function string(value: unknown, { column }: TypedColumn): string {
  const written =
    typeof value === 'boolean' ? String(value) : typeof value === 'object' ? JSON.stringify(value) : scalar(value)
  if (written === null) throw new ValueError('invalid', 'takes text')
  if (written.includes('\u0000')) throw new ValueError('invalid', 'contains a NUL character')
  if (column.maxLength !== null && Array.from(written.replace(/ +$/u, '')).length > column.maxLength)
    throw new ValueError('too-long', 'is too long')
  if (column.enumValues !== null && !column.enumValues.includes(written))
    throw new ValueError('invalid', `takes one of ${column.enumValues.join(', ')}`)
  return text(written)
}

const datePattern = /^[+-]?\d{4,6}-\d{2}-\d{2}/u
const timePattern = /^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$/u

/** The shape is checked here, the calendar by the database. */
const moment =
  (what: string, isFine: (written: string) => boolean) =>
  (value: unknown): string => {
    if (typeof value !== 'string' || !isFine(value)) throw new ValueError('invalid', `takes ${what}`)
    return text(value)
  }

const isDate = (written: string) => datePattern.test(written) || /^-?infinity$/u.test(written)
const isMoment = (written: string) =>
  /^-?infinity$/u.test(written) || (datePattern.test(written) && !Number.isNaN(Date.parse(written.slice(0, 10))))

function binary(value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/u.test(value))
    throw new ValueError('invalid', 'takes base64 text')
  return text(`\\x${Buffer.from(value, 'base64').toString('hex')}`)
}

function csv(value: unknown, column: TypedColumn): string {
  if (Array.isArray(value)) return string(value.map(String).join(','), column)
  return string(value, column)
}

function json(value: unknown, { column }: TypedColumn): string {
  const isDocument = column.baseType === 'json' || column.baseType === 'jsonb'
  if (column.elementType !== null) {
    if (!Array.isArray(value)) throw new ValueError('invalid', 'takes a list')
    return JSON.stringify(value)
  }
  const written = JSON.stringify(value)
  if (written.includes('\\u0000')) throw new ValueError('invalid', 'contains a NUL character')
  return isDocument ? written : text(written)
}

const printed = (value: unknown): string => {
  const written = scalar(value)
  if (written === null) return JSON.stringify(value)
  return text(written)
}

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
  date: moment('a date', isDate),
  dateTime: moment('a date and time', isMoment),
  timestamp: moment('a date and time', isMoment),
  time: moment('a time', (written) => timePattern.test(written)),
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

/** A payload's value as JSON that the database turns into the column's type. */
export function payloadValue(value: unknown, column: TypedColumn): string {
  if (value === null || value === undefined) return 'null'
  return writers[column.type](value, column)
}
