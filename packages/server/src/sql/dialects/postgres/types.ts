import type { FieldType } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { StoredAs, StoredType } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'

const fieldTypes: ReadonlyMap<string, FieldType> = new Map([
  ['int2', 'integer'],
  ['int4', 'integer'],
  ['int8', 'bigInteger'],
  ['float4', 'float'],
  ['float8', 'float'],
  ['numeric', 'decimal'],
  ['bool', 'boolean'],
  ['varchar', 'string'],
  ['bpchar', 'string'],
  ['name', 'string'],
  ['char', 'string'],
  ['text', 'text'],
  ['citext', 'text'],
  ['date', 'date'],
  ['timestamp', 'dateTime'],
  ['timestamptz', 'timestamp'],
  ['time', 'time'],
  ['json', 'json'],
  ['jsonb', 'json'],
  ['uuid', 'uuid'],
  ['bytea', 'binary'],
  ['interval', 'string'],
  ['inet', 'string'],
  ['cidr', 'string'],
  ['macaddr', 'string'],
  ['geometry', 'geometry'],
])

/** The field type of a column. */
export function fieldTypeOf(column: DatabaseColumn): FieldType {
  if (column.elementType !== null) return 'json'
  if (column.enumValues !== null) return 'string'
  return fieldTypeOfBase(column.baseType)
}

export const fieldTypeOfBase = (baseType: string): FieldType => fieldTypes.get(baseType) ?? 'unknown'

/** SQL name, internal name, numeric precision in bits. */
const storedTypes: Readonly<Record<StoredType, readonly [string, string, number | null]>> = {
  boolean: ['boolean', 'bool', null],
  integer: ['integer', 'int4', 32],
  counter: ['bigint', 'int8', 64],
  bigint: ['bigint', 'int8', 64],
  text: ['text', 'text', null],
  uuid: ['uuid', 'uuid', null],
  timestamp: ['timestamp with time zone', 'timestamptz', null],
  json: ['json', 'json', null],
}

const spelledOut: Readonly<Record<StoredType, Sql>> = {
  boolean: sql`boolean`,
  integer: sql`integer`,
  counter: sql`bigint`,
  bigint: sql`bigint`,
  text: sql`text`,
  uuid: sql`uuid`,
  timestamp: sql`timestamptz`,
  json: sql`json`,
}

export const storedTypeSql = (type: StoredType): Sql => spelledOut[type]

export const storedAs: StoredAs = (type) => {
  const [name, baseType, digits] = storedTypes[type]
  return {
    dataType: name,
    castType: name,
    baseType,
    isComparable: type !== 'json',
    numericPrecision: digits,
    numericScale: digits === null ? null : 0,
  }
}
