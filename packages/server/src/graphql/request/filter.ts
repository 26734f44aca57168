import { invalidQuery, isFieldFunction } from '@tain/contract'
import {
  conjunction,
  disjunction,
  noOperator,
  parseConditions,
  parseTest,
  tested,
  type FilterContext,
} from '../../query/parse-filter.ts'
import type { Filter } from '../../query/query.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import { fieldNames, type FieldMeaning } from '../schema/names.ts'

type Given = Readonly<Record<string, unknown>>

export interface FilterPlace {
  readonly schema: Schema
  readonly context: FilterContext
  /** Number of relations followed so far. */
  readonly depth: number
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts a coerced filter input to the filter tree that all protocols share. */
export function filterOf(given: Given, collection: Collection, place: FilterPlace): Filter {
  const keys = Object.keys(given)
  if (place.depth >= place.context.limits.depth && keys.length > 0) throw invalidQuery('Max relational depth exceeded')
  if (keys.length === 0) place.context.values.spend('conditions', 1)
  return conjunction(
    keys.map((key) => {
      if (key === '_and' || key === '_or') return logical(key, given[key], collection, place)
      const meaning = fieldNames(collection).meanings.get(key)
      if (meaning === undefined) throw invalidQuery(`"${key}" has to stand under a field`)
      return condition(meaning, given[key], place)
    }),
  )
}

function logical(key: '_and' | '_or', given: unknown, collection: Collection, place: FilterPlace): Filter {
  if (given === null) return conjunction([])
  const parts = (Array.isArray(given) ? given : [given]).map((part: unknown) => {
    if (!isObject(part)) throw invalidQuery(`"${key}" has to be a list of filters`)
    return filterOf(part, collection, nested(place))
  })
  return key === '_and' ? conjunction(parts) : disjunction(parts)
}

const nested = (place: FilterPlace): FilterPlace => ({ ...place, context: place.context.deeper() })

const quantifiers = new Set(['_some', '_none'])

function condition({ field, role, target }: FieldMeaning, given: unknown, place: FilterPlace): Filter {
  const { context, schema } = place
  const { name, relation } = field
  if (role === 'functions') return functions(name, given, place)
  const isPlain = role === 'key' || relation === null
  if (isPlain) return parseConditions({ name, fn: null }, isObject(given) ? given : { _eq: given }, context)
  const to = schema.collections.get(relation.kind === 'any' ? (target ?? '') : relation.to)
  if (to === undefined) throw invalidQuery(`"${name}" leads nowhere`)
  const scope = relation.kind === 'any' ? to.name : null
  const below = (inner: Given): Filter => filterOf(inner, to, { ...place, depth: place.depth + 1 })
  const related = (quantifier: 'some' | 'none', filter: Filter): Filter => ({
    kind: 'relation',
    name,
    scope,
    quantifier,
    filter,
  })
  if (!isObject(given)) return parseConditions({ name, fn: null }, { _null: true }, context)
  const parts: Filter[] = []
  if (isObject(given['_some'])) parts.push(related('some', below(given['_some'])))
  if (isObject(given['_none'])) parts.push(related('none', below(given['_none'])))
  const rest = Object.fromEntries(Object.entries(given).filter(([key]) => !quantifiers.has(key)))
  if (Object.keys(rest).length > 0) parts.push(related('some', tested(name, below(rest))))
  if (parts.length === 0) throw noOperator(name)
  return conjunction(parts)
}

function functions(name: string, given: unknown, { context, depth }: FilterPlace): Filter {
  if (depth + 1 > context.limits.depth) throw invalidQuery('Max relational depth exceeded')
  const asked = Object.entries(isObject(given) ? given : {})
  if (asked.length === 0) throw noOperator(name)
  return conjunction(
    asked.flatMap(([fn, tests]) => {
      if (!isFieldFunction(fn)) return []
      const entries = Object.entries(isObject(tests) ? tests : {})
      if (entries.length === 0) throw noOperator(`${fn}(${name})`)
      return entries.map(([operator, operand]) => parseTest({ name, fn }, operator, operand, context))
    }),
  )
}
