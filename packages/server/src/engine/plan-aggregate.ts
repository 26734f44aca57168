import { aggregates } from '@tain/contract'
import type { BoundAggregate, BoundQuery } from '../query/bound.ts'
import type { JsonMember, ValueForm } from '../sql/dialect.ts'
import { rowCount } from '../sql/raw.ts'
import { allOf, column, list, sql, type Sql } from '../sql/sql.ts'
import { parameter } from '../sql/bind.ts'
import { columnOf, isInsideJson, pathValue, typed, type Plan } from './columns.ts'
import { planConditions } from './plan-filter.ts'

/** A value of a group's row, under one or more keys: `count`, `avg.views`, `author.country`. */
export interface GroupMember {
  readonly keys: readonly string[]
  readonly value: Sql
  readonly form: ValueForm
}

const groupName = (index: number) => `g${index}`
const inputName = (index: number) => `a${index}`

/** Values of groups and functions, seen from outside the grouped rows. */
export function groupMembers(aggregate: BoundAggregate, source: string, plan: Plan): GroupMember[] {
  const groups = aggregate.groups.map(({ path, keys }, index): GroupMember => {
    const stored = columnOf(path.value)
    const { forms, formOf } = plan.dialect
    const ofFunction = isInsideJson(path.value) ? forms.json : forms.integer
    return { keys, value: column(source, groupName(index)), form: stored === null ? ofFunction : formOf(stored) }
  })
  const several = new Set(aggregate.functions.flatMap(({ fn, field }) => (field === null ? [] : [fn])))
  const functions = aggregate.functions.map(({ fn, field }, index): GroupMember => {
    const value = functionValue(aggregate, index, source, plan)
    if (field === null) return { keys: several.has(fn) ? [fn, '*'] : [fn], value, form: plan.dialect.forms.text }
    const form = aggregates[fn].result === 'same' ? plan.dialect.formOf(typed(field)) : plan.dialect.forms.text
    return { keys: [fn, field.name], value, form }
  })
  return [...groups, ...functions]
}

function functionValue(aggregate: BoundAggregate, index: number, source: string, plan: Plan): Sql {
  const entry = aggregate.functions[index]
  if (entry === undefined || entry.field === null) return sql`count(*)`
  return plan.dialect.aggregate(entry.fn, column(source, inputName(index)))
}

/** The groups of a node: what is grouped is computed per row inside, the functions run over it outside. */
export function groupRows(
  query: BoundQuery,
  aggregate: BoundAggregate,
  base: string,
  from: Sql,
  on: readonly Sql[],
  plan: Plan,
): { source: string; clause: Sql } {
  const source = plan.name()
  const inputs = [
    ...aggregate.groups.map(
      ({ path }, index) => sql`${pathValue(path, base, false, plan)} as ${sql.id(groupName(index))}`,
    ),
    ...aggregate.functions.flatMap(({ field }, index) =>
      field === null ? [] : [sql`${column(base, field.name)} as ${sql.id(inputName(index))}`],
    ),
  ]
  const where = allOf([...on, ...planConditions(query, base, plan)])
  const rows = sql`from (select ${inputs.length === 0 ? sql`1` : list(inputs)} from ${from} where ${where}) as ${sql.id(source)}`
  const groups = aggregate.groups.map((_, index) => column(source, groupName(index)))
  const grouped = groups.length === 0 ? rows : sql`${rows} group by ${list(groups)}`
  const order = query.sort.flatMap((sort) => {
    if (sort.kind === 'path') return []
    const value =
      sort.kind === 'group' ? column(source, groupName(sort.index)) : functionValue(aggregate, sort.index, source, plan)
    return [plan.dialect.orderBy(value, sort.descending)]
  })
  const ordered = order.length === 0 ? grouped : sql`${grouped} order by ${list(order)}`
  const limited = query.limit < 0 ? ordered : sql`${ordered} limit ${rowCount(query.limit)}`
  return {
    source,
    clause: query.offset === null ? limited : sql`${limited} offset ${parameter(query.offset, String)}::bigint`,
  }
}

/** Groups inside a nested list: the same rows as JSON objects. */
export function nestedGroups(
  query: BoundQuery,
  aggregate: BoundAggregate,
  base: string,
  from: Sql,
  on: readonly Sql[],
  plan: Plan,
): Sql {
  const { source, clause } = groupRows(query, aggregate, base, from, on, plan)
  const members = objectOf(groupMembers(aggregate, source, plan), 0, plan)
  return plan.dialect.jsonRows(members, clause)
}

/** Members that share their first key become one object under it. */
function objectOf(members: readonly GroupMember[], depth: number, plan: Plan): JsonMember[] {
  const byKey = new Map<string, GroupMember[]>()
  for (const member of members) {
    const key = member.keys[depth] ?? ''
    byKey.set(key, [...(byKey.get(key) ?? []), member])
  }
  return [...byKey].map(([name, group]) => {
    const [only] = group
    const isLeaf = only !== undefined && only.keys.length === depth + 1
    const value = isLeaf ? only.form.json(only.value) : plan.dialect.jsonObject(objectOf(group, depth + 1, plan))
    return { name, isCatalogueName: false, value }
  })
}
