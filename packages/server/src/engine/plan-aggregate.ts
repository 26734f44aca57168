import { aggregates } from '@tain/contract'
import type { BoundAggregate, BoundQuery } from '../query/bound.ts'
import type { Dialect, JsonMember, NestedRows, TypedColumn, ValueForm } from '../sql/dialect.ts'
import { compared } from '../sql/compared.ts'
import { allOf, column, list, sql, type Sql } from '../sql/sql.ts'
import { typed } from '../schema/typed-column.ts'
import { columnOf, isInsideJson, masked, pathValue, type Plan } from './columns.ts'
import { planConditions } from './plan-filter.ts'
import { orderByTerms, type SortTerm } from './sort-terms.ts'

/** A value in the row of a group, under one or more keys: `count`, `avg.views`, `author.country`. */
export interface GroupMember {
  readonly keys: readonly string[]
  readonly value: Sql
  readonly form: ValueForm
}

const groupName = (index: number) => `g${index}`
const inputName = (index: number) => `a${index}`

/** Builds the SQL of group values and aggregate functions. */
interface GroupValues {
  readonly group: (index: number) => Sql
  readonly fn: (index: number, call: Dialect['aggregate']) => Sql
}

/** The values as columns of the inner select with the alias `source`. */
const fromRows = (aggregate: BoundAggregate, source: string): GroupValues => ({
  group: (index) => column(source, groupName(index)),
  fn: (index, call) => functionOf(aggregate, index, () => column(source, inputName(index)), call),
})

export const groupMembers = (aggregate: BoundAggregate, source: string, plan: Plan): GroupMember[] =>
  membersOf(aggregate, fromRows(aggregate, source), plan)

function membersOf(aggregate: BoundAggregate, values: GroupValues, plan: Plan): GroupMember[] {
  const groups = aggregate.groups.map(({ path, keys }, index): GroupMember => {
    const stored = columnOf(path.value)
    const { forms, sortKeyForm } = plan.dialect
    const ofFunction = isInsideJson(path.value) ? forms.jsonKey : forms.integer
    return { keys, value: values.group(index), form: stored === null ? ofFunction : sortKeyForm(stored) }
  })
  const several = new Set(aggregate.functions.flatMap(({ fn, field }) => (field === null ? [] : [fn])))
  const functions = aggregate.functions.map(({ fn, field }, index): GroupMember => {
    const value = values.fn(index, plan.dialect.aggregate)
    if (field === null) return { keys: several.has(fn) ? [fn, '*'] : [fn], value, form: plan.dialect.forms.text }
    const form = aggregates[fn].result === 'same' ? plan.dialect.formOf(typed(field)) : plan.dialect.forms.text
    return { keys: [fn, field.name], value, form }
  })
  return [...groups, ...functions]
}

function functionOf(aggregate: BoundAggregate, index: number, input: () => Sql, call: Dialect['aggregate']): Sql {
  const entry = aggregate.functions[index]
  if (entry === undefined || entry.field === null) return sql`count(*)`
  return call(entry.fn, input(), typed(entry.field))
}

const groupTerms = ({ sort }: BoundQuery, { group, fn }: GroupValues, { dialect }: Plan): readonly SortTerm[] =>
  sort.flatMap((term) =>
    term.kind === 'path'
      ? []
      : [
          {
            value: term.kind === 'group' ? group(term.index) : fn(term.index, dialect.aggregateKey),
            isDescending: term.descending,
            mayBeNull: true,
          },
        ],
  )

/** The groups of a node. The inner select computes the inputs per row; the aggregate functions run over it. */
export function groupRows(
  query: BoundQuery,
  aggregate: BoundAggregate,
  base: string,
  from: Sql,
  on: readonly Sql[],
  plan: Plan,
): { source: string; rows: NestedRows; terms: readonly SortTerm[] } {
  const source = plan.name()
  const inputs = [
    ...aggregate.groups.map(
      ({ path }, index) => sql`${pathValue(path, base, false, plan)} as ${sql.id(groupName(index))}`,
    ),
    ...aggregate.functions.flatMap(({ field, mask }, index) =>
      field === null ? [] : [sql`${masked(column(base, field.name), mask, base, plan)} as ${sql.id(inputName(index))}`],
    ),
  ]
  const where = allOf([...on, ...planConditions(query, base, plan)])
  const rows = sql`from (select ${inputs.length === 0 ? sql`1` : list(inputs)} from ${from} where ${where}) as ${sql.id(source)}`
  const groups = aggregate.groups.map((_, index) => column(source, groupName(index)))
  const grouped = groups.length === 0 ? rows : sql`${rows} group by ${list(groups)}`
  const terms = groupTerms(query, fromRows(aggregate, source), plan)
  const order = orderByTerms(terms, plan.dialect)
  const limit = query.limit < 0 ? null : query.limit
  return { source, rows: { clause: grouped, order, limit, offset: query.offset }, terms }
}

