import type { FieldType } from '@tain/contract'
import { isExactNumber, parseExactJson } from '../../../lib/exact-json.ts'
import { ValueError, type TypedColumn } from '../../dialect.ts'
import { dimensionsOf, writeArray } from './array-text.ts'
import { elementOf } from './arrays.ts'
import { isTimestampText, isTimeText } from './times.ts'

/** Text that the database will parse as the column's type, as a JSON string. */
const text = (value: string) => JSON.stringify(value)

const ranges: Readonly<Record<string, bigint>> = { int2: 2n ** 15n, int4: 2n ** 31n, int8: 2n ** 63n }

const scalar = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

/** Smaller numbers fit every integer column. */
const SMALL = 32_768

function integer(value: unknown, { column }: TypedColumn): string {
  // Most values are plain numbers well inside the smallest range.
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

/** Checks the text; the database converts it to the column's type. */
const dateOrTime =
  (what: string, isFine: (written: string) => boolean) =>
  (value: unknown): string => {
    if (typeof value !== 'string' || !isFine(value)) throw new ValueError('invalid', `takes ${what}`)
    return text(value)
  }

function binary(value: unknown): string {
  // A key comes in the form that the driver has read.
  if (typeof value === 'string' && /^\\x([0-9a-f]{2})*$/u.test(value)) return text(value)
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/u.test(value))
    throw new ValueError('invalid', 'takes base64 text')
  return text(`\\x${Buffer.from(value, 'base64').toString('hex')}`)
}

function csv(value: unknown, column: TypedColumn): string {
  if (Array.isArray(value)) return string(value.map(String).join(','), column)
  return string(value, column)
}

const MAX_DIMENSIONS = 6

/** A list whose elements are written like values of the element type. */
function list(value: unknown, typed: TypedColumn): string {
  if (!Array.isArray(value)) throw new ValueError('invalid', 'takes a list')
  const element = elementOf(typed)
  const { baseType } = element.column
  // Here an inner list is a JSON document; for every other type it is another dimension.
  if (baseType === 'json' || baseType === 'jsonb') {
    const documents = value.map((item) => (item === null ? null : payloadValue(item, element)))
    return text(writeArray(documents, baseType))
  }
  const dimensions = dimensionsOf(value)
  if (dimensions === null || dimensions.length > MAX_DIMENSIONS)
    throw new ValueError('invalid', 'takes lists of one length inside a list')
  const written = (items: readonly unknown[]): string =>
    `[${items.map((item) => (Array.isArray(item) ? written(item) : payloadValue(item, element))).join(',')}]`
  return written(value)
}

function json(value: unknown, typed: TypedColumn): string {
  const { column } = typed
  if (column.elementType !== null) return list(value, typed)
  const written = JSON.stringify(value)
  if (written.includes('\\u0000')) throw new ValueError('invalid', 'contains a NUL character')
  return column.baseType === 'json' || column.baseType === 'jsonb' ? written : text(written)
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
  date: dateOrTime('a date', isTimestampText),
  dateTime: dateOrTime('a date and time', isTimestampText),
  timestamp: dateOrTime('a date and time', isTimestampText),
  time: dateOrTime('a time', isTimeText),
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

/** An array key may be the JSON that responses show, or the array as the database prints it. */
export function keyValue(key: string, column: TypedColumn): string {
  if (column.column.elementType === null) return payloadValue(key, column)
  if (!key.startsWith('[')) return text(key)
  return payloadValue(parseExactJson(key), column)
}
