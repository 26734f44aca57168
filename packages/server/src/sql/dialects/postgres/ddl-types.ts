import type { DatabaseColumn } from '../../database-schema.ts'
import type { ColumnDefault, ColumnForm, ColumnType, DescribedType } from '../../ddl.ts'
import { sql, type Sql } from '../../sql.ts'
import { nativeShape } from './native-types.ts'

/** The internal name and the SQL type of a column of each field type. */
const types: Readonly<Record<ColumnType, readonly [baseType: string, spelled: (form: ColumnForm) => Sql]>> = {
  integer: ['int4', () => sql`integer`],
  bigInteger: ['int8', () => sql`bigint`],
  float: ['float4', () => sql`real`],
  decimal: ['numeric', decimalSql],
  string: ['varchar', textSql],
  hash: ['varchar', textSql],
  text: ['text', () => sql`text`],
  csv: ['text', () => sql`text`],
  boolean: ['bool', () => sql`boolean`],
  date: ['date', () => sql`date`],
  time: ['time', () => sql`time without time zone`],
  dateTime: ['timestamp', () => sql`timestamp without time zone`],
  timestamp: ['timestamptz', () => sql`timestamp with time zone`],
  json: ['json', () => sql`json`],
  uuid: ['uuid', () => sql`uuid`],
  binary: ['bytea', () => sql`bytea`],
  geometry: ['geometry', () => sql`geometry(Geometry, 4326)`],
  'geometry.Point': ['geometry', () => sql`geometry(Point, 4326)`],
  'geometry.LineString': ['geometry', () => sql`geometry(LineString, 4326)`],
  'geometry.Polygon': ['geometry', () => sql`geometry(Polygon, 4326)`],
  'geometry.MultiPoint': ['geometry', () => sql`geometry(MultiPoint, 4326)`],
  'geometry.MultiLineString': ['geometry', () => sql`geometry(MultiLineString, 4326)`],
  'geometry.MultiPolygon': ['geometry', () => sql`geometry(MultiPolygon, 4326)`],
}

/** Limits are literals, because DDL accepts no bind values. */
function number(value: number): Sql {
  // A scale may be negative.
  if (!Number.isSafeInteger(value) || value < -1000) throw new RangeError(`${value} is no limit`)
  return sql.lit(value)
}

function textSql({ maxLength }: ColumnForm): Sql {
  return maxLength === null ? sql`character varying` : sql`character varying(${number(maxLength)})`
}

function decimalSql({ precision, scale }: ColumnForm): Sql {
  return precision === null ? sql`numeric` : sql`numeric(${number(precision)}, ${number(scale ?? 0)})`
}

const shapeOf = (form: ColumnForm) => (form.native === undefined ? types[form.type] : nativeShape(form.native))

export const typeSql = (form: ColumnForm): Sql => shapeOf(form)[1](form)

/** A cast to a limited length would truncate the value; whether it fits is checked before. */
const unlimited = (form: ColumnForm): Sql => typeSql({ ...form, maxLength: null, precision: null, scale: null })

export function defaultSql(value: ColumnDefault, form: ColumnForm): Sql {
  if (value.kind === 'now') return sql`CURRENT_TIMESTAMP`
  if (value.kind === 'uuid') return sql`gen_random_uuid()`
  return sql`${sql.lit(value.text)}::${unlimited(form)}`
}

const texts = new Set(['varchar', 'bpchar', 'text', 'citext', 'name'])
const numbers = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'])
/** Pairs that the database converts directly; all others are converted through text. */
const casts = new Set([
  'date timestamp',
  'date timestamptz',
  'timestamp date',
  'timestamp time',
  'timestamp timestamptz',
  'timestamptz date',
  'timestamptz time',
  'timestamptz timestamp',
  'timetz time',
  'time interval',
  'json jsonb',
  'jsonb json',
])

export interface Conversion {
  /** null: the database converts the values without a USING clause. */
  readonly using: Sql | null
  readonly rewrites: boolean
}