/** The rows of a nested node; each call uses new table aliases. */
export type NestedSource = () => { readonly base: string; readonly from: Sql; readonly on: readonly Sql[] }

/** Groups inside a nested list, as JSON objects. */
export function nestedGroups(query: BoundQuery, aggregate: BoundAggregate, source: NestedSource, plan: Plan): Sql {
  if (!plan.dialect.seesOuterRow) return groupsInPlace(query, aggregate, source, plan)
  const { base, from, on } = source()
  const { source: grouped, rows } = groupRows(query, aggregate, base, from, on, plan)
  const members = objectOf(groupMembers(aggregate, grouped, plan), 0, plan)
  return plan.dialect.jsonRows(members, rows)
}

/**
 * For databases whose derived tables cannot reference the outer row. Every row returns the object of its group, with
 * the functions computed by subselects over the same group, and DISTINCT removes duplicate objects.
 */
function groupsInPlace(query: BoundQuery, aggregate: BoundAggregate, source: NestedSource, plan: Plan): Sql {
  const { base, from, on } = source()
  const groupIn = (row: string, index: number): Sql => {
    const group = aggregate.groups[index]
    if (group === undefined) throw new TypeError('there is no such group')
    return pathValue(group.path, row, false, plan)
  }
  const values: GroupValues = {
    group: (index) => groupIn(base, index),
    fn: (index, call) => {
      const inner = source()
      const same = aggregate.groups.map(({ path }, at) =>
        isSame(groupIn(inner.base, at), groupIn(base, at), columnOf(path.value)),
      )
      const where = allOf([...inner.on, ...planConditions(query, inner.base, plan), ...same])
      const value = functionOf(aggregate, index, () => inputOf(aggregate, index, inner.base, plan), call)
      return sql`(select ${value} from ${inner.from} where ${where})`
    },
  }
  const members = objectOf(membersOf(aggregate, values, plan), 0, plan)
  const where = allOf([...on, ...planConditions(query, base, plan)])
  const clause = aggregate.groups.length === 0 ? sql`from (select 1) as alone` : sql`from ${from} where ${where}`
  const limit = query.limit < 0 ? null : query.limit
  const order = aggregate.groups.length === 0 ? [] : orderByTerms(groupTerms(query, values, plan), plan.dialect)
  return plan.dialect.jsonRows(members, { clause, order, limit, offset: query.offset, isDistinct: true })
}

const isSame = (left: Sql, right: Sql, of: TypedColumn | null): Sql =>
  sql`(${compared(left, '=', right, of?.column ?? null)} or (${left} is null and ${right} is null))`

function inputOf(aggregate: BoundAggregate, index: number, row: string, plan: Plan): Sql {
  const entry = aggregate.functions[index]
  if (entry === undefined || entry.field === null) throw new TypeError('there is no such input')
  return masked(column(row, entry.field.name), entry.mask, row, plan)
}

/** Members that share their first key become one object under it. */
function objectOf(members: readonly GroupMember[], depth: number, plan: Plan): JsonMember[] {
  const byKey = new Map<string, GroupMember[]>()
  for (const member of members) {
    const key = member.keys[depth] ?? ''
    const same = byKey.get(key)
    if (same === undefined) byKey.set(key, [member])
    else same.push(member)
  }
  return [...byKey].map(([name, group]) => {
    const [only] = group
    const isLeaf = only !== undefined && only.keys.length === depth + 1
    const value = isLeaf ? only.form.json(only.value) : plan.dialect.jsonObject(objectOf(group, depth + 1, plan))
    return { name, isCatalogueName: false, value }
  })
}
