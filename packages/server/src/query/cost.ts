import { invalidQuery } from '@tain/contract'
import type { BoundFilter, BoundPath, BoundQuery, BoundSelection, BoundToMany, BoundValue, Mask } from './bound.ts'
import type { JsonCondition } from './query.ts'

/** The costs counted for a query, and the setting that limits each of them. */
const kinds = {
  entries: { setting: 'MAX_QUERY_ENTRIES', what: 'entries in fields, sort, groupBy, aggregate, alias and deep' },
  conditions: { setting: 'MAX_QUERY_CONDITIONS', what: 'conditions' },
  values: { setting: 'MAX_QUERY_VALUES', what: 'values in lists' },
  nodes: { setting: 'MAX_QUERY_NODES', what: 'fields in the answer, wildcards expanded' },
  joins: { setting: 'MAX_QUERY_JOINS', what: 'relations to follow' },
  rows: { setting: 'MAX_QUERY_ROWS', what: 'rows times fields, as its limits allow' },
} as const

export type CostKind = keyof typeof kinds

/** The limit of each cost for one query. */
export type CostLimits = Readonly<Record<CostKind, number>>

export type Spend = (kind: CostKind, amount: number) => void

export const withoutLimit: Spend = () => undefined

function exceeded(kind: CostKind, most: number): never {
  const { setting, what } = kinds[kind]
  throw invalidQuery(`The query has more than ${most} ${what} (${setting})`)
}

/** Counts while a query is processed, so that processing stops at the limit. */
export function createSpend(most: CostLimits): Spend {
  const left = { ...most }
  return (kind, amount) => {
    left[kind] -= amount
    if (left[kind] < 0) exceeded(kind, most[kind])
  }
}

/** Number of rows assumed for a list without a limit. */
const UNLIMITED = 1000

export const rowsOf = ({ limit }: Pick<BoundQuery, 'limit'>): number => (limit < 0 ? UNLIMITED : limit)

/** Factor for the limits once permissions have added conditions that the caller did not write. */
const RULE_ALLOWANCE = 20

/** Refuses a query that is too expensive, before it is planned. `isByKey`: there is at most one row. */
export function checkCost(query: BoundQuery, most: CostLimits, isByKey: boolean): void {
  const { conditions, joins, rows } = costOf(query, isByKey)
  if (conditions > most.conditions) exceeded('conditions', most.conditions)
  if (joins > most.joins) exceeded('joins', most.joins)
  if (rows > most.rows) exceeded('rows', most.rows)
}

/** The same check after permissions have been added to the query. */
export function checkRuleCost(query: BoundQuery, most: CostLimits): void {
  const { conditions, joins } = costOf(query, true)
  if (conditions > most.conditions * RULE_ALLOWANCE) exceeded('conditions', most.conditions)
  if (joins > most.joins * RULE_ALLOWANCE) exceeded('joins', most.joins)
}

interface Cost {
  conditions: number
  joins: number
  rows: number
}

interface Counted {
  readonly conditions: number
  readonly joins: number
}

const nothing: Counted = { conditions: 0, joins: 0 }

function costOf(root: BoundQuery, isByKey: boolean): Cost {
  const cost: Cost = { conditions: 0, joins: 0, rows: 0 }
  // A rule is the same object wherever it is used, so its cost is computed once.
  const known = new Map<BoundFilter, Counted>()
  const add = ({ conditions, joins }: Counted): void => {
    cost.conditions += conditions
    cost.joins += joins
  }
  const addFilter = (filter: BoundFilter | null): void => add(filterCost(filter, known))
  const addRelation = (relation: BoundToMany): void => {
    cost.joins += joinsOf(relation)
    addFilter(relation.seen)
    if (relation.kind === 'through') addFilter(relation.junctionSeen)
  }
  const addPath = ({ steps, value }: BoundPath): void => {
    for (const step of steps) {
      addFilter(step.mask)
      if (step.kind === 'many') addRelation(step.relation)
      else {
        cost.joins += 1
        addFilter(step.kind === 'one' ? step.relation.seen : (step.relation.seen.get(step.target) ?? null))
      }
    }
    add(valueCost(value, known))
  }

  const visit = (query: BoundQuery, rows: number): void => {
    cost.rows += rows * Math.max(1, query.select.length)
    addFilter(query.filter)
    for (const { mask } of query.search?.fields ?? []) {
      cost.conditions += 1
      addFilter(mask)
    }
    for (const sort of query.sort) if (sort.kind === 'path') addPath(sort.path)
    for (const { path } of query.aggregate?.groups ?? []) addPath(path)
    for (const { mask } of query.aggregate?.functions ?? []) addFilter(mask)
    for (const selection of query.select) visitSelection(selection, rows)
  }

  const visitSelection = (selection: BoundSelection, rows: number): void => {
    addFilter(selection.mask)
    switch (selection.kind) {
      case 'one':
        cost.joins += 1
        addFilter(selection.relation.seen)
        return visit(selection.query, rows)
      case 'many':
      case 'keys':
        addRelation(selection.relation)
        return visit(selection.query, rows * rowsOf(selection.query))
      case 'count':
        return addRelation(selection.relation)
      case 'any':
        for (const branch of selection.branches) {
          cost.joins += 1
          visit(branch.query, rows)
        }
        return
      default:
    }
  }

  visit(root, isByKey ? 1 : rowsOf(root))
  return cost
}

const joinsOf = ({ kind }: BoundToMany): number => (kind === 'through' ? 2 : 1)

function filterCost(filter: BoundFilter | null, known: Map<BoundFilter, Counted>): Counted {
  if (filter === null) return nothing
  const before = known.get(filter)
  if (before !== undefined) return before
  const counted = filterCostAnew(filter, known)
  known.set(filter, counted)
  return counted
}

function filterCostAnew(filter: BoundFilter, known: Map<BoundFilter, Counted>): Counted {
  switch (filter.kind) {
    case 'constant':
      return { conditions: 1, joins: 0 }
    case 'and':
    case 'or':
      return filter.parts.reduce<Counted>((sum, part) => plus(sum, filterCost(part, known)), nothing)
    case 'test':
      return plus({ conditions: 1, joins: 0 }, valueCost(filter.value, known))
    case 'json':
      return plus({ conditions: jsonTests(filter.condition), joins: 0 }, filterCost(filter.mask, known))
    case 'one':
      return followed(1, filter.relation.seen, filter, known)
    case 'many':
      return followed(joinsOf(filter.relation), filter.relation.seen, filter, known)
    case 'any':
      return followed(1, filter.relation.seen.get(filter.target) ?? null, filter, known)
  }
}

const followed = (
  joins: number,
  seen: BoundFilter | null,
  { filter, mask }: { readonly filter: BoundFilter; readonly mask: Mask },
  known: Map<BoundFilter, Counted>,
): Counted =>
  plus(
    plus({ conditions: 0, joins }, filterCost(filter, known)),
    plus(filterCost(seen, known), filterCost(mask, known)),
  )

function valueCost(value: BoundValue, known: Map<BoundFilter, Counted>): Counted {
  const mask = filterCost(value.mask, known)
  if (value.kind !== 'count') return mask
  return plus(plus(mask, { conditions: 0, joins: joinsOf(value.relation) }), filterCost(value.relation.seen, known))
}

const plus = (a: Counted, b: Counted): Counted =>
  b === nothing ? a : { conditions: a.conditions + b.conditions, joins: a.joins + b.joins }

const jsonTests = (condition: JsonCondition): number =>
  condition.kind === 'test' ? 1 : condition.parts.reduce((sum, part) => sum + jsonTests(part), 0)
