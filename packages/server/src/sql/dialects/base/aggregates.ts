import type { AggregateFunction } from '@tain/contract'
import type { Dialect, TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'

type Aggregates = Readonly<Record<AggregateFunction, (values: Sql, column: TypedColumn | null) => Sql>>

const standard: Aggregates = {
  count: (values) => sql`count(${values})`,
  countDistinct: (values) => sql`count(distinct ${values})`,
  countAll: () => sql`count(*)`,
  sum: (values) => sql`sum(${values})`,
  sumDistinct: (values) => sql`sum(distinct ${values})`,
  avg: (values) => sql`avg(${values})`,
  avgDistinct: (values) => sql`avg(distinct ${values})`,
  min: (values) => sql`min(${values})`,
  max: (values) => sql`max(${values})`,
}

/** Aggregates as in the SQL standard, except those that a database computes differently. */
export function createAggregate(own: Partial<Aggregates> = {}): Dialect['aggregate'] {
  const aggregates: Aggregates = { ...standard, ...own }
  return (fn, values, column) => aggregates[fn](values, column)
}

export const standardAggregate = createAggregate()
