import type { FieldType } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { StoredAs, StoredType } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'

/**
 * Types by the words they are declared with; the first match counts. The database itself looks only at some of these
 * words and accepts any value, so this code defines the rest.
 */
const declaredTypes: readonly (readonly [RegExp, baseType: string, FieldType])[] = [
  [/^(big ?int|int8|unsigned big int|bigserial)/u, 'int8', 'bigInteger'],
  [/^(bool|boolean|bit$)/u, 'bool', 'boolean'],
  [/^(datetime|timestamp without|timestamp_ntz)/u, 'datetime', 'dateTime'],
  [/^timestamp/u, 'timestamp', 'timestamp'],
  [/^date$/u, 'date', 'date'],
  [/^time( |$)/u, 'time', 'time'],
  [/^(uuid|guid|uniqueidentifier)/u, 'uuid', 'uuid'],
  [/^jsonb?$/u, 'json', 'json'],
  [/^(decimal|numeric)_text$/u, 'decimal_text', 'decimal'],
  [/^(decimal|numeric|number|money)/u, 'numeric', 'decimal'],
  [/^(geometry|point|linestring|polygon|multi)/u, 'unknown', 'unknown'],
  [/int/u, 'int', 'integer'],
  [/(char|string)/u, 'varchar', 'string'],
  [/(text|clob)/u, 'text', 'text'],
  [/blob|binary/u, 'blob', 'binary'],
  [/(real|floa|doub)/u, 'real', 'float'],
]

export interface DeclaredType {
  /** The name that introspection gives: lower case, without limits. */
  readonly name: string
  readonly baseType: string
  readonly fieldType: FieldType
  readonly limits: readonly number[]
}

/** Reads `VARCHAR(20)`, `decimal(10, 2)` or an empty text. */
export function declaredType(text: string): DeclaredType {
  const [, words = '', numbers = ''] = /^([^(]*)(?:\(([^)]*)\))?/u.exec(text.trim().toLowerCase()) ?? []
  const name = words.trim().replaceAll(/\s+/gu, ' ')
  const limits = numbers
    .split(',')
    .map((number) => Number(number.trim() || 'none'))
    .filter((number) => Number.isSafeInteger(number))
  const found = declaredTypes.find(([pattern]) => pattern.test(name))
  return { name, baseType: found?.[1] ?? 'unknown', fieldType: found?.[2] ?? 'unknown', limits }
}

const fieldTypes: ReadonlyMap<string, FieldType> = new Map(declaredTypes.map(([, base, type]) => [base, type]))

export const fieldTypeOf = (column: DatabaseColumn): FieldType => fieldTypes.get(column.baseType) ?? 'unknown'

/** Name in SQL, internal name, digits of a number. */
const storedTypes: Readonly<Record<StoredType, readonly [string, string, number | null]>> = {
  boolean: ['boolean', 'bool', null],
  integer: ['integer', 'int', 64],
  counter: ['integer', 'int', 64],
  bigint: ['bigint', 'int8', 64],
  text: ['text', 'text', null],
  uuid: ['uuid', 'uuid', null],
  timestamp: ['timestamp', 'timestamp', null],
  json: ['json', 'json', null],
}

const spelledOut: Readonly<Record<StoredType, Sql>> = {
  boolean: sql`boolean`,
  integer: sql`integer`,
  counter: sql`integer`,
  bigint: sql`bigint`,
  text: sql`text`,
  uuid: sql`uuid`,
  timestamp: sql`timestamp`,
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
