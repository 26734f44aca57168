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

/** The cost of a query so far, and the filters counted before. */
interface Count {
  readonly cost: Cost
  /** A rule is the same object wherever it is used, so its cost is computed once. */
  readonly known: Map<BoundFilter, Counted>
}

function costOf(root: BoundQuery, isByKey: boolean): Cost {
  const count: Count = { cost: { conditions: 0, joins: 0, rows: 0 }, known: new Map() }
  addQuery(root, isByKey ? 1 : rowsOf(root), count)
  return count.cost
}

function add({ conditions, joins }: Counted, { cost }: Count): void {
  cost.conditions += conditions
  cost.joins += joins
}

const addFilter = (filter: BoundFilter | null, count: Count): void => add(filterCost(filter, count.known), count)

function addRelation(relation: BoundToMany, count: Count): void {
  count.cost.joins += joinsOf(relation)
  addFilter(relation.seen, count)
  if (relation.kind === 'through') addFilter(relation.junctionSeen, count)
}

function addPath({ steps, value }: BoundPath, count: Count): void {
  for (const step of steps) {
    addFilter(step.mask, count)
    if (step.kind === 'many') addRelation(step.relation, count)
    else {
      count.cost.joins += 1
      addFilter(step.kind === 'one' ? step.relation.seen : (step.relation.seen.get(step.target) ?? null), count)
    }
  }
  add(valueCost(value, count.known), count)
}

function addQuery(query: BoundQuery, rows: number, count: Count): void {
  count.cost.rows += rows * Math.max(1, query.select.length)
  addFilter(query.filter, count)
  for (const { mask } of query.search?.fields ?? []) {
    count.cost.conditions += 1
    addFilter(mask, count)
  }
  for (const sort of query.sort) if (sort.kind === 'path') addPath(sort.path, count)
  for (const { path } of query.aggregate?.groups ?? []) addPath(path, count)
  for (const { mask } of query.aggregate?.functions ?? []) addFilter(mask, count)
  for (const selection of query.select) addSelection(selection, rows, count)
}

function addSelection(selection: BoundSelection, rows: number, count: Count): void {
  addFilter(selection.mask, count)
  switch (selection.kind) {
    case 'one':
      count.cost.joins += 1
      addFilter(selection.relation.seen, count)
      return addQuery(selection.query, rows, count)
    case 'many':
    case 'keys':
      addRelation(selection.relation, count)
      return addQuery(selection.query, rows * rowsOf(selection.query), count)
    case 'count':
      return addRelation(selection.relation, count)
    case 'any':
      for (const branch of selection.branches) {
        count.cost.joins += 1
        addQuery(branch.query, rows, count)
      }
      return
    default:
  }
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
