import { MICROS_PER_SECOND, printDate, printMoment, printTime, shownDecimals } from './clock.ts'
import type { Cell, Column, ColumnType, Dialect, Json } from './model.ts'

/** Compares two values that are not null. Text compares by its UTF-8 bytes, as with collation C. */
export function compareValues(column: Pick<Column, 'type' | 'enumType'>, a: Cell, b: Cell): number {
  if (column.type === 'enum' && column.enumType !== null) {
    return column.enumType.values.indexOf(a as string) - column.enumType.values.indexOf(b as string)
  }
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  const left = a as number | bigint | boolean
  const right = b as number | bigint | boolean
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** NULL is the largest value. */
export function compareCells(column: Pick<Column, 'type' | 'enumType'>, a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return compareValues(column, a, b)
}

const WHOLE: Pick<Column, 'type' | 'enumType'> = { type: 'integer', enumType: null }

/** The column type of a function's result. */
export function wholeNumber(): Pick<Column, 'type' | 'enumType'> {
  return WHOLE
}

/** Prints a numeric(12,4) with its declared scale. */
export function printNumeric(tenThousandths: bigint): string {
  const digits = String(tenThousandths < 0n ? -tenThousandths : tenThousandths).padStart(5, '0')
  return `${tenThousandths < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

export function parseNumeric(text: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return null
  const fraction = (match[3] ?? '').padEnd(4, '0')
  // A value with more decimals than stored can only be equal if they are zeros.
  if (!/^0*$/.test(fraction.slice(4))) return null
  const whole = BigInt(match[2]! + fraction.slice(0, 4))
  return match[1] === '-' ? -whole : whole
}

type Value = Exclude<Cell, null>

/** Three forms of a value: in a response, as text with full precision, and as an alternative operand. */
interface Codec {
  readonly json: (value: Value) => Json
  readonly text: (value: Value) => string
  readonly other?: (value: Value) => Json
}

const plain: Codec = { json: (value) => value as Json, text: (value) => (value as string | number).toString() }
const number: Codec = { ...plain, other: plain.text }
const json: Codec = {
  json: (value) => (value as { json: Json }).json,
  text: (value) => JSON.stringify((value as { json: Json }).json),
}
const array: Codec = { ...json, text: (value) => arrayText((value as { json: readonly Json[] }).json) }
const TWO_HOURS = 7200 * MICROS_PER_SECOND

const CODECS: Readonly<Record<ColumnType, Codec>> = {
  integer: number,
  real: number,
  bigint: {
    json: (value) => (value as bigint).toString(),
    text: (value) => (value as bigint).toString(),
    other: (value) => (isSafe(value as bigint) ? Number(value) : (value as bigint).toString()),
  },
  numeric: {
    json: (value) => printNumeric(value as bigint),
    text: (value) => printNumeric(value as bigint),
    other: (value) => Number(printNumeric(value as bigint)),
  },
  text: plain,
  varchar: plain,
  enum: plain,
  boolean: plain,
  uuid: { ...plain, other: (value) => (value as string).toUpperCase() },
  date: { json: (value) => printDate(value as number), text: (value) => printDate(value as number) },
  time: {
    json: (value) => printTime(value as number, shownDecimals(value as number, 0)),
    text: (value) => printTime(value as number, 6),
  },
  timestamp: {
    json: (value) => printMoment(value as number, shownDecimals(value as number, 0)),
    text: (value) => printMoment(value as number, 6),
  },
  timestamptz: {
    json: (value) => `${printMoment(value as number, shownDecimals(value as number, 3))}Z`,
    text: (value) => `${printMoment(value as number, 6)}Z`,
    other: (value) => `${printMoment((value as number) + TWO_HOURS, 6)}+02:00`,
  },
  json,
  jsonb: json,
  'integer[]': array,
  'text[]': array,
}

/** The value as the service returns it. */
export function toJson(type: ColumnType, cell: Cell): Json {
  return cell === null ? null : CODECS[type].json(cell)
}

/** For SQL literals and operands. */
export function toText(type: ColumnType, value: Value): string {
  return CODECS[type].text(value)
}

/** An operand as written in a filter. `other` chooses an alternative form of the same value where there is one. */
export function toOperand(type: ColumnType, cell: Cell, other: boolean): Json {
  if (cell === null || typeof cell === 'boolean') return cell
  const { text, other: second } = CODECS[type]
  if (other && second !== undefined) return second(cell)
  return typeof cell === 'number' && CODECS[type] === number ? cell : text(cell)
}

/** A string that is unique per value. */
export function identityOf(cell: Cell): string {
  return typeof cell === 'bigint' ? `${cell}n` : JSON.stringify(cell)
}

function arrayText(items: readonly Json[]): string {
  const parts = items.map((item) =>
    item === null ? 'NULL' : typeof item === 'string' ? `"${item.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(item),
  )
  return `{${parts.join(',')}}`
}

function isSafe(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
}

/** Letters added after Unicode 3.0, where MariaDB's case tables end. */
const unknownToMysql = new Set(['\ua7b0'])

/** In PostgreSQL with collation C, lower() changes ASCII letters only. The others fold each letter, in any alphabet. */
export function lowered(dialect: Dialect, text: string): string {
  const isKept = (letter: string): boolean => dialect === 'mysql' && unknownToMysql.has(letter)
  if (dialect !== 'postgres')
    return Array.from(text, (letter) => (isKept(letter) ? letter : Array.from(letter.toLowerCase())[0])).join('')
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** A composite key as one text. */
export function joinKey(columns: readonly Column[], cells: readonly Cell[]): Json {
  if (cells.includes(null)) return null
  const parts = cells.map((cell, index) =>
    toText(columns[index]!.type, cell as Value).replace(/[%,/]/g, (character) => encodeURIComponent(character)),
  )
  return parts.join(',')
}
