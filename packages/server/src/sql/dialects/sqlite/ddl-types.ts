import { forGeometries, invalidPayload } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { ColumnDefault, ColumnForm, ColumnType, DescribedType, NativeType } from '../../ddl.ts'
import { sql, type Sql } from '../../sql.ts'
import { dateOf, timestampKey, shortTimestamp, timeOf } from './timestamps.ts'
import { moment } from './moments.ts'
import { printDecimal } from './numbers.ts'
import { declaredType } from './types.ts'

/** The declared type for each field type. Exact numbers are stored as text, under a type name that says so. */
const words: Readonly<Record<ColumnType, string | null>> = {
  integer: 'integer',
  bigInteger: 'bigint',
  float: 'real',
  decimal: 'decimal_text',
  string: 'varchar',
  hash: 'varchar',
  text: 'text',
  csv: 'text',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  dateTime: 'datetime',
  timestamp: 'timestamp',
  json: 'json',
  uuid: 'uuid',
  binary: 'blob',
  ...forGeometries(null),
}

/** Types that columns can be declared with by name. */
const natives: ReadonlySet<string> = new Set(
  `integer int tinyint smallint mediumint bigint int2 int8 real double float numeric decimal decimal_text varchar char
  character nchar nvarchar text clob boolean bool date time datetime timestamp json jsonb uuid blob`
    .split(/\s+/u)
    .concat('double precision', 'character varying'),
)

const withLength = new Set(['varchar'])
const withDigits = new Set(['numeric', 'decimal_text'])

export function nativeType(dataType: string): NativeType | null {
  if (!natives.has(dataType)) return null
  const { baseType, fieldType } = declaredType(dataType)
  const limit = withLength.has(baseType) ? 'length' : withDigits.has(baseType) ? 'digits' : null
  const isNumber = ['int', 'int8', 'real', 'numeric', 'decimal_text'].includes(baseType)
  const values = isNumber ? 'number' : baseType === 'bool' ? 'boolean' : baseType === 'json' ? 'json' : 'text'
  return { fieldType, limit, values }
}

function wordOf({ type, native }: ColumnForm): string {
  if (native !== undefined && !natives.has(native)) throw new TypeError(`there is no type to make of "${native}"`)
  const word = native ?? words[type]
  if (word === null) throw invalidPayload('Geometries cannot be stored in this database')
  return word
}

/** The type as SQL text. It contains only numbers and names that this code has checked. */
export function typeText(form: ColumnForm): string {
  const word = wordOf(form)
  const { baseType } = declaredType(word)
  const { maxLength, precision, scale } = form
  for (const limit of [maxLength, precision, scale])
    if (limit !== null && !Number.isSafeInteger(limit)) throw new RangeError(`${limit} is no limit`)
  if (withLength.has(baseType) && maxLength !== null) return `${word}(${maxLength})`
  if (withDigits.has(baseType) && precision !== null) return `${word}(${precision}, ${scale ?? 0})`
  return word
}

export function described(form: ColumnForm): DescribedType {
  const word = wordOf(form)
  const { baseType } = declaredType(word)
  const hasDigits = withDigits.has(baseType) && form.precision !== null
  return {
    dataType: word,
    maxLength: withLength.has(baseType) ? form.maxLength : null,
    precision: hasDigits ? form.precision : null,
    scale: hasDigits ? (form.scale ?? 0) : null,
  }
}

const UUID_SQL = sql`(lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))`

const nowSql: Readonly<Record<string, Sql>> = {
  date: sql`(date('now'))`,
  time: sql`(time('now'))`,
}
const MOMENT_SQL = sql`(strftime('%Y-%m-%d %H:%M:%f', 'now'))`

const unfit = () => invalidPayload('A default does not fit its type')

const spelled = (text: string | null): Sql => {
  if (text === null) throw unfit()
  return sql.lit(text)
}

