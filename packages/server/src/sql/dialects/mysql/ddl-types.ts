import { invalidPayload } from '@tain/contract'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { ColumnDefault, ColumnForm, ColumnType, DescribedType } from '../../ddl.ts'
import type { Capabilities } from './capabilities.ts'
import { literal, quoted } from './names.ts'
import { UUID_COLLATION, UUID_TEXT } from './native-types.ts'

/** The column type of each field type, by the name that introspection gives it. */
const bases: Readonly<Record<ColumnType, string>> = {
  integer: 'int',
  bigInteger: 'bigint',
  float: 'double',
  decimal: 'decimal',
  string: 'varchar',
  hash: 'varchar',
  text: 'longtext',
  csv: 'longtext',
  boolean: 'bool',
  date: 'date',
  time: 'time',
  dateTime: 'datetime',
  timestamp: 'timestamp',
  json: 'json',
  uuid: 'uuid',
  binary: 'longblob',
  geometry: 'geometry',
  'geometry.Point': 'point',
  'geometry.LineString': 'linestring',
  'geometry.Polygon': 'polygon',
  'geometry.MultiPoint': 'multipoint',
  'geometry.MultiLineString': 'multilinestring',
  'geometry.MultiPolygon': 'multipolygon',
}

const USUAL_LENGTH = 255
const USUAL_DIGITS = [30, 10] as const

const baseOf = ({ type, native }: ColumnForm): string =>
  native === undefined ? bases[type] : native === 'boolean' ? 'bool' : native

