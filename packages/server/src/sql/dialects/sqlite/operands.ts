import { invalidQuery, type FieldType } from '@tain/contract'
import type { OperandEncoder, TypedColumn } from '../../dialect.ts'
import type { Bind } from '../../driver.ts'
import { exactOperand } from '../../exact-operand.ts'
import { sql, type Sql } from '../../sql.ts'
import { sentDate, sentTimestamp, sentTime, storedTimestamp, timeOf } from './timestamps.ts'

type Encode = (value: unknown, name: string) => string

const scalarText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''

const LIMIT = 2n ** 63n

const integer: Encode = (value, name) => {
  const text = scalarText(value)
  if (!/^[+-]?\d{1,20}$/u.test(text)) throw invalidQuery(`Invalid numeric value for "${name}": it takes whole numbers`)
  const number = BigInt(text.replace(/^\+/u, ''))
  if (number < -LIMIT || number >= LIMIT) throw invalidQuery(`The value for "${name}" is out of its range`)
  return number.toString()
}

const decimal: Encode = (value, name) => {
  const text = scalarText(value)
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu.test(text) || /^(NaN|-?Infinity)$/u.test(text)) return text
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

const spelled =
  (what: string, spell: (given: string) => string | null): Encode =>
  (value, name) => {
    const found = spell(text(value, name))
    if (found === null) throw invalidQuery(`"${name}" takes ${what}`)
    return found
  }

const base64: Encode = (value, name) => {
  const given = text(value, name)
  // Bytes in keys come back in the form in which the driver read them.
  if (/^\\x([0-9a-f]{2})*$/u.test(given)) return given.slice(2)
  if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(given)) throw invalidQuery(`"${name}" takes base64 text`)
  return Buffer.from(given, 'base64').toString('hex')
}

const json: Encode = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

const plain = (placeholder: Sql) => placeholder
const asInteger = (placeholder: Sql) => sql`cast(${placeholder} as integer)`
const asReal = (placeholder: Sql) => sql`cast(${placeholder} as real)`
const asNumber = (placeholder: Sql) => sql`cast(${placeholder} as numeric)`

interface Kind {
  readonly encode: Encode
  readonly cast: (placeholder: Sql) => Sql
}

const textKind: Kind = { encode: text, cast: plain }
const byType: Partial<Record<FieldType, Kind>> = {
  integer: { encode: integer, cast: asInteger },
  bigInteger: { encode: integer, cast: asInteger },
  float: { encode: decimal, cast: asReal },
  decimal: { encode: decimal, cast: asNumber },
  boolean: { encode: boolean, cast: asInteger },
  binary: { encode: base64, cast: (placeholder) => sql`unhex(${placeholder})` },
  json: { encode: json, cast: plain },
  date: { encode: spelled('a date', sentDate), cast: plain },
  time: { encode: spelled('a time', sentTime), cast: plain },
  timestamp: { encode: spelled('a date and time', (given) => sentTimestamp(given, true)), cast: plain },
  dateTime: { encode: spelled('a date and time', (given) => sentTimestamp(given, false)), cast: plain },
}

function kindOf({ type, column }: TypedColumn): Kind {
  if (type === 'uuid') return column.baseType === 'uuid' ? { encode: uuid, cast: plain } : textKind
  if (column.baseType === 'decimal_text')
    return { encode: decimal, cast: (placeholder) => sql`tain_number(${placeholder})` }
  return byType[type] ?? textKind
}

const operand = ({ encode, cast }: Kind, name: string): OperandEncoder => {
  const one = (value: unknown): string | null => (value === null || value === undefined ? null : encode(value, name))
  return {
    encode: (value): Bind => one(value),
    encodeList: (values) => values.map(one),
    cast,
    castList: (placeholder) => sql`(select ${cast(sql`value`)} from json_each(${placeholder}))`,
  }
}

const exact = ({ encode, cast }: Kind): Kind => ({ encode: exactOperand(encode), cast })

export const operandOf = (column: TypedColumn): OperandEncoder =>
  operand(column.type === 'float' ? kindOf(column) : exact(kindOf(column)), column.name)

const keyKinds: Partial<Record<FieldType, Kind>> = {
  time: { encode: (value, name) => timeOf(text(value, name)) ?? text(value, name), cast: plain },
  timestamp: { encode: (value, name) => storedTimestamp(text(value, name), true) ?? text(value, name), cast: plain },
  dateTime: { encode: (value, name) => storedTimestamp(text(value, name), false) ?? text(value, name), cast: plain },
}

/** A key of a time column may be any stored text, including text that is not a time. */
export const keyOperandOf = (column: TypedColumn): OperandEncoder => {
  const kind = keyKinds[column.type]
  return kind === undefined ? operandOf(column) : operand(kind, column.name)
}

export const numberOperand = operand(exact({ encode: decimal, cast: asNumber }), 'the function')

export const jsonOperand = operand(
  exact({ encode: json, cast: (placeholder) => sql`tain_document_key(${placeholder})` }),
  'the function',
)

export const textOperand = (name: string): OperandEncoder => operand(exact(textKind), name)
