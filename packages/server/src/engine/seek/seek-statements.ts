import type { Authorized } from '../../access/authorized.ts'
import type { BoundQuery } from '../../query/bound.ts'
import { typed } from '../../schema/typed-column.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { SampledRows } from '../../sql/distribution.ts'
import { allOf, column, list, sql, type Sql } from '../../sql/sql.ts'
import { sourceOf, type Plan } from '../columns.ts'
import { cursorColumns, fromValue, type SortPath } from '../cursor.ts'
import { planConditions, startPlan } from '../plan-filter.ts'
import { orderBy } from '../plan-node.ts'
import { KEYS_PARAMETER } from '../plan-read.ts'

/** Numbers of the parameters that hold an offset and a value of the first sort column. */
export const OFFSET_PARAMETER = -501
export const VALUE_PARAMETER = -502

/** A plan and the rows that a caller sees, under an alias. */
interface Seen {
  readonly plan: Plan
  readonly source: string
  readonly from: Sql
  readonly conditions: readonly Sql[]
}

function seenRows(query: BoundQuery, dialect: Dialect): Seen {
  const plan = startPlan(dialect)
  const source = plan.name()
  const from = sql`${sourceOf(query.collection, plan)} as ${sql.id(source)}`
  return { plan, source, from, conditions: planConditions(query, source, plan) }
}

/** The rows that the caller sees, for a sample within them. */
export function sampledRows(query: Authorized<BoundQuery>, dialect: Dialect): SampledRows {
  const { source, from, conditions } = seenRows(query, dialect)
  return { alias: source, from, where: allOf(conditions) }
}

/** Whether a query leaves out rows of its table. */
export const isFiltered = ({ filter, search }: BoundQuery) => filter !== null || search !== null

/** The rows that the caller sees, without their values. */
export function rowsStatement(query: Authorized<BoundQuery>, dialect: Dialect): Sql {
  const { from, conditions } = seenRows(query, dialect)
  return sql`select 1 as one from ${from} where ${allOf(conditions)}`
}

/** The rows that the caller sees, or one more than `most`. */
export function countStatement(query: Authorized<BoundQuery>, most: number, dialect: Dialect): Sql {
  const { plan, from, conditions } = seenRows(query, dialect)
  const rows = sql`select 1 as one from ${from} where ${allOf(conditions)}${dialect.window(most + 1, null)}`
  return sql`select count(*) from (${rows}) as ${sql.id(plan.name())}`
}

/** The sort values of the row at an offset, from the first row on or from a value of the first sort column on. */
export function rowStatement(query: Authorized<BoundQuery>, first: SortPath | null, dialect: Dialect): Sql {
  const { plan, source, from, conditions } = seenRows(query, dialect)
  const where = first === null ? conditions : [...conditions, fromValue(first, VALUE_PARAMETER, source, plan)]
  return sql`select ${list(cursorColumns(query.sort, source, plan))} from ${from} where ${allOf(where)}${ordered(query, source, plan)}${dialect.window(1, OFFSET_PARAMETER)}`
}

/** The sampled rows that the caller sees, in their order: the position in the sample, then the sort values. */
export function sampleStatement(query: Authorized<BoundQuery>, dialect: Dialect): Sql {
  const { plan, source, from, conditions } = seenRows(query, dialect)
  const keys = plan.name()
  const columns = query.collection.key.map(typed)
  const set = dialect.bulk.rowsOf({ columns, parameter: KEYS_PARAMETER }, keys)
  const on = dialect.bulk.matches(source, columns, keys)
  const shown = list([column(keys, 'n'), ...cursorColumns(query.sort, source, plan)])
  return sql`select ${shown} from ${set} join ${from} on ${on} where ${allOf(conditions)}${ordered(query, source, plan)}`
}

function ordered({ sort }: BoundQuery, source: string, plan: Plan): Sql {
  const order = orderBy(sort, source, plan)
  return order.length === 0 ? sql`` : sql` order by ${list(order)}`
}