function limit(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no limit`)
  return value
}

const digitsOf = ({ precision, scale }: ColumnForm): readonly [number, number] =>
  precision === null ? USUAL_DIGITS : [limit(precision), limit(scale ?? 0)]

/** Types whose SQL text differs from their name. Times and timestamps have the full precision. */
const spelled: Readonly<Record<string, (form: ColumnForm) => string>> = {
  bool: () => 'tinyint(1)',
  varchar: ({ maxLength }) => `varchar(${limit(maxLength ?? USUAL_LENGTH)})`,
  char: ({ maxLength }) => `char(${limit(maxLength ?? 1)})`,
  varbinary: ({ maxLength }) => `varbinary(${limit(maxLength ?? USUAL_LENGTH)})`,
  decimal: (form) => `decimal(${digitsOf(form).join(', ')})`,
  time: () => 'time(6)',
  datetime: () => 'datetime(6)',
  timestamp: () => 'timestamp(6)',
}

/** The type as SQL text. It contains only numbers and names that this code has checked. */
export function typeText(form: ColumnForm, { hasUuidType }: Pick<Capabilities, 'hasUuidType'>): string {
  const base = baseOf(form)
  if (base === 'uuid' && !hasUuidType) return `${UUID_TEXT} character set ascii collate ${UUID_COLLATION}`
  if (!/^[a-z]+\d?( unsigned)?$/u.test(base)) throw new TypeError(`there is no type to make of "${base}"`)
  return spelled[base]?.(form) ?? base
}

/** A flag holds no other numbers. */
export const checkOf = (name: string, form: ColumnForm): string =>
  baseOf(form) === 'bool' ? `CHECK (${quoted(name)} in (0, 1))` : ''

/** The type of such a column as introspection reports it. */
export function described(form: ColumnForm): DescribedType {
  const base = baseOf(form)
  const [precision, scale] = base === 'decimal' ? digitsOf(form) : [null, null]
  return {
    dataType: base === 'bool' ? 'boolean' : base,
    maxLength: base === 'varchar' ? (form.maxLength ?? USUAL_LENGTH) : base === 'char' ? (form.maxLength ?? 1) : null,
    precision,
    scale,
  }
}

const nowText: Readonly<Record<string, string>> = { date: '(curdate())', time: '(curtime(6))' }

/** A default as a column definition takes it. */
export function defaultText(value: ColumnDefault, form: ColumnForm): string {
  const base = baseOf(form)
  if (value.kind === 'now') return nowText[base] ?? 'current_timestamp(6)'
  if (value.kind === 'uuid') return '(uuid())'
  const { text } = value
  if (base === 'bool') return text === 'true' || text === '1' ? '1' : '0'
  if (/blob|binary/u.test(base) && /^\\x(?:[0-9a-f]{2})*$/u.test(text)) return `x'${text.slice(2)}'`
  if (base === 'timestamp' || base === 'datetime') return literal(isoText(text))
  return literal(text)
}

/** A date and time as the server reads it: in UTC, without a time zone. */
function isoText(text: string): string {
  const isZoned = /(?:z|[+-]\d\d:?\d\d)$/iu.test(text)
  const time = isZoned ? new Date(text) : null
  if (time === null) return text.replace('T', ' ')
  if (Number.isNaN(time.getTime())) throw invalidPayload('A default does not fit its type')
  return time.toISOString().replace('T', ' ').replace('Z', '')
}

const texts = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'set'])
const whole = /^(?:tinyint|smallint|mediumint|int|bigint)(?: unsigned)?$/u
const isNumber = (base: string) => whole.test(base) || ['decimal', 'float', 'double', 'year', 'bit'].includes(base)
const isTimestamp = (base: string) => ['date', 'time', 'datetime', 'timestamp'].includes(base)

/** How stored values become values of another type: updates before and after the server converts them. */
export interface Conversion {
  readonly before: string | null
  readonly after: string | null
  /** An intermediate type, where the server cannot convert directly. */
  readonly via: string | null
  /** Whether converting back restores the original values. */
  readonly isLossless: boolean
}

const TRUE = `('true', 't', 'yes', 'y', 'on', '1')`

export function conversion(
  from: DatabaseColumn,
  to: ColumnForm,
  { hasUuidType }: Pick<Capabilities, 'hasUuidType'>,
): Conversion {
  const column = quoted(from.name)
  const base = baseOf(to)
  const plain: Conversion = { before: null, after: null, via: null, isLossless: false }
  if (base === 'bool' && texts.has(from.baseType))
    return { ...plain, before: `if(lower(trim(${column})) in ${TRUE}, '1', '0')` }
  if (base === 'bool' && isNumber(from.baseType)) return { ...plain, before: `if(${column} <> 0, 1, 0)` }
  if (from.baseType === 'bool' && texts.has(base))
    return { ...plain, after: `case ${column} when '1' then 'true' when '0' then 'false' else ${column} end` }
  if (isApart(from.baseType, base)) return { ...plain, via: 'varchar(64)' }
  if (base === 'uuid' && !hasUuidType) return { ...plain, after: spelledUuid(column) }
  return { ...plain, isLossless: isWider(from, to, base) }
}

const isValue = (base: string) => base === 'bool' || isNumber(base) || isTimestamp(base)

/** The server cannot convert between uuids and these types, even without any values. */
const isApart = (from: string, to: string): boolean =>
  (from === 'uuid' && isValue(to)) || (to === 'uuid' && isValue(from))

/** Lower case with dashes, as the uuid type prints it. */
const spelledUuid = (column: string): string =>
  [9, 14, 19, 24].reduce((text, at) => `insert(${text}, ${at}, 0, '-')`, `lower(replace(${column}, '-', ''))`)

function isWider(from: DatabaseColumn, to: ColumnForm, base: string): boolean {
  if (texts.has(from.baseType) && base === 'longtext') return true
  if (from.baseType === 'varchar' && base === 'varchar')
    return (to.maxLength ?? USUAL_LENGTH) >= (from.maxLength ?? Infinity)
  // The server refuses whole numbers that do not fit, so all others keep their value.
  return whole.test(from.baseType) && (whole.test(base) || base === 'longtext' || base === 'varchar')
}

export interface Misfit {
  readonly kind: 'too-long' | 'out-of-range' | 'inconvertible'
  /** True for the rows that cannot be converted. */
  readonly condition: string
}

const ranges: Readonly<Record<string, readonly [string, string]>> = {
  int: ['-2147483648', '2147483647'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
}

const patterns: Readonly<Record<string, string>> = {
  int: '^ *[+-]?[0-9]+ *$',
  bigint: '^ *[+-]?[0-9]+ *$',
  decimal: '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$',
  double: '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$',
  uuid: '^[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}$',
  bool: '^ *([tT]([rR]([uU][eE]?)?)?|[fF]([aA]([lL]([sS][eE]?)?)?)?|[yY]([eE][sS]?)?|[nN][oO]?|[oO][nN]|[oO][fF][fF]?|1|0) *$',
}

/** The rows that prevent a conversion. */
export function misfits(from: DatabaseColumn, to: ColumnForm): Misfit | null {
  const column = quoted(from.name)
  const base = baseOf(to)
  if (base === 'varchar' || base === 'char') {
    const printed = from.baseType === 'bool' ? `if(${column} = 1, 'true', 'false')` : column
    return { kind: 'too-long', condition: `char_length(${printed}) > ${limit(to.maxLength ?? USUAL_LENGTH)}` }
  }
  if (texts.has(base)) return null
  const range = ranges[base]
  if (isNumber(from.baseType) && range !== undefined)
    return { kind: 'out-of-range', condition: `not (round(${column}) between ${range[0]} and ${range[1]})` }
  if (isNumber(from.baseType) && base === 'decimal') {
    const [precision, scale] = digitsOf(to)
    const most = `1${'0'.repeat(Math.max(0, precision - scale))}`
    return { kind: 'out-of-range', condition: `abs(round(${column}, ${scale})) >= ${most}` }
  }
  const isSet = `${column} is not null`
  if (texts.has(from.baseType) || from.baseType === 'json') {
    if (base === 'json') return { kind: 'inconvertible', condition: `${isSet} and not json_valid(${column})` }
    if (isTimestamp(base)) {
      const kind = base === 'timestamp' ? 'datetime' : base
      return { kind: 'inconvertible', condition: `${isSet} and cast(${column} as ${kind}) is null` }
    }
    const pattern = patterns[base]
    if (pattern === undefined) return null
    const fits = `${column} regexp ${literal(pattern)}`
    const isInside =
      range === undefined ? fits : `(${fits} and cast(${column} as decimal(65)) between ${range[0]} and ${range[1]})`
    return { kind: 'inconvertible', condition: `${isSet} and not ${isInside}` }
  }
  const isStrange =
    base === 'uuid' || isApart(from.baseType, base) || (isTimestamp(base) && !isTimestamp(from.baseType))
  return isStrange && from.baseType !== base ? { kind: 'inconvertible', condition: isSet } : null
}
