import type { FieldType } from '@tain/contract'
import type { ColumnForm, NativeType } from '../../ddl.ts'
import { sql, type Sql } from '../../sql.ts'
import { fieldTypeOfBase } from './types.ts'

type Limits = Pick<ColumnForm, 'maxLength' | 'precision' | 'scale'>

interface Native {
  readonly base: string
  readonly spelled: (limits: Limits) => Sql
  readonly limit?: 'length' | 'digits'
  readonly values?: NativeType['values']
}

function number(value: number): Sql {
  if (!Number.isSafeInteger(value) || value < -1000) throw new RangeError(`${value} is no limit`)
  return sql.lit(value)
}

const plain = (base: string, name: Sql, values?: NativeType['values']): Native => ({
  base,
  spelled: () => name,
  ...(values === undefined ? {} : { values }),
})

/** Types by their catalogue name: a column of these types can be recreated as introspection found it. */
const natives: Readonly<Record<string, Native>> = {
  smallint: plain('int2', sql`smallint`, 'number'),
  integer: plain('int4', sql`integer`, 'number'),
  bigint: plain('int8', sql`bigint`, 'number'),
  real: plain('float4', sql`real`, 'number'),
  'double precision': plain('float8', sql`double precision`, 'number'),
  numeric: {
    base: 'numeric',
    spelled: ({ precision, scale }) =>
      precision === null ? sql`numeric` : sql`numeric(${number(precision)}, ${number(scale ?? 0)})`,
    limit: 'digits',
    values: 'number',
  },
  'character varying': {
    base: 'varchar',
    spelled: ({ maxLength }) =>
      maxLength === null ? sql`character varying` : sql`character varying(${number(maxLength)})`,
    limit: 'length',
  },
  character: {
    base: 'bpchar',
    spelled: ({ maxLength }) => (maxLength === null ? sql`bpchar` : sql`character(${number(maxLength)})`),
    limit: 'length',
  },
  text: plain('text', sql`text`),
  name: plain('name', sql`name`),
  citext: plain('citext', sql`citext`),
  boolean: plain('bool', sql`boolean`, 'boolean'),
  date: plain('date', sql`date`),
  'time without time zone': plain('time', sql`time without time zone`),
  'time with time zone': plain('timetz', sql`time with time zone`),
  'timestamp without time zone': plain('timestamp', sql`timestamp without time zone`),
  'timestamp with time zone': plain('timestamptz', sql`timestamp with time zone`),
  interval: plain('interval', sql`interval`),
  json: plain('json', sql`json`, 'json'),
  jsonb: plain('jsonb', sql`jsonb`, 'json'),
  uuid: plain('uuid', sql`uuid`),
  bytea: plain('bytea', sql`bytea`),
  inet: plain('inet', sql`inet`),
  cidr: plain('cidr', sql`cidr`),
  macaddr: plain('macaddr', sql`macaddr`),
  macaddr8: plain('macaddr8', sql`macaddr8`),
  money: plain('money', sql`money`),
  xml: plain('xml', sql`xml`),
  tsvector: plain('tsvector', sql`tsvector`),
  point: plain('point', sql`point`),
  int4range: plain('int4range', sql`int4range`),
  int8range: plain('int8range', sql`int8range`),
  numrange: plain('numrange', sql`numrange`),
  daterange: plain('daterange', sql`daterange`),
  tsrange: plain('tsrange', sql`tsrange`),
  tstzrange: plain('tstzrange', sql`tstzrange`),
}

const noLimits: Limits = { maxLength: null, precision: null, scale: null }

function nativeOf(dataType: string): Native | null {
  if (Object.hasOwn(natives, dataType)) return natives[dataType] ?? null
  if (!dataType.endsWith('[]')) return null
  const element = dataType.slice(0, -2)
  const native = Object.hasOwn(natives, element) ? natives[element] : undefined
  if (native === undefined) return null
  return { base: `_${native.base}`, spelled: () => sql`${native.spelled(noLimits)}[]` }
}

export function nativeType(dataType: string): NativeType | null {
  const native = nativeOf(dataType)
  if (native === null) return null
  const isArray = dataType.endsWith('[]')
  const fieldType: FieldType = isArray ? 'json' : fieldTypeOfBase(native.base)
  return { fieldType, limit: native.limit ?? null, values: native.values ?? 'text' }
}

/** The internal name and the SQL of a type that is requested by its native name. */
export function nativeShape(dataType: string): readonly [baseType: string, spelled: (form: ColumnForm) => Sql] {
  const native = nativeOf(dataType)
  if (native === null) throw new TypeError(`there is no type to make of "${dataType}"`)
  return [native.base, native.spelled]
}
