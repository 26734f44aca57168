import type { Parameter } from '../../../lib/parameter.ts'
import type { FieldFunction } from '@tain/contract'
import type { TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { jsonPath } from './operators.ts'
import { formOf } from './values.ts'

const part = (name: Sql) => (expression: Sql) => sql`extract(${name} from ${expression})::int`

const isBinaryJson = ({ column }: TypedColumn) => column.baseType === 'jsonb'

function countOf(expression: Sql, column: TypedColumn): Sql {
  if (column.column.elementType !== null) return sql`cardinality(${expression})`
  const document = isBinaryJson(column) ? expression : sql`${expression}::jsonb`
  return sql`case when jsonb_typeof(${document}) = 'array' then jsonb_array_length(${document}) end`
}

function insideOf(expression: Sql, column: TypedColumn, path: Parameter | null): Sql {
  const isDocument = column.column.baseType === 'json' || isBinaryJson(column)
  const value = column.column.elementType === null ? expression : formOf(column).json(expression)
  const document = isDocument ? expression : sql`to_jsonb(${value})`
  return path === null ? document : sql`(${document} #> ${jsonPath(path)})`
}

/** Sessions run in UTC, so the parts of a timestamp are in UTC. */
const functions: Readonly<
  Record<FieldFunction, (expression: Sql, column: TypedColumn, path: Parameter | null) => Sql>
> = {
  year: part(sql`year`),
  month: part(sql`month`),
  week: part(sql`week`),
  day: part(sql`day`),
  weekday: part(sql`dow`),
  hour: part(sql`hour`),
  minute: part(sql`minute`),
  second: (expression) => sql`floor(extract(second from ${expression}))::int`,
  count: countOf,
  json: insideOf,
}

export const call = (fn: FieldFunction, expression: Sql, column: TypedColumn, path: Parameter | null): Sql =>
  functions[fn](expression, column, path)
