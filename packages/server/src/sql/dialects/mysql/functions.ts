import type { Parameter } from '../../../lib/parameter.ts'
import type { FieldFunction } from '@tain/contract'
import type { TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { createAggregate } from '../base/aggregates.ts'
import { jsonAt, sortable } from './operators.ts'
import { hasZeroDate } from './types.ts'
import { documentForm, labelOf } from './values.ts'

/** Sessions run in UTC, so the parts of a timestamp are in UTC. */
const functions: Readonly<Record<FieldFunction, (expression: Sql, path: Parameter | null) => Sql>> = {
  year: (expression) => sql`year(${expression})`,
  month: (expression) => sql`month(${expression})`,
  week: (expression) => sql`week(${expression}, 3)`,
  day: (expression) => sql`dayofmonth(${expression})`,
  weekday: (expression) => sql`(dayofweek(${expression}) - 1)`,
  hour: (expression) => sql`hour(${expression})`,
  minute: (expression) => sql`minute(${expression})`,
  second: (expression) => sql`second(${expression})`,
  count: (expression) => sql`case when json_type(${expression}) = 'ARRAY' then json_length(${expression}) end`,
  json: (expression, path) => (path === null ? expression : jsonAt(expression, path)),
}

export function call(fn: FieldFunction, expression: Sql, { column }: TypedColumn, path: Parameter | null): Sql {
  if (column.baseType === 'json') return functions[fn](documentForm(column).json(expression), path)
  return functions[fn](hasZeroDate(column) ? sql`nullif(${expression}, 0)` : expression, path)
}

/**
 * Position of the first digit relative to the decimal point, in groups of four digits, as PostgreSQL stores numbers.
 */
const weight = (value: Sql): Sql =>
  sql`case when ${value} >= 1 then (char_length(truncate(${value}, 0)) - 1) div 4 when ${value} >= 0.0001 then -1 when ${value} >= 0.00000001 then -2 else -3 end`

const firstDigits = (value: Sql): Sql => sql`truncate(${value} / power(10, 4 * (${weight(value)})), 0)`

/**
 * An average with as many digits as PostgreSQL returns: sixteen significant digits, counted in groups of four, and at
 * least as many decimals as the values have.
 */
function exactAverage(sum: Sql, count: Sql, scale: number): Sql {
  const size = sql`abs(${sum})`
  const quotientWeight = sql`(${weight(size)} - (${weight(count)}) - (${firstDigits(size)} <= ${firstDigits(count)}))`
  const digits = sql`greatest(if(${sum} = 0, 16, 16 - 4 * ${quotientWeight}), ${sql.lit(scale)}, 0)`
  const text = sql`cast(round(cast(${sum} as decimal(65, 20)) / ${count}, ${digits}) as char)`
  return sql`left(${text}, locate('.', ${text}) + ${digits} - (${digits} = 0))`
}

const isExact = (column: TypedColumn | null) => column !== null && !/^(float|double)$/u.test(column.column.baseType)

const average =
  (distinct: Sql) =>
  (expression: Sql, column: TypedColumn | null): Sql =>
    isExact(column)
      ? exactAverage(
          sql`sum(${distinct}${expression})`,
          sql`count(${distinct}${expression})`,
          column?.column.numericScale ?? 0,
        )
      : sql`avg(${distinct}${expression})`

/** The server's order of labels and uuids differs, see sortable. */
const extreme =
  (fn: Sql) =>
  (expression: Sql, column: TypedColumn | null): Sql => {
    const value = sql`${fn}(${sortable(expression, column)})`
    const labels = column?.column.baseType === 'enum' ? column.column.enumValues : null
    return labels === null ? value : labelOf(value, labels)
  }

export const aggregate = createAggregate({
  avg: average(sql``),
  avgDistinct: average(sql`distinct `),
  min: extreme(sql`min`),
  max: extreme(sql`max`),
})

/** Averages are texts with a defined number of digits, and texts sort differently. */
export const aggregateKey = createAggregate({
  min: (values, column) => sql`min(${sortable(values, column)})`,
  max: (values, column) => sql`max(${sortable(values, column)})`,
})
