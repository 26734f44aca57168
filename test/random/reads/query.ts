import type {
  Aggregate,
  AggregateFunction,
  Deep,
  Grouping,
  GroupSort,
  GroupTerm,
  Page,
  Query,
  Selection,
  SortTerm,
  Subject,
} from './ast.ts'
import { outputKey } from './interpret/evaluate.ts'
import {
  type Column,
  type ColumnType,
  isComparable,
  type Model,
  type Relation,
  type Table,
  tableOf,
} from '../database/model.ts'
import { functionsOf, randomFilter, randomSearch, relationsOf } from './filter.ts'
import type { Rng } from '../rng.ts'

/** A valid query of any kind. */
export function randomQuery(rng: Rng, model: Model): Query {
  const collection = randomCollection(rng, model)
  const condition: Deep = {
    ...(rng.chance(0.6) ? { filter: randomFilter(rng, model, collection, rng.int(0, 3)) } : {}),
    ...(rng.chance(0.1) ? { search: randomSearch(rng, model, collection) } : {}),
  }
  if (rng.chance(0.2)) return groupingQuery(rng, model, collection, condition)
  return {
    collection,
    ...condition,
    ...(rng.chance(0.85) ? { fields: randomFields(rng, model, collection, rng.int(0, 3)) } : {}),
    ...(rng.chance(0.5) ? { sort: randomSort(rng, model, collection) } : {}),
    ...randomPage(rng),
    ...(rng.chance(0.15) ? { counts: true } : {}),
  }
}

/** A query whose pages are read by cursor: together they must give the whole list. */
export function randomWalk(rng: Rng, model: Model): Query | null {
  const collection = randomCollection(rng, model)
  const count = model.rows.get(collection)!.length
  if (tableOf(model, collection).key.length === 0) return null
  return {
    collection,
    ...(rng.chance(0.3) ? { filter: randomFilter(rng, model, collection, 1) } : {}),
    ...(rng.chance(0.7) ? { fields: randomFields(rng, model, collection, rng.int(0, 1)) } : {}),
    ...(rng.chance(0.9) ? { sort: randomSort(rng, model, collection) } : {}),
    limit: rng.int(Math.max(1, Math.floor(count / 8)), Math.max(2, Math.floor(count / 2))),
  }
}

/** Prefers tables with rows and relations. */
function randomCollection(rng: Rng, model: Model): string {
  return rng.weighted(
    [...model.tables.keys()].map((collection) => {
      const rows = model.rows.get(collection)!.length > 0 ? 4 : 0
      return [1 + rows + 2 * Math.min(4, relationsOf(model, collection).length), collection] as const
    }),
  )
}

function randomPage(rng: Rng): Page {
  const limit = rng.weighted<Page>([
    [5, {}],
    [2, { limit: -1 }],
    [0.3, { limit: 0 }],
    [4, { limit: rng.int(1, 10) }],
  ])
  const start = rng.weighted<Page>([
    [7, {}],
    [1.5, { offset: rng.int(0, 6) }],
    [limit.limit === -1 ? 0 : 1.5, { page: rng.int(1, 3) }],
  ])
  return { ...limit, ...start }
}

function subjectsOf(model: Model, collection: string): Subject[] {
  return [...tableOf(model, collection).columns.map(({ name }) => ({ name })), ...functionsOf(model, collection)]
}

