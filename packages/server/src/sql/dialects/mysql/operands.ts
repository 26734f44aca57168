import { isIPv4, isIPv6 } from 'node:net'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { OperandEncoder, TypedColumn } from '../../dialect.ts'
import { exactOperand } from '../base/exact-operand.ts'
import { sql, type Sql } from '../../sql.ts'
import {
  base64,
  boolean,
  createEncoderOf,
  decimal,
  encodeText,
  exactFor,
  integer,
  json,
  label,
  lowerCaseUuid,
  operand,
  spelled,
  type Encode,
} from '../base/encoders.ts'
import { dateText, dateTimeText, timestampText, timeText } from './timestamps.ts'
import { collationIn, inCharset, narrowCollation, survives } from './charsets.ts'
import { listType } from './recordset.ts'
import { bytes, flagRange, isInRange } from './types.ts'

/** To the server, a text that is not an address neither equals nor differs from any address. */
const address = (isAddress: (given: string) => boolean): Encode =>
  spelled('an address', (given) => (isAddress(given) ? given : null))

/** Types that accept only certain texts. */
function particular({ baseType, enumValues }: DatabaseColumn): Encode | null {
  if (enumValues !== null) return label(enumValues, baseType === 'set')
  if (baseType === 'inet4') return address(isIPv4)
  return baseType === 'inet6' ? address(isIPv6) : null
}

const numberIn = (baseType: string): Encode => integer((number) => isInRange(number, baseType))

const encoderOf = createEncoderOf({
  integer: ({ baseType }) => numberIn(baseType),
  decimal,
  boolean: (column) => boolean('1', '0', column.holdsNumbers === true ? numberIn(flagRange(column)) : undefined),
  uuid: lowerCaseUuid,
  binary: base64(''),
  geometry: json,
  date: spelled('a date', dateText),
  dateTime: spelled('a date and time', dateTimeText),
  timestamp: spelled('a date and time', timestampText),
  time: spelled('a time', timeText),
})

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

const castOperand = (encode: Encode, name: string, baseType: string, collation: string | null): OperandEncoder => {
  const narrow = collation === null ? null : narrowCollation({ baseType, castType: ` collate ${collation}` })
  const cast = narrow === null ? castOf(baseType) : (placeholder: Sql) => inCharset(placeholder, narrow)
  const listed = bytes.has(baseType) ? sql`unhex(l.v)` : narrow === null ? sql`l.v` : inCharset(sql`l.v`, narrow)
  // Values that the column cannot store are left out: a NULL in the list would make NOT IN unknown.
  const where = narrow === null ? sql`` : sql` where l.v is null or ${survives(sql`l.v`, narrow)}`
  // As a table, a list has a column `v`.
  const castList = (placeholder: Sql) =>
    sql`(select ${listed} from json_table(${placeholder}, '$[*]' columns (v ${listType(baseType, collation)} path '$')) as l${where})`
  return operand(encode, name, cast, castList)
}

export function operandOf({ name, type, column }: TypedColumn): OperandEncoder {
  const encode = particular(column) ?? encoderOf(type, column)
  return castOperand(exactFor(type, encode), name, column.baseType, collationIn(column.castType))
}

export const numberOperand = castOperand(exactOperand(decimal), 'the function', 'decimal', null)

export const jsonOperand = castOperand(exactOperand(json), 'the function', 'json', null)

export const textOperand = (name: string): OperandEncoder => castOperand(encodeText, name, 'longtext', null)