/** How stored values are converted to another type. Values are never truncated; those that do not fit are refused. */
export function conversion(from: DatabaseColumn, to: ColumnForm): Conversion {
  const column = sql.id(from.name)
  const [base] = shapeOf(to)
  const isSame = from.baseType === base && from.elementType === null
  if (isSame || (texts.has(from.baseType) && texts.has(base)) || (numbers.has(from.baseType) && numbers.has(base)))
    return { using: null, rewrites: rewrites(from, to, base) }
  // As text, the length is checked when the value is stored; a cast to varchar would truncate the value.
  if (texts.has(base)) return { using: sql`${column}::text`, rewrites: true }
  if (from.baseType === 'bool' && numbers.has(base))
    return { using: sql`${column}::integer::${typeSql(to)}`, rewrites: true }
  if (numbers.has(from.baseType) && base === 'bool') return { using: sql`${column} <> 0`, rewrites: true }
  if (casts.has(`${from.baseType} ${base}`))
    // The service's sessions run in UTC, where both timestamp types are stored alike.
    return {
      using: sql`${column}::${typeSql(to)}`,
      rewrites: !base.startsWith('timestamp') || from.baseType === 'date',
    }
  return { using: sql`${column}::text::${typeSql(to)}`, rewrites: true }
}

function rewrites(from: DatabaseColumn, { maxLength, precision, scale }: ColumnForm, base: string): boolean {
  if (base === 'text') return from.baseType === 'bpchar' || from.baseType === 'name'
  if (base === 'varchar') {
    if (from.baseType !== 'varchar') return maxLength !== null || from.baseType !== 'text'
    return maxLength !== null && (from.maxLength === null || from.maxLength > maxLength)
  }
  if (base === 'numeric' && from.baseType === 'numeric') {
    const isWider = from.numericPrecision !== null && precision !== null && from.numericPrecision <= precision
    return precision !== null && !(isWider && from.numericScale === scale)
  }
  return from.baseType !== base
}

export interface Misfit {
  readonly kind: 'too-long' | 'out-of-range' | 'inconvertible'
  /** True for the rows that cannot be converted. */
  readonly condition: Sql
}

const whole = '^[[:space:]]*[+-]?[0-9]+[[:space:]]*$'
const decimals = '^[[:space:]]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[[:space:]]*$'
const uuids = '^[{]?[0-9a-fA-F]{4}(-?[0-9a-fA-F]{4}){7}[}]?$'
const booleans = '^[[:space:]]*(t|tr|tru|true|f|fa|fal|fals|false|y|ye|yes|n|no|on|of|off|1|0)[[:space:]]*$'

const limits: Readonly<Record<string, readonly [string, string]>> = {
  int4: ['-2147483648', '2147483647'],
  int8: ['-9223372036854775808', '9223372036854775807'],
}

/** The rows that prevent a conversion, if a query can find them without trying it. */
export function misfits(from: DatabaseColumn, to: ColumnForm): Misfit | null {
  const column = sql.id(from.name)
  const [base] = shapeOf(to)
  if (base === 'varchar') {
    if (to.maxLength === null) return null
    return { kind: 'too-long', condition: sql`char_length(${column}::text) > ${number(to.maxLength)}` }
  }
  const range = limits[base]
  if (numbers.has(from.baseType) && range !== undefined) {
    const rounded = sql`round(${column}::numeric)`
    return {
      kind: 'out-of-range',
      condition: sql`not (${rounded} between ${sql.lit(range[0])}::numeric and ${sql.lit(range[1])}::numeric)`,
    }
  }
  if (numbers.has(from.baseType) && base === 'numeric') {
    const { precision, scale } = to
    if (precision === null) return null
    const rounded = sql`abs(round(${column}::numeric, ${number(scale ?? 0)}))`
    return {
      kind: 'out-of-range',
      condition: sql`${rounded} >= 10::numeric ^ ${number(precision - (scale ?? 0))}`,
    }
  }
  if (!texts.has(from.baseType)) return null
  const pattern = range !== undefined ? whole : numbers.has(base) ? decimals : patterns[base]
  if (pattern === undefined) return null
  const fits = sql`${column} ~* ${sql.lit(pattern)}`
  const isInside =
    range === undefined
      ? fits
      : sql`(case when ${fits} then ${column}::numeric between ${sql.lit(range[0])}::numeric and ${sql.lit(range[1])}::numeric else false end)`
  return { kind: 'inconvertible', condition: sql`${column} is not null and not ${isInside}` }
}

const patterns: Readonly<Record<string, string>> = { uuid: uuids, bool: booleans }

const dataTypes: Readonly<Record<string, string>> = {
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  varchar: 'character varying',
  bool: 'boolean',
  time: 'time without time zone',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
}

/** The type that introspection reports for such a column. */
export function described(form: ColumnForm): DescribedType {
  const [base] = shapeOf(form)
  return {
    dataType: form.native ?? dataTypes[base] ?? base,
    maxLength: base === 'varchar' ? form.maxLength : null,
    precision: base === 'numeric' ? form.precision : null,
    scale: base === 'numeric' && form.precision !== null ? (form.scale ?? 0) : null,
  }
}