/** A default as a column definition takes it; expressions are in parentheses. */
export function defaultSql(value: ColumnDefault, form: ColumnForm): Sql {
  const { baseType } = declaredType(wordOf(form))
  if (value.kind === 'now') return nowSql[baseType] ?? MOMENT_SQL
  if (value.kind === 'uuid') return UUID_SQL
  const { text } = value
  switch (baseType) {
    case 'int':
    case 'int8': {
      if (!/^[+-]?\d{1,19}$/u.test(text)) throw unfit()
      return sql.lit(BigInt(text.replace(/^\+/u, '')))
    }
    case 'real': {
      const number = Number(text)
      if (!Number.isFinite(number)) throw unfit()
      return sql.lit(number)
    }
    case 'bool':
      return text === 'true' || text === '1' ? sql`true` : sql`false`
    case 'date':
      return spelled(dateOf(text))
    case 'time':
      return spelled(timeOf(text))
    case 'timestamp':
    case 'datetime': {
      const moment = timestampKey(text, baseType === 'timestamp')
      return spelled(moment === null ? null : shortTimestamp(moment))
    }
    case 'numeric':
    case 'decimal_text':
      return sql.lit(printDecimal(text, form.precision === null ? null : (form.scale ?? 0)))
    case 'blob':
      return sql`x${sql.lit(text.replace(/^\\x/u, ''))}`
    default:
      return sql.lit(text)
  }
}

const numbers = new Set(['int', 'int8', 'real', 'numeric', 'decimal_text', 'bool'])
const texts = new Set(['varchar', 'text', 'unknown', 'json'])

/** Converts a stored value to another type. */
export function conversion(from: DatabaseColumn, to: ColumnForm): Sql {
  const column = sql.id(from.name)
  const base = declaredType(wordOf(to)).baseType
  if (base === from.baseType && base !== 'numeric' && base !== 'decimal_text') return column
  switch (base) {
    case 'int':
    case 'int8':
      return numbers.has(from.baseType) ? sql`cast(round(${column}) as integer)` : sql`cast(trim(${column}) as integer)`
    case 'real':
      return sql`cast(${column} as real)`
    case 'numeric':
    case 'decimal_text':
      return to.scale === null || to.precision === null
        ? sql`tain_decimal(${column})`
        : sql`tain_decimal(${column}, ${sql.lit(to.scale)})`
    case 'bool':
      return texts.has(from.baseType)
        ? sql`case when lower(trim(${column})) in ('true', 't', 'yes', 'y', 'on', '1') then 1 when ${column} is not null then 0 end`
        : sql`${column} <> 0`
    case 'date':
      return sql`tain_date(${column})`
    case 'time':
      return sql`tain_time(case when ${column} like '____-__-__%' then substr(${moment(column, from)}, 12) else ${column} end)`
    case 'timestamp':
      return sql`tain_short_moment(${moment(column, from)})`
    case 'datetime':
      return from.epoch !== undefined
        ? sql`tain_short_moment(${moment(column, from)})`
        : sql`tain_short_moment(tain_datetime(${column}))`
    case 'uuid':
      return sql`lower(${column})`
    case 'blob':
      return sql`cast(${column} as blob)`
    default:
      return textOf(from, column)
  }
}

const textOf = (from: DatabaseColumn, column: Sql): Sql => {
  if (from.baseType === 'bool')
    return sql`case ${column} when 1 then 'true' when 0 then 'false' else tain_text(${column}) end`
  if (from.baseType === 'numeric' && from.numericScale !== null)
    return sql`tain_decimal(${column}, ${sql.lit(from.numericScale)})`
  return sql`tain_text(${column})`
}

export interface Misfit {
  readonly kind: 'too-long' | 'out-of-range' | 'inconvertible'
  /** True for the rows that cannot be converted. */
  readonly condition: Sql
}

/** The rows that prevent a conversion. */
export function misfits(from: DatabaseColumn, to: ColumnForm): Misfit | null {
  const column = sql.id(from.name)
  const base = declaredType(wordOf(to)).baseType
  if (withLength.has(base)) {
    if (to.maxLength === null) return null
    return { kind: 'too-long', condition: sql`length(${textOf(from, column)}) > ${sql.lit(to.maxLength)}` }
  }
  if (texts.has(base) && base !== 'json') return null
  const kind = numbers.has(from.baseType) && numbers.has(base) ? 'out-of-range' : 'inconvertible'
  const digits = withDigits.has(base) && to.precision !== null ? `${to.precision} ${to.scale ?? 0}` : ''
  return { kind, condition: sql`not tain_fits(${sql.lit(base)}, ${column}, ${sql.lit(digits)})` }
}

/** The expressions that this file generates, with the names that introspection gives them. */
export const knownDefaults: ReadonlyMap<string, string> = new Map([
  [
    `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
    'gen_random_uuid()',
  ],
  [`strftime('%Y-%m-%d %H:%M:%f', 'now')`, 'now()'],
  [`date('now')`, 'now()'],
  [`time('now')`, 'now()'],
])
