import { type FieldType, forGeometries } from '@tain/contract'
import { isExactNumber } from '../../../lib/exact-json.ts'
import type { DatabaseColumn } from '../../database-schema.ts'
import { ValueError, type TypedColumn } from '../../dialect.ts'

/** Checks a value and writes it as JSON that the database converts to the column's type; throws ValueError. */
export type Write = (value: unknown, column: TypedColumn) => string

/** Text that the database parses as the column's type, as a JSON string. */
export const text = (value: string) => JSON.stringify(value)

const scalar = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

/** `isSmall`: the number fits every integer column. Most values do, and need no further check. */
export const integer =
  (isSmall: (number: number) => boolean, isInRange: (number: bigint, column: DatabaseColumn) => boolean): Write =>
  (value, { column }) => {
    if (typeof value === 'number' && Number.isInteger(value) && isSmall(value)) return String(value)
    const written = numberText(value)
    if (!/^[+-]?\d{1,40}$/u.test(written)) throw new ValueError('invalid', 'takes a whole number')
    const number = BigInt(written.replace(/^\+/u, ''))
    if (!isInRange(number, column)) throw new ValueError('out-of-range', 'is out of range')
    return text(number.toString())
  }

export const numberText = (value: unknown): string => scalar(value)?.trim() ?? ''

export function checkNumber(written: string): void {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu.test(written)) throw new ValueError('invalid', 'takes a number')
}

/** The column must have room for this many digits before the decimal point. */
export function checkPrecision(digits: number, { numericPrecision, numericScale }: DatabaseColumn): void {
  if (numericPrecision !== null && digits > numericPrecision - (numericScale ?? 0))
    throw new ValueError('out-of-range', 'is out of range')
}

/** `number` writes the values that are neither true nor false, in columns that hold them. */
const boolean =
  (number: Write): Write =>
  (value, column) => {
    if (value === true || value === 'true' || value === 1 || value === '1') return 'true'
    if (value === false || value === 'false' || value === 0 || value === '0') return 'false'
    if (column.column.holdsNumbers !== true) throw new ValueError('invalid', 'takes true or false')
    if (!/^[+-]?\d+$/u.test(numberText(value))) throw new ValueError('invalid', 'takes true, false or a whole number')
    return number(value, column)
  }

export function uuid(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(value)) return text(value)
  throw new ValueError('invalid', 'takes a uuid')
}

/** For databases that store uuids as text. */
export const lowerCaseUuid = (value: unknown): string => uuid(value).toLowerCase()

type TextCheck = (written: string, column: DatabaseColumn) => void

/** For databases whose texts are valid Unicode and that do not reject other texts themselves. */
export const checkWellFormed: TextCheck = (written) => {
  if (!written.isWellFormed()) throw new ValueError('invalid', 'contains an unpaired surrogate')
}

/** Trailing spaces do not count. */
export const checkLength: TextCheck = (written, { maxLength }) => {
  if (maxLength !== null && Array.from(written.replace(/ +$/u, '')).length > maxLength)
    throw new ValueError('too-long', 'is too long')
}

export function checkLabel(
  written: string,
  { enumValues }: DatabaseColumn,
  labels: readonly string[] = [written],
): void {
  if (enumValues !== null && !labels.every((label) => enumValues.includes(label)))
    throw new ValueError('invalid', `takes one of ${enumValues.join(', ')}`)
}

export const string =
  (checks: readonly TextCheck[]): Write =>
  (value, { column }) => {
    const written =
      typeof value === 'boolean' ? String(value) : typeof value === 'object' ? JSON.stringify(value) : scalar(value)
    if (written === null) throw new ValueError('invalid', 'takes text')
    if (written.includes('\u0000')) throw new ValueError('invalid', 'contains a NUL character')
    for (const check of checks) check(written, column)
    return text(written)
  }

/** Text that `spell` rewrites; null means that it is not `what`. */
export const dateOrTime =
  (what: string, spell: (written: string) => string | null): Write =>
  (value) => {
    const written = typeof value === 'string' ? spell(value) : null
    if (written === null) throw new ValueError('invalid', `takes ${what}`)
    return text(written)
  }

/** Bytes are sent in the form in which the driver reads them. */
function binary(value: unknown): string {
  // A key arrives in that form already.
  if (typeof value === 'string' && /^\\x([0-9a-f]{2})*$/u.test(value)) return text(value)
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/u.test(value))
    throw new ValueError('invalid', 'takes base64 text')
  return text(`\\x${Buffer.from(value, 'base64').toString('hex')}`)
}

/** A JSON document as text. */
export function documentText(value: unknown): string {
  const written = JSON.stringify(value)
  if (written.includes('\\u0000')) throw new ValueError('invalid', 'contains a NUL character')
  return written
}

/** In JSON text, complete characters are never escaped and unpaired surrogates always are. */
const HALF = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/u

export const wellFormedJson: Write = (value, { column }) => {
  const written = documentText(value)
  if (HALF.test(written)) throw new ValueError('invalid', 'contains an unpaired surrogate')
  return column.baseType === 'json' ? written : text(written)
}

export const printedScalar = (value: unknown): string | null => {
  const written = scalar(value)
  return written === null ? null : text(written)
}

/** A value for a type that the service does not know. */
export const printed = (value: unknown): string => printedScalar(value) ?? text(JSON.stringify(value))

/** The types that differ between databases. */
interface OwnWrites {
  readonly integer: Write
  readonly float: Write
  readonly decimal: Write
  readonly uuid: (value: unknown) => string
  readonly string: Write
  readonly json: Write
  readonly printed: Write
  readonly date: Write
  readonly dateTime: Write
  readonly timestamp: Write
  readonly time: Write
}

export function createPayloadValue(own: OwnWrites): Write {
  const writers: Readonly<Record<FieldType, Write>> = {
    integer: own.integer,
    bigInteger: own.integer,
    float: own.float,
    decimal: own.decimal,
    boolean: boolean(own.integer),
    uuid: (value, column) => (column.column.baseType === 'uuid' ? own.uuid(value) : own.string(value, column)),
    string: own.string,
    text: own.string,
    hash: own.string,
    csv: (value, column) => own.string(Array.isArray(value) ? value.map(String).join(',') : value, column),
    json: own.json,
    binary,
    date: own.date,
    dateTime: own.dateTime,
    timestamp: own.timestamp,
    time: own.time,
    alias: own.printed,
    unknown: own.printed,
    ...forGeometries(own.printed),
  }
  return (value, column) => (value === null || value === undefined ? 'null' : writers[column.type](value, column))
}
