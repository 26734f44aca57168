import { type FieldType, forGeometries, invalidQuery } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { OperandEncoder } from '../../dialect.ts'
import { exactOperand } from './exact-operand.ts'
import type { Sql } from '../../sql.ts'

/** Checks the operand of a filter on the field `name` and writes it as text that the database parses. */
export type Encode = (value: unknown, name: string) => string

const scalarText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''

export const integer =
  (isInRange: (number: bigint) => boolean): Encode =>
  (value, name) => {
    const text = scalarText(value)
    if (!/^[+-]?\d{1,20}$/u.test(text))
      throw invalidQuery(`Invalid numeric value for "${name}": it takes whole numbers`)
    const number = BigInt(text.replace(/^\+/u, ''))
    if (!isInRange(number)) throw invalidQuery(`The value for "${name}" is out of its range`)
    return number.toString()
  }

export const decimal: Encode = (value, name) => {
  const text = scalarText(value)
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu.test(text)) return text
  throw invalidQuery(`Invalid numeric value for "${name}"`)
}

/** For databases that store these values, which JSON numbers cannot express. */
export const decimalOrInfinite: Encode = (value, name) => {
  const text = scalarText(value)
  return /^(NaN|-?Infinity)$/u.test(text) ? text : decimal(value, name)
}

/** `other` encodes the values that are neither true nor false. */
export const boolean =
  (yes: string, no: string, other: Encode = refuseFlag): Encode =>
  (value, name) => {
    if (value === true || value === 'true' || value === 1 || value === '1') return yes
    if (value === false || value === 'false' || value === 0 || value === '0') return no
    return other(value, name)
  }

const refuseFlag: Encode = (_, name) => {
  throw invalidQuery(`"${name}" takes true or false`)
}

export const uuid: Encode = (value, name) => {
  if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(value)) return value
  throw invalidQuery(`"${name}" takes a uuid`)
}

/** For databases that compare uuids as text. */
export const lowerCaseUuid: Encode = (value, name) => uuid(value, name).toLowerCase()

export const text: Encode = (value, name) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidQuery(`"${name}" takes text`)
}

export const encodeText: Encode = exactOperand(text)

/** Text that `spell` rewrites; null means that it is not `what`. */
export const spelled =
  (what: string, spell: (text: string) => string | null): Encode =>
  (value, name) => {
    const written = spell(text(value, name))
    if (written === null) throw invalidQuery(`"${name}" takes ${what}`)
    return written
  }

/** Bytes as hex digits after a prefix. */
export const base64 =
  (prefix: string): Encode =>
  (value, name) => {
    const given = text(value, name)
    // Bytes in cursors and keys come back in the form in which the driver read them.
    if (/^\\x([0-9a-f]{2})*$/u.test(given)) return `${prefix}${given.slice(2)}`
    if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(given)) throw invalidQuery(`"${name}" takes base64 text`)
    return `${prefix}${Buffer.from(given, 'base64').toString('hex')}`
  }

export const json: Encode = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

/** One of the labels; a set takes several, separated by commas. */
export const label =
  (labels: readonly string[], isSet = false): Encode =>
  (value, name) => {
    const given = text(value, name)
    const parts = isSet ? given.split(',').filter(Boolean) : [given]
    if (!parts.every((part) => labels.includes(part))) throw invalidQuery(`"${name}" takes one of ${labels.join(', ')}`)
    return given
  }

export type EncodedColumn = Pick<DatabaseColumn, 'baseType' | 'holdsNumbers'> &
  Partial<Pick<DatabaseColumn, 'castType'>>

/** The encoders that differ between databases. */
interface OwnEncoders {
  readonly integer: (column: EncodedColumn) => Encode
  readonly decimal: Encode
  readonly boolean: (column: EncodedColumn) => Encode
  readonly uuid: Encode
  readonly binary: Encode
  readonly geometry: Encode
  readonly date: Encode
  readonly dateTime: Encode
  readonly timestamp: Encode
  readonly time: Encode
}

export function createEncoderOf(own: OwnEncoders): (type: FieldType, column: EncodedColumn) => Encode {
  const always = (encode: Encode) => () => encode
  const plain = always(text)
  const geometry = always(own.geometry)
  const byType: Readonly<Record<FieldType, (column: EncodedColumn) => Encode>> = {
    string: plain,
    text: plain,
    csv: plain,
    hash: plain,
    alias: plain,
    unknown: plain,
    binary: always(own.binary),
    uuid: ({ baseType }) => (baseType === 'uuid' ? own.uuid : text),
    integer: own.integer,
    bigInteger: own.integer,
    float: always(own.decimal),
    decimal: always(own.decimal),
    boolean: own.boolean,
    date: always(own.date),
    dateTime: always(own.dateTime),
    timestamp: always(own.timestamp),
    time: always(own.time),
    json: always(json),
    ...forGeometries(geometry),
  }
  return (type, column) => byType[type](column)
}

type Cast = (placeholder: Sql) => Sql

export function operand(encode: Encode, name: string, cast: Cast, castList: Cast): OperandEncoder {
  const one = (value: unknown) => (value === null || value === undefined ? null : encode(value, name))
  return { encode: one, encodeList: (values) => values.map(one), cast, castList }
}

/** Only floats compare correctly with a number that may have lost digits. */
export const exactFor = (type: FieldType, encode: Encode): Encode => (type === 'float' ? encode : exactOperand(encode))
