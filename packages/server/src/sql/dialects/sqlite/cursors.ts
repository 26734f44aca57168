import type { FieldType } from '@tain/contract'
import { constant } from '../../bind.ts'
import type { Dialect, TypedColumn } from '../../dialect.ts'
import { sql } from '../../sql.ts'
import { printDecimal, printFloat } from './numbers.ts'

type Value = bigint | number | string | Buffer

/** A letter for each storage class. */
const classes = { string: 't', bigint: 'i', number: 'r', object: 'x' } as const

const classOf = (value: Value) => classes[typeof value as keyof typeof classes]

/** Precedes a value whose text does not reveal its storage class. */
const MARK = '\u0001'

/** A value as text. For the classes in `plain` it is the same text as in other databases. */
export function cursorText(value: Value, plain: string, scale: number | null): string {
  const written = writtenOf(value, scale)
  const isPlain = plain.includes(classOf(value)) && !written.startsWith(MARK) && isExact(value, written)
  return isPlain ? written : `${MARK}${classOf(value)}${writtenOf(value, null)}`
}

function writtenOf(value: Value, scale: number | null): string {
  if (Buffer.isBuffer(value)) return value.toString('hex')
  const text = typeof value === 'number' ? printFloat(value) : String(value)
  return scale === null || typeof value === 'string' ? text : printDecimal(text, scale)
}

/** A number may have more digits than its column declares. */
const isExact = (value: Value, written: string) => typeof value !== 'number' || Number(written) === value

/** The value of a marked text; null if the text is not a valid cursor. */
export function cursorValue(text: string): Value | null {
  const rest = text.slice(MARK.length + 1)
  switch (text[MARK.length]) {
    case classes.string:
      return rest
    case classes.bigint:
      return /^-?\d{1,18}$/u.test(rest) || /^-?[1-9]\d{18}$/u.test(rest) ? BigInt.asIntN(64, BigInt(rest)) : null
    case classes.number:
      return Number(rest)
    case classes.object:
      return Buffer.from(rest, 'hex')
    default:
      return null
  }
}

const plainClasses: Partial<Record<FieldType, string>> = {
  integer: 'i',
  bigInteger: 'i',
  boolean: 'i',
  float: 'r',
  decimal: 'ir',
  binary: '',
}

const plainOf = (column: TypedColumn | null): string => {
  if (column === null) return 'irt'
  return column.column.baseType === 'decimal_text' ? 't' : (plainClasses[column.type] ?? 't')
}

/** Columns store values of any storage class and sort by it, so a cursor has to restore it. */
export const cursor: Dialect['cursor'] = {
  text: (expression, column) => {
    const scale = column?.type === 'decimal' ? column.column.numericScale : null
    const plain = constant(plainOf(column))
    return scale === null
      ? sql`tain_cursor_text(${expression}, ${plain})`
      : sql`tain_cursor_text(${expression}, ${plain}, ${sql.lit(scale)})`
  },
  value: (placeholder, { cast }) =>
    sql`iif(substr(${placeholder}, 1, 1) = char(1), tain_cursor_value(${placeholder}), ${cast(placeholder)})`,
}
