import { aggregates, type AggregateFunction, type FieldFunction } from '@tain/contract'
import type { Parameter } from '../../../lib/parameter.ts'
import type { TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { createAggregate } from '../base/aggregates.ts'
import { partOf } from './moments.ts'
import { comparableOf, jsonPath } from './operators.ts'

const part =
  (name: string) =>
  (expression: Sql, { column }: TypedColumn) =>
    partOf(name, expression, column)

const functions: Readonly<
  Record<FieldFunction, (expression: Sql, column: TypedColumn, path: Parameter | null) => Sql>
> = {
  year: part('year'),
  month: part('month'),
  week: part('week'),
  day: part('day'),
  weekday: part('weekday'),
  hour: part('hour'),
  minute: part('minute'),
  second: part('second'),
  count: (expression) => sql`tain_json_length(${expression})`,
  json: (expression, _, path) => (path === null ? expression : sql`tain_json_at(${expression}, ${jsonPath(path)})`),
}

export const call = (fn: FieldFunction, expression: Sql, column: TypedColumn, path: Parameter | null): Sql =>
  functions[fn](expression, column, path)

interface Kind {
  readonly sum: (values: Sql) => Sql
  readonly average: (values: Sql) => Sql
  readonly least: (values: Sql) => Sql
  readonly greatest: (values: Sql) => Sql
}

const plain = { least: (values: Sql) => sql`min(${values})`, greatest: (values: Sql) => sql`max(${values})` }

const integer: Kind = {
  ...plain,
  sum: (values) => sql`sum(${values})`,
  average: (values) => sql`tain_quotient(sum(${values}), count(${values}))`,
}
/** Sums are exact to the last digit. */
const exact: Kind = {
  ...plain,
  sum: (values) => sql`tain_sum(${values})`,
  average: (values) => sql`tain_average(${values})`,
}
const exactText: Kind = {
  ...exact,
  least: (values) => sql`tain_least(${values})`,
  greatest: (values) => sql`tain_greatest(${values})`,
}
const binary: Kind = {
  ...plain,
  sum: (values) => sql`tain_float_sum(${values})`,
  average: (values) => sql`tain_float_sum(${values}) / count(${values})`,
}

/** Adds values of any type, as the database itself does. */
const untyped: Kind = {
  ...plain,
  sum: (values) => sql`sum(${values})`,
  average: (values) => sql`avg(${values})`,
}

function kindOf(column: TypedColumn | null): Kind {
  if (column?.column.isUntyped === true) return untyped
  if (column?.type === 'float') return binary
  if (column?.type === 'integer') return integer
  return column?.column.baseType === 'decimal_text' ? exactText : exact
}

/** Numbers with all the decimals that their column has. */
const digitsOf = (values: Sql, column: TypedColumn | null): Sql => {
  const scale = column?.type === 'decimal' ? column.column.numericScale : null
  return scale === null || scale === undefined ? values : sql`tain_decimal(${values}, ${sql.lit(scale)})`
}

const timestampsAlike = (values: Sql, column: TypedColumn | null): Sql =>
  column?.type === 'timestamp' || column?.type === 'dateTime' ? comparableOf(values, column) : values

export const aggregate = createAggregate({
  countDistinct: (values, column) => sql`count(distinct ${column === null ? values : comparableOf(values, column)})`,
  sum: (values, column) => kindOf(column).sum(digitsOf(values, column)),
  sumDistinct: (values, column) => kindOf(column).sum(sql`distinct ${digitsOf(values, column)}`),
  avg: (values, column) => kindOf(column).average(digitsOf(values, column)),
  avgDistinct: (values, column) => kindOf(column).average(sql`distinct ${digitsOf(values, column)}`),
  min: (values, column) => kindOf(column).least(timestampsAlike(values, column)),
  max: (values, column) => kindOf(column).greatest(timestampsAlike(values, column)),
})

/** Numbers stored as text sort by a separate key. */
export function aggregateKey(fn: AggregateFunction, values: Sql, column: TypedColumn | null): Sql {
  const value = aggregate(fn, values, column)
  const { input } = aggregates[fn]
  const isText = column?.column.baseType === 'decimal_text' && input === 'ordered'
  return isText || (input === 'number' && column?.type !== 'float') ? sql`tain_number(${value})` : value
}
