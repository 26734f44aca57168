import { invalidQuery, type FieldType } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { OperandEncoder, TypedColumn } from '../../dialect.ts'
import { exactOperand } from '../base/exact-operand.ts'
import { catalogueType } from '../../raw.ts'
import { sql } from '../../sql.ts'
import {
  base64,
  boolean,
  createEncoderOf,
  decimalOrInfinite,
  encodeText,
  exactFor,
  integer,
  json,
  label,
  operand,
  spelled,
  text,
  uuid,
  type Encode,
} from '../base/encoders.ts'
import { writeArray, type ArrayTexts } from './array-text.ts'
import { isTimestampText, isTimeText } from './times.ts'
import { fieldTypeOfBase } from './types.ts'

const ranges: Readonly<Record<string, bigint>> = { int2: 2n ** 15n, int4: 2n ** 31n, int8: 2n ** 63n }

const integerOf = (baseType: string): Encode => {
  const limit = ranges[baseType] ?? 2n ** 63n
  return integer((number) => number >= -limit && number < limit)
}

const checked = (what: string, isFine: (text: string) => boolean): Encode =>
  spelled(what, (given) => (isFine(given) ? given : null))

const times: Readonly<Record<string, Encode>> = {
  date: checked('a date', isTimestampText),
  timestamp: checked('a date and time', isTimestampText),
  timestamptz: checked('a date and time', isTimestampText),
  time: checked('a time', isTimeText),
}

/** Accepts the JSON array that responses show, or the array as the database prints it. */
const array =
  (element: Encode, elementType: string): Encode =>
  (value, name) => {
    if (typeof value === 'string' && !value.trimStart().startsWith('[')) return value
    const items = typeof value === 'string' ? listIn(value, name) : value
    if (!Array.isArray(items)) throw invalidQuery(`"${name}" takes a list`)
    const textsOf = (list: readonly unknown[]): ArrayTexts =>
      list.map((item) => (item === null ? null : Array.isArray(item) ? textsOf(item) : element(item, name)))
    return writeArray(textsOf(items), elementType)
  }

function listIn(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidQuery(`"${name}" takes a list`)
  }
}

const flag = boolean('true', 'false')

const scalarEncoder = createEncoderOf({
  integer: ({ baseType }) => integerOf(baseType),
  decimal: decimalOrInfinite,
  boolean: () => flag,
  uuid,
  binary: base64('\\x'),
  geometry: json,
  // The stored type decides how times are written, see `times`.
  date: text,
  dateTime: text,
  timestamp: text,
  time: text,
})

const encoderOf = (
  type: FieldType,
  { baseType, elementType }: Pick<DatabaseColumn, 'baseType' | 'elementType'>,
): Encode => {
  if (elementType !== null) return array(elementEncoder(elementType), elementType)
  return times[baseType] ?? scalarEncoder(type, { baseType })
}

const elementEncoder = (elementType: string): Encode =>
  times[elementType] ?? encoderOf(fieldTypeOfBase(elementType), { baseType: elementType, elementType: null })

const castOperand = (encode: Encode, name: string, castType: string): OperandEncoder => {
  const type = catalogueType(castType)
  return operand(
    encode,
    name,
    (placeholder) => sql`${placeholder}::${type}`,
    (placeholder) => sql`${placeholder}::${type}[]`,
  )
}

export function operandOf({ name, type, column }: TypedColumn): OperandEncoder {
  const encode = column.enumValues === null ? encoderOf(type, column) : label(column.enumValues)
  return castOperand(exactFor(type, encode), name, column.isComparable ? column.castType : 'text')
}

const words: ReadonlyMap<unknown, string> = new Map([
  ['t', 'true'],
  ['f', 'false'],
])

/** A flag as the database prints it, in the form that responses show. */
export const wordOf = (key: unknown): unknown => words.get(key) ?? key

export function keyOperandOf(column: TypedColumn): OperandEncoder {
  const operand = operandOf(column)
  return column.type === 'boolean' ? { ...operand, encode: (key) => operand.encode(wordOf(key)) } : operand
}

export const numberOperand = castOperand(exactOperand(decimalOrInfinite), 'the function', 'numeric')

export const jsonOperand = castOperand(exactOperand(json), 'the function', 'jsonb')

export const textOperand = (name: string): OperandEncoder => castOperand(encodeText, name, 'text')
