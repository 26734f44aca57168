import { isIPv4, isIPv6 } from 'node:net'
import { invalidQuery, type FieldType } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { Bind } from '../../driver.ts'
import type { OperandEncoder, TypedColumn } from '../../dialect.ts'
import { exactOperand } from '../../exact-operand.ts'
import { sql, type Sql } from '../../sql.ts'
import { dateText, dateTimeText, timestampText, timeText } from './timestamps.ts'
import { collationIn, inCharset, narrowCollation, survives } from './charsets.ts'
import { listType } from './recordset.ts'
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

const timestamp =
  (what: string, spell: (text: string) => string | null): Encode =>
  (value, name) => {
    const spelled = spell(text(value, name) ?? '')
    if (spelled === null) throw invalidQuery(`"${name}" takes ${what}`)
    return spelled
  }

const base64: Encode = (value, name) => {
  const given = text(value, name) ?? ''
  // Bytes in cursors and keys come back in the form in which the driver read them.
  if (/^\\x([0-9a-f]{2})*$/u.test(given)) return given.slice(2)
  if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(given)) throw invalidQuery(`"${name}" takes base64 text`)
  return Buffer.from(given, 'base64').toString('hex')
}

const json: Encode = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

const label =
  (labels: readonly string[], isSet: boolean): Encode =>
  (value, name) => {
    const given = text(value, name) ?? ''
    const parts = isSet ? given.split(',').filter(Boolean) : [given]
    if (!parts.every((part) => labels.includes(part))) throw invalidQuery(`"${name}" takes one of ${labels.join(', ')}`)
    return given
  }

/** To the server, a text that is not an address neither equals nor differs from any address. */
const address =
  (isAddress: (given: string) => boolean): Encode =>
  (value, name) => {
    const given = text(value, name) ?? ''
    if (!isAddress(given)) throw invalidQuery(`"${name}" takes an address`)
    return given
  }

/** Types that accept only certain texts. */
function particular({ baseType, enumValues }: DatabaseColumn): Encode | null {
  if (enumValues !== null) return label(enumValues, baseType === 'set')
  if (baseType === 'inet4') return address(isIPv4)
  return baseType === 'inet6' ? address(isIPv6) : null
}

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
      return timestamp('a date', dateText)
    case 'dateTime':
      return timestamp('a date and time', dateTimeText)
    case 'timestamp':
      return timestamp('a date and time', timestampText)
    case 'time':
      return timestamp('a time', timeText)
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

/** Without a cast the server compares a text with exact numbers as a float, and with timestamps as a text. */
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
  const narrow = collation === null ? null : narrowCollation({ baseType, castType: ` collate ${collation}` })
  const cast = narrow === null ? castOf(baseType) : (placeholder: Sql) => inCharset(placeholder, narrow)
  const listed = bytes.has(baseType) ? sql`unhex(l.v)` : narrow === null ? sql`l.v` : inCharset(sql`l.v`, narrow)
  // Values that the column cannot store are left out: a NULL in the list would make NOT IN unknown.
  const where = narrow === null ? sql`` : sql` where l.v is null or ${survives(sql`l.v`, narrow)}`
  return {
    encode: one,
    encodeList: (values) => values.map((value) => (value === null || value === undefined ? null : encode(value, name))),
    cast,
    // A list is one bind, so lists of any length have one shape. As a table it has a column `v`.
    castList: (placeholder) =>
      sql`(select ${listed} from json_table(${placeholder}, '$[*]' columns (v ${listType(baseType, collation)} path '$')) as l${where})`,
  }
}

export function operandOf({ name, type, column }: TypedColumn): OperandEncoder {
  const encode = particular(column) ?? encoderOf(type, column.baseType)
  const exact = type === 'float' ? encode : exactOperand(encode)
  return operand(exact, name, column.baseType, collationIn(column.castType))
}

export const numberOperand = operand(exactOperand(decimal), 'the function', 'decimal', null)

export const jsonOperand = operand(exactOperand(json), 'the function', 'json', null)

export const textOperand = (name: string): OperandEncoder => operand(exactOperand(text), name, 'longtext', null)
