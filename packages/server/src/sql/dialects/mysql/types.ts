import type { FieldType } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { StoredAs, StoredType } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'

/**
 * By the name that introspection gives a type: the server's own, `unsigned` where it matters, `bool` for tinyint(1) and
 * bit(1).
 */
const fieldTypes: ReadonlyMap<string, FieldType> = new Map([
  ['bool', 'boolean'],
  ['tinyint', 'integer'],
  ['tinyint unsigned', 'integer'],
  ['smallint', 'integer'],
  ['smallint unsigned', 'integer'],
  ['mediumint', 'integer'],
  ['mediumint unsigned', 'integer'],
  ['int', 'integer'],
  ['int unsigned', 'integer'],
  ['bigint', 'bigInteger'],
  ['bigint unsigned', 'bigInteger'],
  ['year', 'integer'],
  ['bit', 'bigInteger'],
  ['float', 'float'],
  ['double', 'float'],
  ['decimal', 'decimal'],
  ['char', 'string'],
  ['varchar', 'string'],
  ['tinytext', 'text'],
  ['text', 'text'],
  ['mediumtext', 'text'],
  ['longtext', 'text'],
  ['date', 'date'],
  ['datetime', 'dateTime'],
  ['timestamp', 'timestamp'],
  ['time', 'time'],
  ['json', 'json'],
  ['uuid', 'uuid'],
  ['inet4', 'string'],
  ['inet6', 'string'],
  ['binary', 'binary'],
  ['varbinary', 'binary'],
  ['tinyblob', 'binary'],
  ['blob', 'binary'],
  ['mediumblob', 'binary'],
  ['longblob', 'binary'],
  ['enum', 'string'],
  ['set', 'string'],
  ['geometry', 'geometry'],
  ['point', 'geometry.Point'],
  ['linestring', 'geometry.LineString'],
  ['polygon', 'geometry.Polygon'],
  ['multipoint', 'geometry.MultiPoint'],
  ['multilinestring', 'geometry.MultiLineString'],
  ['multipolygon', 'geometry.MultiPolygon'],
])

export const fieldTypeOfBase = (baseType: string): FieldType => fieldTypes.get(baseType) ?? 'unknown'

export const fieldTypeOf = ({ baseType }: DatabaseColumn): FieldType => fieldTypeOfBase(baseType)

const texts = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'set', 'json'])

export const isTextType = (baseType: string): boolean => texts.has(baseType)

export const bytes: ReadonlySet<string> = new Set(['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'])

/** The server prints these with leading zeros, or as bytes. */
export const printsPadded = ({ baseType, castType }: DatabaseColumn): boolean =>
  baseType === 'bit' || baseType === 'year' || castType.endsWith(' zerofill')

const dates = new Set(['date', 'datetime', 'timestamp'])

/** The type has a zero value (`0000-00-00`) besides NULL. */
export const hasZeroDate = ({ baseType }: DatabaseColumn): boolean => dates.has(baseType)

/** The same, including years. */
export const mayBeZero = (column: DatabaseColumn): boolean => hasZeroDate(column) || column.baseType === 'year'

/** The smallest and the largest whole number of a type. */
const ranges: Readonly<Record<string, readonly [least: bigint, most: bigint]>> = {
  tinyint: [-128n, 127n],
  'tinyint unsigned': [0n, 255n],
  smallint: [-32_768n, 32_767n],
  'smallint unsigned': [0n, 65_535n],
  mediumint: [-8_388_608n, 8_388_607n],
  'mediumint unsigned': [0n, 16_777_215n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  'int unsigned': [0n, 2n ** 32n - 1n],
  bigint: [-(2n ** 63n), 2n ** 63n - 1n],
  'bigint unsigned': [0n, 2n ** 64n - 1n],
  bit: [0n, 2n ** 64n - 1n],
  year: [0n, 2155n],
}

/** The type whose range a flag has. */
export const flagRange = ({ castType = '' }: Partial<Pick<DatabaseColumn, 'castType'>>): string =>
  castType.includes('unsigned') ? 'tinyint unsigned' : 'tinyint'

const widest = [-(2n ** 63n), 2n ** 63n - 1n] as const

export function isInRange(value: bigint, baseType: string): boolean {
  const [least, most] = ranges[baseType] ?? widest
  return value >= least && value <= most
}

/** The name in SQL, the name that introspection would give, the digits of a number. */
const storedTypes: Readonly<Record<StoredType, readonly [string, string, number | null]>> = {
  boolean: ['tinyint(1)', 'bool', null],
  integer: ['int(11)', 'int', 10],
  counter: ['bigint(20)', 'bigint', 19],
  bigint: ['bigint(20)', 'bigint', 19],
  text: ['longtext', 'longtext', null],
  uuid: ['char(36)', 'uuid', null],
  timestamp: ['timestamp(6)', 'timestamp', null],
  json: ['longtext', 'json', null],
}

/** Timestamps of the service are datetimes: a timestamp ends in 2038, and sessions use UTC anyway. */
const spelledOut: Readonly<Record<StoredType, Sql>> = {
  boolean: sql`tinyint(1)`,
  integer: sql`int`,
  counter: sql`bigint`,
  bigint: sql`bigint`,
  text: sql`longtext`,
  uuid: sql`char(36)`,
  timestamp: sql`datetime(6)`,
  json: sql`longtext`,
}

export const storedTypeSql = (type: StoredType): Sql => spelledOut[type]

const collated: ReadonlySet<StoredType> = new Set(['text', 'uuid', 'json'])

/** The service's own tables have one collation, whatever the collation of the database is. */
export const createStoredAs =
  (server: Server): StoredAs =>
  (type) => {
    const [name, baseType, digits] = storedTypes[type]
    return {
      dataType: name,
      castType: collated.has(type) ? `${name} collate ${server.can.exactCollation}` : name,
      baseType,
      isComparable: type !== 'json',
      numericPrecision: digits,
      numericScale: digits === null ? null : 0,
    }
  }
