import { invalidQuery, type FieldType } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { Bind } from '../../driver.ts'
import type { OperandEncoder, TypedColumn } from '../../dialect.ts'
import { exactOperand } from '../../exact-operand.ts'
import { catalogueType } from '../../raw.ts'
import { sql } from '../../sql.ts'
import { writeArray, type ArrayTexts } from './array-text.ts'
import { isTimestampText, isTimeText } from './times.ts'
import { fieldTypeOfBase } from './types.ts'

type Encode = (value: unknown, name: string) => string | null

const ranges: Readonly<Record<string, bigint>> = { int2: 2n ** 15n, int4: 2n ** 31n, int8: 2n ** 63n }

const integer =
  (baseType: string): Encode =>
  (value, name) => {
    const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
    if (!/^[+-]?\d{1,20}$/u.test(text))
      throw invalidQuery(`Invalid numeric value for "${name}": it takes whole numbers`)
    const limit = ranges[baseType] ?? 2n ** 63n
    const number = BigInt(text.replace(/^\+/u, ''))
    if (number < -limit || number >= limit) throw invalidQuery(`The value for "${name}" is out of its range`)
    return number.toString()
  }

const decimal: Encode = (value, name) => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu.test(text) || /^(NaN|-?Infinity)$/u.test(text)) return text
  throw invalidQuery(`Invalid numeric value for "${name}"`)
}

const boolean: Encode = (value, name) => {
  if (value === true || value === 1 || value === '1') return 'true'
  if (value === false || value === 0 || value === '0') return 'false'
  throw invalidQuery(`"${name}" takes true or false`)
}

const uuid: Encode = (value, name) => {
  if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(value)) return value
  throw invalidQuery(`"${name}" takes a uuid`)
}

const text: Encode = (value, name) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidQuery(`"${name}" takes text`)
}

const base64: Encode = (value, name) => {
  const given = text(value, name) ?? ''
  // Keys come back in the form that the driver has read.
  if (/^\\x([0-9a-f]{2})*$/u.test(given)) return given
  if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(given)) throw invalidQuery(`"${name}" takes base64 text`)
  return `\\x${Buffer.from(given, 'base64').toString('hex')}`
}

const spelled =
  (what: string, isFine: (text: string) => boolean): Encode =>
  (value, name) => {
    const given = text(value, name) ?? ''
    if (!isFine(given)) throw invalidQuery(`"${name}" takes ${what}`)
    return given
  }

const label =
  (labels: readonly string[]): Encode =>
  (value, name) => {
    const given = text(value, name) ?? ''
    if (!labels.includes(given)) throw invalidQuery(`"${name}" takes one of ${labels.join(', ')}`)
    return given
  }

const times: Readonly<Record<string, Encode>> = {
  date: spelled('a date', isTimestampText),
  timestamp: spelled('a date and time', isTimestampText),
  timestamptz: spelled('a date and time', isTimestampText),
  time: spelled('a time', isTimeText),
}

const json: Encode = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

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

const encoderOf = (
  type: FieldType,
  { baseType, elementType }: Pick<DatabaseColumn, 'baseType' | 'elementType'>,
): Encode => {
  if (elementType !== null) return array(elementEncoder(elementType), elementType)
  const time = times[baseType]
  if (time !== undefined) return time
  switch (type) {
    case 'integer':
    case 'bigInteger':
      return integer(baseType)
    case 'float':
    case 'decimal':
      return decimal
    case 'boolean':
      return boolean
    case 'uuid':
      return baseType === 'uuid' ? uuid : text
    case 'binary':
      return base64
    case 'json':
    case 'geometry':
    case 'geometry.Point':
    case 'geometry.LineString':
    case 'geometry.Polygon':
    case 'geometry.MultiPoint':
    case 'geometry.MultiLineString':
    case 'geometry.MultiPolygon':
      return json
    default:
      return text
  }
}

const elementEncoder = (elementType: string): Encode =>
  times[elementType] ?? encoderOf(fieldTypeOfBase(elementType), { baseType: elementType, elementType: null })

const operand = (encode: Encode, name: string, castType: string): OperandEncoder => {
  const type = catalogueType(castType)
  const one = (value: unknown): Bind => (value === null || value === undefined ? null : encode(value, name))
  return {
    encode: one,
    encodeList: (values) => values.map((value) => (value === null || value === undefined ? null : encode(value, name))),
    cast: (placeholder) => sql`${placeholder}::${type}`,
    castList: (placeholder) => sql`${placeholder}::${type}[]`,
  }
}

export function operandOf({ name, type, column }: TypedColumn): OperandEncoder {
  const encode = column.enumValues === null ? encoderOf(type, column) : label(column.enumValues)
  return operand(type === 'float' ? encode : exactOperand(encode), name, column.isComparable ? column.castType : 'text')
}

export const numberOperand = operand(exactOperand(decimal), 'the function', 'numeric')

export const jsonOperand = operand(exactOperand(json), 'the function', 'jsonb')

export const textOperand = (name: string): OperandEncoder => operand(exactOperand(text), name, 'text')
