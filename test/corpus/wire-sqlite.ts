// Converts a stored SQLite value to the JSON value that the contract specifies, by declared type and storage class.
import type { Cell, Column } from './model.ts'
import { wireDateTime, wireTime, wireTimestamp } from './wire-times.ts'

/** The first pattern that matches the declared type wins. */
const types: readonly (readonly [RegExp, string])[] = [
  [/^(big ?int|int8|unsigned big int|bigserial)/u, 'bigInteger'],
  [/^(bool|boolean|bit$)/u, 'boolean'],
  [/^(datetime|timestamp without|timestamp_ntz)/u, 'dateTime'],
  [/^timestamp/u, 'timestamp'],
  [/^date$/u, 'date'],
  [/^time( |$)/u, 'time'],
  [/^(uuid|guid|uniqueidentifier)/u, 'uuid'],
  [/^jsonb?$/u, 'json'],
  [/^(decimal|numeric|number|money)/u, 'decimal'],
  [/^(geometry|point|linestring|polygon|multi)/u, 'unknown'],
  [/int/u, 'integer'],
  [/(char|string)/u, 'string'],
  [/(text|clob)/u, 'text'],
  [/blob|binary/u, 'binary'],
  [/(real|floa|doub)/u, 'float'],
]

export const fieldType = ({ base }: Column): string => types.find(([pattern]) => pattern.test(base))?.[1] ?? 'unknown'

const decimalText = (value: number | bigint, scale: string | undefined): string =>
  scale === undefined ? String(value) : Number(value).toFixed(Number(scale))

/** A number in a time column counts from 1970: in seconds, or in milliseconds if it is too large for seconds. */
function momentOf(value: Cell): string | null {
  if (typeof value === 'string') return canonicalMoment(value)
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  const count = Number(value)
  const date = new Date(Math.abs(count) < 1e11 ? count * 1000 : count)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('T', ' ').replace('Z', '')
}

/** Converts any ISO 8601 form to `2024-01-31 12:00:00.123` in UTC; null if it is not a date. */
function canonicalMoment(text: string): string | null {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/u.exec(text)
  if (found === null) return null
  const [, day = '', minutes = '00:00', seconds = ':00', fraction = '', zone = 'Z'] = found
  const date = new Date(`${day}T${minutes}${seconds}${zone}`)
  if (Number.isNaN(date.getTime())) return null
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}${fraction}`
}

function document(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The text form of bytes in a column of another type. */
const printed = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** By storage class, if the value does not fit the declared type. */
function stored(cell: Exclude<Cell, null>): unknown {
  if (Buffer.isBuffer(cell)) return printed(cell)
  return typeof cell === 'bigint' ? Number(cell) : cell
}

const withoutZone = (text: string): string => text.replace(/(Z|[+-]\d\d:\d\d)$/u, '')

/** The comparison key of a time, with six fraction digits. Values that are not times compare as they are. */
export function timeKey(cell: Cell, type: string): Cell {
  const moment = momentOf(type === 'dateTime' && typeof cell === 'string' ? withoutZone(cell) : cell)
  if (moment === null) return cell
  const [seconds = '', fraction = ''] = moment.split('.')
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}`
}

type Form = (cell: Exclude<Cell, null>, column: Column) => unknown

const texts: Form = (cell) => (Buffer.isBuffer(cell) ? printed(cell) : String(cell))
const isNumber = (cell: Cell): cell is number | bigint => typeof cell === 'number' || typeof cell === 'bigint'

/** Other values of a flag are served as they are. */
const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['false', false],
  ['true', true],
])

const forms: Readonly<Record<string, Form>> = {
  integer: stored,
  float: stored,
  bigInteger: texts,
  string: texts,
  text: texts,
  uuid: texts,
  date: texts,
  unknown: texts,
  binary: (cell) => (Buffer.isBuffer(cell) ? cell : Buffer.from(String(cell))).toString('base64'),
  decimal: (cell, { type }) => (isNumber(cell) ? decimalText(cell, /,\s*(\d+)\s*\)/u.exec(type)?.[1]) : stored(cell)),
  boolean: (cell) => flags.get(isNumber(cell) ? Number(cell) : cell) ?? stored(cell),
  json: (cell) => (typeof cell === 'string' ? document(cell) : stored(cell)),
  dateTime: (cell) => {
    const moment = momentOf(typeof cell === 'string' ? withoutZone(cell) : cell)
    return moment === null ? stored(cell) : wireDateTime(moment)
  },
  timestamp: (cell) => {
    const moment = momentOf(cell)
    return moment === null ? stored(cell) : wireTimestamp(moment)
  },
  time: (cell) => (typeof cell === 'string' ? wireTime(cell) : stored(cell)),
}

export const wire = (column: Column, cell: Cell): unknown =>
  cell === null ? null : (forms[fieldType(column)] ?? texts)(cell, column)
