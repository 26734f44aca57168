import { operators, type Operator } from '@tain/contract'
import type { BoundFilter, BoundQuery, Mask } from '../query/bound.ts'
import type { JsonCondition } from '../query/query.ts'
import type { Dialect } from '../sql/dialect.ts'
import { allOf, anyOf, column, no, sql, yes, type Sql } from '../sql/sql.ts'
import { typed } from '../schema/typed-column.ts'
import { columnOf, joinToAny, joinToMany, joinToOne, masked, valueOf, type Plan } from './columns.ts'

export function startPlan(dialect: Dialect, cut: number | null = null): Plan {
  let count = 0
  const plan: Plan = {
    dialect,
    cut,
    name() {
      count += 1
      return `t${count}`
    },
    condition: (filter, source) => planFilter(filter, source, plan),
  }
  return plan
}

/** A bound filter as a condition on the row with the alias `source`. Relations become EXISTS, never joins. */
export function planFilter(filter: BoundFilter, source: string, plan: Plan): Sql {
  switch (filter.kind) {
    case 'constant':
      return filter.value ? yes : no
    case 'and':
      return allOf(filter.parts.map((part) => planFilter(part, source, plan)))
    case 'or':
      return anyOf(filter.parts.map((part) => planFilter(part, source, plan)))
    case 'test': {
      const onEmptyList = emptyListResult(filter)
      if (onEmptyList !== null) return onEmptyList ? yes : no
      const tested = columnOf(filter.value)
      const operand = tested === null ? plan.dialect.numberOperand : plan.dialect.operandOf(tested)
      const left = valueOf(filter.value, source, plan)
      return plan.dialect.test({ left, column: tested, operator: filter.operator, parameter: filter.operand, operand })
    }
    case 'json':
      return planJson(filter.condition, masked(column(source, filter.field.name), filter.mask, source, plan), plan)
    case 'one':
      return planToOne(filter, source, plan)
    case 'many': {
      const child = plan.name()
      const { from, on } = joinToMany(filter.relation, source, child, plan)
      const where = allOf([on, ...mayFollow(filter, source, plan), planFilter(filter.filter, child, plan)])
      const matching = sql`exists (select 1 from ${from} where ${where})`
      return filter.quantifier === 'some' ? matching : sql`not ${matching}`
    }
    case 'any': {
      const child = plan.name()
      const { from, isOurs, hasKey } = joinToAny(filter.relation, filter.target, source, child, plan)
      const matches = planFilter(filter.filter, child, plan)
      const where = allOf([isOurs, ...mayFollow(filter, source, plan)])
      return sql`(${where} and exists (select 1 from ${from} where ${allOf([hasKey, matches])}))`
    }
  }
}

/** A relation that the caller may not follow from this row matches no rows. */
const mayFollow = ({ mask }: { readonly mask: Mask }, source: string, plan: Plan): Sql[] =>
  mask === null ? [] : [planFilter(mask, source, plan)]

/** The result of a test with an empty list; null for any other test. */
function emptyListResult({ operator, operand }: BoundFilter & { kind: 'test' }): boolean | null {
  const row = operators[operator]
  return operand === null && row.operand === 'list' ? row.onEmptyList : null
}

function holdsWhenMissing(operator: Operator): boolean {
  const row = operators[operator]
  return row.operand === 'flag' && row.whenMissing
}

/** Behaves like an outer join: where there is no related row, its columns are null and it has no children. */
function planToOne(filter: BoundFilter & { kind: 'one' }, source: string, plan: Plan): Sql {
  const target = plan.name()
  const { from, on: joined } = joinToOne(filter.relation, source, target, plan)
  const on = allOf([joined, ...mayFollow(filter, source, plan)])
  const matching = sql`exists (select 1 from ${from} where ${allOf([on, planFilter(filter.filter, target, plan)])})`
  if (!holdsOnMissing(filter.filter)) return matching
  return anyOf([matching, sql`not exists (select 1 from ${from} where ${on})`])
}

/** Whether a row of nulls without children satisfies a filter. */
function holdsOnMissing(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'constant':
      return filter.value
    case 'and':
      return filter.parts.every(holdsOnMissing)
    case 'or':
      return filter.parts.some(holdsOnMissing)
    case 'test':
      return emptyListResult(filter) ?? (filter.value.kind !== 'count' && holdsWhenMissing(filter.operator))
    case 'many':
      return filter.quantifier === 'none'
    case 'one':
      return holdsOnMissing(filter.filter)
    case 'json':
    case 'any':
      return false
  }
}

function planJson(condition: JsonCondition, left: Sql, plan: Plan): Sql {
  if (condition.kind === 'test') {
    return plan.dialect.testJson({
      left,
      path: condition.path,
      operator: condition.operator,
      parameter: condition.operand,
      isNumeric: condition.isNumeric,
    })
  }
  const parts = condition.parts.map((part) => planJson(part, left, plan))
  return condition.kind === 'and' ? allOf(parts) : anyOf(parts)
}

/** Filter and search of a node combined; a search without searchable fields matches no rows. */
export function planConditions({ filter, search }: BoundQuery, source: string, plan: Plan): Sql[] {
  const conditions: Sql[] = []
  if (filter !== null) conditions.push(planFilter(filter, source, plan))
  if (search !== null) {
    conditions.push(
      anyOf(
        search.fields.map(({ field, mask }) =>
          plan.dialect.search(masked(column(source, field.name), mask, source, plan), typed(field), search.term),
        ),
      ),
    )
  }
  return conditions
}