function randomFields(rng: Rng, model: Model, collection: string, depth: number): Selection[] {
  const fields: Selection[] = []
  const keys = new Set<string>()
  const take = (key: string): boolean => !keys.has(key) && keys.add(key).has(key)
  if (rng.chance(0.06)) fields.push({ kind: 'starstar' })
  else if (rng.chance(0.25)) fields.push({ kind: 'star' })
  const isExpanded = fields[0]?.kind === 'starstar'
  const count = rng.int(fields.length === 0 ? 1 : 0, 4)
  for (let i = 0; i < count; i++) {
    const subject = rng.chance(0.75)
      ? { name: rng.pick(tableOf(model, collection).columns).name }
      : rng.pick(subjectsOf(model, collection))
    // Together with `*.*`, a plain name would select both forms of a to-one field.
    if (isExpanded && subject.fn === undefined) continue
    const as = aliasName(rng, i)
    if (take(as ?? outputKey(subject))) fields.push({ kind: 'field', subject, ...(as === undefined ? {} : { as }) })
  }
  if (depth > 0) {
    for (const relation of randomRelations(rng, model, collection)) {
      if (isExpanded && relation.kind === 'one') continue
      const as = aliasName(rng, 10 + fields.length)
      if (as !== undefined || take(relation.field)) fields.push(randomRelation(rng, model, relation, as, depth - 1))
    }
  }
  return fields.length > 0 ? fields : [{ kind: 'star' }]
}

function aliasName(rng: Rng, serial: number): string | undefined {
  return rng.chance(0.1) ? `${rng.pick(['al', 'Alias', 'constructor', 'ä'])}_${serial}` : undefined
}

function randomRelations(rng: Rng, model: Model, collection: string): Relation[] {
  const relations = relationsOf(model, collection)
  const chosen = rng.sample(relations, 0, 2)
  // The same relation twice, under two names and with two selections.
  return chosen.length > 0 && rng.chance(0.15) ? [...chosen, chosen[0]!] : chosen
}

function randomRelation(rng: Rng, model: Model, relation: Relation, as: string | undefined, depth: number): Selection {
  const hasKey = tableOf(model, relation.target).key.length > 0
  const canBeBare = relation.kind === 'one' || hasKey
  const isBare = canBeBare && rng.chance(0.2)
  const fields = isBare ? null : randomFields(rng, model, relation.target, depth)
  const isShaped = relation.kind === 'one' ? !isBare && rng.chance(0.15) : rng.chance(0.5)
  return {
    kind: 'relation',
    field: relation.field,
    ...(as === undefined ? {} : { as }),
    fields,
    bareToo: canBeBare && !isBare && rng.chance(0.1),
    deep: isShaped ? randomDeep(rng, model, relation) : {},
  }
}

function randomDeep(rng: Rng, model: Model, relation: Relation): Deep {
  const { target } = relation
  if (relation.kind === 'one') return { filter: randomFilter(rng, model, target, 1) }
  return {
    ...(rng.chance(0.4) ? { filter: randomFilter(rng, model, target, rng.int(0, 2)) } : {}),
    ...(rng.chance(0.08) ? { search: randomSearch(rng, model, target) } : {}),
    ...(rng.chance(0.5) ? { sort: randomSort(rng, model, target) } : {}),
    ...randomPage(rng),
  }
}

function sortableSubjects(model: Model, collection: string): Subject[] {
  const columns = tableOf(model, collection).columns.filter(({ type }) => isComparable(type))
  return [...columns.map(({ name }) => ({ name })), ...functionsOf(model, collection)]
}

function randomSort(rng: Rng, model: Model, collection: string): SortTerm[] {
  const terms: SortTerm[] = []
  const seen = new Set<string>()
  const count = rng.int(1, 3)
  for (let i = 0; i < count; i++) {
    const path = randomPath(rng, model, collection, (relation) => rng.chance(relation.kind === 'one' ? 0.8 : 0.4))
    const subjects = sortableSubjects(model, path.collection)
    if (subjects.length === 0) continue
    const subject = rng.pick(subjects)
    const name = JSON.stringify([path.fields, subject])
    if (seen.has(name)) continue
    seen.add(name)
    terms.push({ path: path.fields, subject, desc: rng.chance(0.5) })
  }
  return terms
}

