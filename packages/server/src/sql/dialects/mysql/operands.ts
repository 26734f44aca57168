import { invalidQuery, type FieldType } from '@tain/contract'
import type { Bind } from '../../driver.ts'
import type { OperandEncoder, TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { dateText, dateTimeText, timestampText, timeText } from './moments.ts'
import { collationIn, listType } from './recordset.ts'
import { bytes, isInRange } from './types.ts'

type Encode = (value: unknown, name: string) => string | null

const integer =
  (baseType: string): Encode =>
  (value, name) => {
    const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
    if (!/^[+-]?\d{1,20}$/u.test(text))
      throw invalidQuery(`Invalid numeric value for "${name}": it takes whole numbers`)
    const number = BigInt(text.replace(/^\+/u, ''))
    if (!isInRange(number, baseType)) throw invalidQuery(`The value for "${name}" is out of its range`)
    return number.toString()
  }

const decimal: Encode = (value, name) => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu.test(text)) return text
  throw invalidQuery(`Invalid numeric value for "${name}"`)
}

const boolean: Encode = (value, name) => {
  if (value === true || value === 1 || value === '1') return '1'
  if (value === false || value === 0 || value === '0') return '0'
  throw invalidQuery(`"${name}" takes true or false`)
}

const uuid: Encode = (value, name) => {
  if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(value))
    return value.toLowerCase()
  throw invalidQuery(`"${name}" takes a uuid`)
}

const text: Encode = (value, name) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidQuery(`"${name}" takes text`)
}

const moment =
  (what: string, spell: (text: string) => string | null): Encode =>
  (value, name) => {
    const spelled = spell(text(value, name) ?? '')
    if (spelled === null) throw invalidQuery(`"${name}" takes ${what}`)
    return spelled
  }

const base64: Encode = (value, name) => {
  const given = text(value, name) ?? ''
  // What the driver has read comes back as it was, in cursors and keys.
  if (/^\\x([0-9a-f]{2})*$/u.test(given)) return given.slice(2)
  if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(given)) throw invalidQuery(`"${name}" takes base64 text`)
  return Buffer.from(given, 'base64').toString('hex')
}

const json: Encode = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

const encoderOf = (type: FieldType, baseType: string): Encode => {
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
    case 'date':
      return moment('a date', dateText)
    case 'dateTime':
      return moment('a date and time', dateTimeText)
    case 'timestamp':
      return moment('a date and time', timestampText)
    case 'time':
      return moment('a time', timeText)
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

/** Without a cast a text would be compared as a floating number with exact ones, and as a text with moments. */
function castOf(baseType: string): (placeholder: Sql) => Sql {
  if (baseType.endsWith('unsigned') || baseType === 'bit' || baseType === 'year')
    return (placeholder) => sql`cast(${placeholder} as unsigned)`
  if (/^(bool|tinyint|smallint|mediumint|int|bigint)$/u.test(baseType))
    return (placeholder) => sql`cast(${placeholder} as signed)`
  if (bytes.has(baseType)) return (placeholder) => sql`unhex(${placeholder})`
  switch (baseType) {
    case 'decimal':
      return (placeholder) => sql`cast(${placeholder} as decimal(65, 30))`
    case 'float':
      return (placeholder) => sql`cast(${placeholder} as float)`
    case 'double':
      return (placeholder) => sql`cast(${placeholder} as double)`
    case 'date':
      return (placeholder) => sql`cast(${placeholder} as date)`
    case 'datetime':
    case 'timestamp':
      return (placeholder) => sql`cast(${placeholder} as datetime(6))`
    case 'time':
      return (placeholder) => sql`cast(${placeholder} as time(6))`
    default:
      return (placeholder) => placeholder
  }
}

const operand = (encode: Encode, name: string, baseType: string, collation: string | null): OperandEncoder => {
  const one = (value: unknown): Bind => (value === null || value === undefined ? null : encode(value, name))
  const cast = castOf(baseType)
  return {
    encode: one,
    encodeList: (values) => values.map((value) => (value === null || value === undefined ? null : encode(value, name))),
    cast,
    // A list is one bind, so that lists of any length have one shape; as a table it has a column `v`.
    castList: (placeholder) =>
      sql`(select ${bytes.has(baseType) ? sql`unhex(l.v)` : sql`l.v`} from json_table(${placeholder}, '$[*]' columns (v ${listType(baseType, collation)} path '$')) as l)`,
  }
}

export const operandOf = (typed: TypedColumn): OperandEncoder =>
  operand(
    encoderOf(typed.type, typed.column.baseType),
    typed.name,
    typed.column.baseType,
    collationIn(typed.column.castType),
  )

export const numberOperand = operand(decimal, 'the function', 'decimal', null)

export const jsonOperand = operand(json, 'the function', 'json', null)

export const textOperand = (name: string): OperandEncoder => operand(text, name, 'longtext', null)
