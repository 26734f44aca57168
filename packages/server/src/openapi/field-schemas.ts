import { type FieldType, forGeometries } from '@tain/contract'
import type { ColumnField } from '../schema/schema.ts'
import type { SchemaObject } from './schema-object.ts'

interface FieldSchemas {
  readonly read: SchemaObject
  /** What a payload may contain, if it is more than what is read. */
  readonly write?: SchemaObject
}

const text: FieldSchemas = { read: { type: 'string' } }
const digits = 'All digits are kept, so it travels as text.'
const geometry: FieldSchemas = { read: { type: 'object', description: 'GeoJSON.' } }
const anything: FieldSchemas = { read: { type: ['object', 'array', 'string', 'number', 'boolean'] } }

/** Values as JSON, by field type. */
const byType: Readonly<Record<FieldType, FieldSchemas>> = {
  string: text,
  text,
  csv: {
    read: { type: 'array', items: { type: 'string' } },
    write: { type: ['array', 'string'], items: { type: 'string' } },
  },
  binary: { read: { type: 'string', contentEncoding: 'base64' } },
  uuid: { read: { type: 'string', format: 'uuid' } },
  integer: { read: { type: 'integer' } },
  bigInteger: {
    read: { type: 'string', description: digits },
    write: { type: ['string', 'integer'], description: digits },
  },
  float: { read: { type: 'number' } },
  decimal: {
    read: { type: 'string', description: digits },
    write: { type: ['string', 'number'], description: digits },
  },
  boolean: { read: { type: 'boolean' } },
  date: { read: { type: 'string', format: 'date' } },
  dateTime: {
    read: { type: 'string', description: 'A moment without a time zone: 2026-01-31T12:00:00.' },
    write: { type: 'string' },
  },
  time: { read: { type: 'string', description: 'A time of day: 12:00:00.' }, write: { type: 'string' } },
  timestamp: { read: { type: 'string', format: 'date-time' }, write: { type: 'string' } },
  json: anything,
  hash: { read: { type: 'string', description: 'A secret; reads show only whether it is there.' } },
  ...forGeometries(geometry),
  unknown: anything,
  alias: { read: {} },
}

const enumOf = ({ column: { enumValues } }: ColumnField): SchemaObject | null =>
  enumValues === null ? null : { type: 'string', enum: enumValues }

const wholeNumber = 'A whole number, as text if it is outside ±(2^53 − 1).'

/** Types of which some columns hold more than others. */
const wider: Partial<Readonly<Record<FieldType, (column: ColumnField['column']) => SchemaObject | null>>> = {
  boolean: ({ holdsNumbers }) => (holdsNumbers === true ? { oneOf: [{ type: 'boolean' }, { type: 'integer' }] } : null),
  integer: ({ integerBits = 32 }) =>
    integerBits <= 53
      ? null
      : { description: wholeNumber, oneOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]+$' }] },
}

const ownSchema = (field: ColumnField): SchemaObject | null =>
  enumOf(field) ?? wider[field.type]?.(field.column) ?? null

export const readSchema = (field: ColumnField): SchemaObject => ownSchema(field) ?? byType[field.type].read

const hasLength = new Set<FieldType>(['string', 'text'])

export function writeSchema(field: ColumnField): SchemaObject {
  const own = ownSchema(field)
  if (own !== null) return own
  const { type, column } = field
  const { read, write = read } = byType[type]
  return hasLength.has(type) && column.maxLength !== null && column.maxLength > 0
    ? { ...write, maxLength: column.maxLength }
    : write
}