function randomPath(
  rng: Rng,
  model: Model,
  collection: string,
  isWanted: (relation: Relation) => boolean,
): { fields: string[]; collection: string } {
  const fields: string[] = []
  let here = collection
  while (fields.length < 3 && rng.chance(0.3)) {
    const relations = relationsOf(model, here).filter(isWanted)
    if (relations.length === 0) break
    const relation = rng.pick(relations)
    fields.push(relation.field)
    here = relation.target
  }
  return { fields, collection: here }
}

const SUMMABLE: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'numeric'])
const RANGED: ReadonlySet<ColumnType> = new Set([
  'integer',
  'bigint',
  'numeric',
  'real',
  'text',
  'varchar',
  'date',
  'time',
  'timestamp',
  'timestamptz',
])

const AGGREGATES: Readonly<Record<AggregateFunction, (column: Column) => boolean>> = {
  count: () => true,
  countDistinct: ({ type }) => isComparable(type),
  sum: ({ type }) => SUMMABLE.has(type),
  sumDistinct: ({ type }) => SUMMABLE.has(type),
  avg: ({ type }) => SUMMABLE.has(type),
  avgDistinct: ({ type }) => SUMMABLE.has(type),
  min: ({ type }) => RANGED.has(type),
  max: ({ type }) => RANGED.has(type),
}

const AGGREGATE_NAMES = Object.keys(AGGREGATES) as AggregateFunction[]

function groupingQuery(rng: Rng, model: Model, collection: string, condition: Deep): Query {
  const groupBy = rng.chance(0.7) ? randomGroups(rng, model, collection) : []
  const table = tableOf(model, collection)
  const aggregates = groupBy.length > 0 && rng.chance(0.05) ? [] : randomAggregates(rng, table)
  const sort = groupBy.length > 0 && rng.chance(0.5) ? randomGroupSort(rng, groupBy, aggregates) : []
  const grouping: Grouping = { aggregates, groupBy, sort }
  return { collection, ...condition, grouping, ...(groupBy.length > 0 ? randomPage(rng) : {}) }
}

function randomAggregates(rng: Rng, table: Table): Aggregate[] {
  const chosen = rng.sample(AGGREGATE_NAMES, 1, 3).flatMap((fn): Aggregate[] => {
    if (fn === 'count' && rng.chance(0.5)) return [{ fn, fields: ['*'] }]
    const fields = rng.sample(table.columns.filter(AGGREGATES[fn]), 1, 3).map(({ name }) => name)
    return fields.length === 0 ? [] : [{ fn, fields }]
  })
  return chosen.length > 0 ? chosen : [{ fn: 'count', fields: ['*'] }]
}

/** Group terms with distinct positions in the output. */
function randomGroups(rng: Rng, model: Model, collection: string): GroupTerm[] {
  const terms: GroupTerm[] = []
  const roots = new Set<string>()
  const count = rng.int(1, 3)
  for (let i = 0; i < count; i++) {
    const path = randomPath(rng, model, collection, ({ kind }) => kind === 'one')
    const subjects = sortableSubjects(model, path.collection).filter(
      ({ fn }) => fn !== 'count' && (path.fields.length === 0 || fn === undefined),
    )
    if (subjects.length === 0) continue
    const subject = rng.pick(subjects)
    const root = path.fields[0] ?? outputKey(subject)
    if (roots.has(root)) continue
    roots.add(root)
    terms.push({ path: path.fields, subject })
  }
  return terms
}

function randomGroupSort(rng: Rng, groupBy: readonly GroupTerm[], aggregates: readonly Aggregate[]): GroupSort[] {
  const byGroup = groupBy.map((_term, index): GroupSort => ({ by: 'group', index, desc: rng.chance(0.5) }))
  const byAggregate = aggregates.flatMap(({ fn, fields }) =>
    fields.map((field): GroupSort => ({
      by: 'aggregate',
      fn,
      field: field === '*' ? null : field,
      desc: rng.chance(0.5),
    })),
  )
  return rng.sample([...byGroup, ...byAggregate], 1, 2)
}
