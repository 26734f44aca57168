import { describe, expect, it } from 'vitest'
import type { Filter, Query, Selection } from '../reads/ast.ts'
import { interpret } from '../reads/interpret/interpret.ts'
import type { Model } from './model.ts'
import { randomQuery } from '../reads/query.ts'
import { changeOperands } from '../reads/change-operands.ts'
import { createRng } from '../rng.ts'
import { randomModel } from './random-model.ts'
import { smallerQueries } from '../reads/shrink.ts'
import { toBrackets, toWire } from '../reads/wire.ts'

const SEED = 20260101
const SCHEMAS = 60
const QUERIES = 60

interface Sample {
  readonly model: Model
  readonly query: Query
}

const samples: Sample[] = Array.from({ length: SCHEMAS }, (_value, schema) =>
  randomModel({ seed: SEED, schema, dialect: 'postgres' }),
).flatMap((model, schema) =>
  Array.from({ length: QUERIES }, (_value, number) => ({
    model,
    query: randomQuery(createRng(SEED, schema, number), model),
  })),
)

function filterFeatures(filter: Filter): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [
        filter.kind,
        ...(filter.items.length === 0 ? [`empty ${filter.kind}`] : []),
        ...filter.items.flatMap(filterFeatures),
      ]
    case 'test':
      return [filter.op, ...(filter.subject.fn === undefined ? [] : [`filter ${filter.subject.fn}`])]
    case 'one':
    case 'some':
    case 'none':
      return [filter.kind, ...filterFeatures(filter.filter)]
    case 'exists':
    case 'member':
    case 'any':
    case 'bare':
    case 'constant':
      return [filter.kind]
  }
  throw new Error('no such filter')
}

function fieldFeatures(field: Selection): string[] {
  if (field.kind === 'star' || field.kind === 'starstar') return [field.kind]
  const alias = field.as === undefined ? [] : ['alias']
  if (field.kind === 'field')
    return [...alias, ...(field.subject.fn === undefined ? [] : [`field ${field.subject.fn}`])]
  if (field.kind === 'any') return [...alias, 'any']
  const nested = field.fields === null ? ['bare'] : ['nested', ...field.fields.flatMap(fieldFeatures)]
  const shape = Object.entries(field.deep).flatMap(([key, value]) => (value === undefined ? [] : [`deep ${key}`]))
  return [...alias, ...nested, ...shape, ...(field.bareToo ? ['bare too'] : [])]
}

function features({ query, model }: Sample): string[] {
  const relations = [...model.relations.values()].flatMap((fields) => [...fields.values()])
  const { grouping } = query
  return [
    ...relations.map((relation) => (relation.kind === 'one' && !relation.isColumn ? 'composite one' : relation.kind)),
    ...[...model.tables.values()].map((table) => `key of ${table.key.length}`),
    ...(query.filter === undefined ? [] : filterFeatures(query.filter)),
    ...(query.fields === undefined ? ['no fields'] : query.fields.flatMap(fieldFeatures)),
    ...(query.sort ?? []).map(
      ({ path, subject }) => `sort path of ${path.length}${subject.fn === undefined ? '' : ' with function'}`,
    ),
    ...(['limit', 'offset', 'page', 'search', 'counts'] as const).filter((key) => query[key] !== undefined),
    ...(grouping === undefined ? [] : grouping.aggregates.map(({ fn }) => `aggregate ${fn}`)),
    ...(grouping === undefined ? [] : grouping.groupBy.map(({ path }) => `group path of ${path.length}`)),
    ...(grouping === undefined ? [] : grouping.sort.map(({ by }) => `group sort by ${by}`)),
  ]
}

const EACH = (prefix: string, names: string): string[] => names.split(' ').map((name) => `${prefix}${name}`)
const PARTS = 'year month week day weekday hour minute second count'

const WANTED: readonly string[] = [
  EACH('', 'one many through and or some none exists member star starstar alias bare nested'),
  EACH('', 'limit offset page search counts _eq _neq _lt _lte _gt _gte _in _nin _between _nbetween _null _nnull'),
  EACH('', '_empty _nempty _contains _ncontains _icontains _starts_with _nstarts_with _istarts_with _nistarts_with'),
  EACH('', '_ends_with _nends_with _iends_with _niends_with'),
  ['composite one', 'empty and', 'empty or', 'bare too', 'no fields'],
  EACH('key of ', '0 1 2'),
  EACH('filter ', PARTS),
  EACH('field ', PARTS),
  EACH('deep ', 'filter sort limit offset page search'),
  EACH('sort path of ', '0 1 2'),
  ['sort path of 0 with function', 'sort path of 1 with function'],
  EACH('aggregate ', 'count countDistinct sum sumDistinct avg avgDistinct min max'),
  EACH('group path of ', '0 1 2'),
  EACH('group sort by ', 'group aggregate'),
].flat()

describe('generator', () => {
  it('uses the whole language', () => {
    const seen = new Set(samples.flatMap(features))
    expect(WANTED.filter((feature) => !seen.has(feature))).toEqual([])
  })

  it('asks questions that have answers', () => {
    const answered = samples.filter(({ model, query }) => interpret(model, query).data.length > 0)
    expect(answered.length / samples.length).toBeGreaterThan(0.6)
  })

  it('repeats itself from the same seed', () => {
    const again = JSON.stringify(
      toWire(
        samples[0]!.model,
        randomQuery(createRng(SEED, 0, 0), randomModel({ seed: SEED, schema: 0, dialect: 'postgres' })),
      ),
    )
    expect(JSON.stringify(toWire(samples[0]!.model, samples[0]!.query))).toBe(again)
  })

  it('makes queries that nearly all fit into brackets', () => {
    const fitting = samples.filter(({ model, query }) => toBrackets(toWire(model, query)) !== null)
    expect(fitting.length / samples.length).toBeGreaterThan(0.85)
  })
})

describe('variants', () => {
  const few = samples.filter((_sample, index) => index % 12 === 0)

  it('keep the shape when operands change', () => {
    const shapeOf = (model: Model, query: Query): string => JSON.stringify(shape(toWire(model, query)))
    for (const { model, query } of few) {
      const changed = changeOperands(createRng(1), model, query)
      expect(shapeOf(model, changed)).toBe(shapeOf(model, query))
    }
  })

  it('stay well-formed when they shrink', () => {
    for (const { model, query } of few) {
      for (const smaller of smallerQueries(query)) expect(interpret(model, smaller).data).toBeInstanceOf(Array)
    }
  })

  it('shrink to an end', () => {
    for (const { query } of few) {
      let [rest, steps]: [Query | undefined, number] = [query, 0]
      for (; rest !== undefined && steps < 1000; steps++) rest = smallerQueries(rest)[0]
      expect(steps).toBeLessThan(1000)
    }
  })
})

/** Keys without values. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).map(([key, inner]) => [key, shape(inner)])
}
