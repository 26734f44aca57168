import { forGeometries, type FieldDescription, type FieldType } from '@tain/contract'
import { literals, union } from './source-text.ts'

interface ValueTypes {
  readonly read: string
  /** What a payload may contain, if it is more than what is read. */
  readonly write?: string
}

const text: ValueTypes = { read: 'string' }

/** Values by field type, in the names of `valueTypes`. */
const byType: Readonly<Record<FieldType, ValueTypes>> = {
  string: text,
  text,
  csv: { read: 'string[]', write: 'readonly string[] | string' },
  binary: { read: 'Base64' },
  uuid: { read: 'Uuid' },
  integer: { read: 'number' },
  bigInteger: { read: 'BigInteger', write: 'BigInteger | number' },
  float: { read: 'number' },
  decimal: { read: 'Decimal', write: 'Decimal | number' },
  boolean: { read: 'boolean' },
  date: { read: 'DateOnly' },
  dateTime: { read: 'DateTime' },
  time: { read: 'Time' },
  timestamp: { read: 'Timestamp' },
  // Interfaces have no index signature, so `Json` would refuse them in payloads.
  json: { read: 'Json', write: 'unknown' },
  hash: text,
  ...forGeometries({ read: 'Geometry' }),
  unknown: { read: 'Json', write: 'unknown' },
  alias: { read: 'unknown' },
}

/** Types that rows are made of. They say what a text means; the compiler takes them for texts. */
export const valueTypes = `/** All digits are kept, so it travels as text. */
export type Decimal = string
/** All digits are kept, so it travels as text. */
export type BigInteger = string
/** 2026-01-31 */
export type DateOnly = string
/** A moment without a time zone: 2026-01-31T12:00:00 */
export type DateTime = string
/** 2026-01-31T12:00:00.000Z */
export type Timestamp = string
/** 12:00:00 */
export type Time = string
export type Uuid = string
export type Base64 = string
export type JsonScalar = string | number | boolean
export type Json = JsonScalar | null | Json[] | { [name: string]: Json }
/** GeoJSON. */
export interface Geometry {
  type: string
  coordinates?: Json
  geometries?: Geometry[]
  crs?: Json
}
`

type Typed = Pick<FieldDescription, 'type' | 'values' | 'numbers'>

/** The types of a field that says more than its field type. */
const ownType = ({ type, values, numbers }: Typed): string | null =>
  values !== undefined ? literals(values) : numbers === true ? union([byType[type].read, 'number']) : null

export const readType = (field: Typed): string => ownType(field) ?? byType[field.type].read

export const writeType = (field: Typed): string => ownType(field) ?? byType[field.type].write ?? byType[field.type].read

/** Anything includes null. */
export const orNull = (type: string, isNullable: boolean): string =>
  isNullable && type !== 'unknown' ? union([type, 'null']) : type
