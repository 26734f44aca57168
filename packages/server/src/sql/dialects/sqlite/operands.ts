import type { FieldType } from '@tain/contract'
import type { OperandEncoder, TypedColumn } from '../../dialect.ts'
import { exactOperand } from '../base/exact-operand.ts'
import { sql, type Sql } from '../../sql.ts'
import {
  base64,
  boolean,
  createEncoderOf,
  decimalOrInfinite,
  encodeText,
  exactFor,
  integer,
  json,
  lowerCaseUuid,
  operand,
  spelled,
  text,
  type Encode,
} from '../base/encoders.ts'
import { sentDate, sentTimestamp, sentTime, storedTimestamp, timeOf } from './timestamps.ts'

const LIMIT = 2n ** 63n

const wholeNumber = integer((number) => number >= -LIMIT && number < LIMIT)

const encoderOf = createEncoderOf({
  integer: () => wholeNumber,
  decimal: decimalOrInfinite,
  boolean: ({ holdsNumbers }) => boolean('1', '0', holdsNumbers === true ? wholeNumber : undefined),
  uuid: lowerCaseUuid,
  binary: base64(''),
  geometry: text,
  date: spelled('a date', sentDate),
  dateTime: spelled('a date and time', (given) => sentTimestamp(given, false)),
  timestamp: spelled('a date and time', (given) => sentTimestamp(given, true)),
  time: spelled('a time', sentTime),
})

type Cast = (placeholder: Sql) => Sql

const asIs: Cast = (placeholder) => placeholder
const asInteger: Cast = (placeholder) => sql`cast(${placeholder} as integer)`
const asNumber: Cast = (placeholder) => sql`cast(${placeholder} as numeric)`

/** Types whose operands are not text. */
const casts: Partial<Record<FieldType, Cast>> = {
  integer: asInteger,
  bigInteger: asInteger,
  boolean: asInteger,
  float: (placeholder) => sql`cast(${placeholder} as real)`,
  decimal: asNumber,
  binary: (placeholder) => sql`unhex(${placeholder})`,
}

const castOperand = (encode: Encode, name: string, cast: Cast): OperandEncoder =>
  operand(encode, name, cast, (placeholder) => sql`(select ${cast(sql`value`)} from json_each(${placeholder}))`)

export function operandOf({ name, type, column }: TypedColumn): OperandEncoder {
  if (type !== 'uuid' && column.baseType === 'decimal_text')
    return castOperand(exactFor(type, decimalOrInfinite), name, (placeholder) => sql`tain_number(${placeholder})`)
  return castOperand(exactFor(type, encoderOf(type, column)), name, casts[type] ?? asIs)
}

const keyEncoders: Partial<Record<FieldType, Encode>> = {
  time: (value, name) => timeOf(text(value, name)) ?? text(value, name),
  timestamp: (value, name) => storedTimestamp(text(value, name), true) ?? text(value, name),
  dateTime: (value, name) => storedTimestamp(text(value, name), false) ?? text(value, name),
}

/** A key of a time column may be any stored text, including text that is not a time. */
export const keyOperandOf = (column: TypedColumn): OperandEncoder => {
  const encode = keyEncoders[column.type]
  return encode === undefined ? operandOf(column) : castOperand(encode, column.name, asIs)
}

export const numberOperand = castOperand(exactOperand(decimalOrInfinite), 'the function', asNumber)

export const jsonOperand = castOperand(
  exactOperand(json),
  'the function',
  (placeholder) => sql`tain_document_key(${placeholder})`,
)

export const textOperand = (name: string): OperandEncoder => castOperand(encodeText, name, asIs)
