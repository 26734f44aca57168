import { fieldFunctions, invalidQuery, type FieldFunction } from '@tain/contract'
import type { Collection, Field } from '../schema/schema.ts'
import type { BoundPath, BoundStep, BoundValue } from './bound.ts'
import type { Segment, Parameter, Tested } from './query.ts'
import {
  deeper,
  fieldNamed,
  noField,
  noRelation,
  targetOf,
  toAnyOf,
  toManyOf,
  toOneOf,
  type BindContext,
} from './resolve.ts'

function bindFunction(fn: FieldFunction, field: Field, path: Parameter | null, context: BindContext): BoundValue {
  const many = fn === 'count' ? toManyOf(field, context) : null
  if (many !== null) return { kind: 'count', name: field.name, relation: many, mask: null }
  const types: readonly string[] = fieldFunctions[fn].types
  if (field.kind !== 'column' || !types.includes(field.type) || field.specials.includes('conceal')) {
    throw invalidQuery(`Invalid function specified: ${fn}() cannot be used on "${field.name}"`)
  }
  return { kind: 'function', fn, field, path, mask: null }
}

export function bindValue(
  tested: Tested,
  path: Parameter | null,
  collection: Collection,
  context: BindContext,
): BoundValue {
  const field = fieldNamed(tested.name, collection, context)
  if (tested.fn !== null) return bindFunction(tested.fn, field, path, context)
  if (field.kind !== 'column') throw noField(tested.name, collection.name, context.at)
  return { kind: 'column', field, mask: null }
}

/** A path over relations to one value, as sort and groupBy use it. */
export function bindPath(path: readonly Segment[], collection: Collection, context: BindContext): BoundPath {
  const steps: BoundStep[] = []
  let current = collection
  let place = context
  for (const [index, { name, scope, fn, json }] of path.entries()) {
    const isLast = index === path.length - 1
    const field = fieldNamed(name, current, place)
    if (scope !== null && (isLast || field.relation?.kind !== 'any'))
      throw noField(`${name}:${scope}`, current.name, place.at)
    if (isLast) return { steps, value: bindValue({ name, fn }, json, current, place) }
    const one = toOneOf(field, place)
    const many = toManyOf(field, place)
    const any = toAnyOf(field, place)
    if (one !== null) steps.push({ kind: 'one', name, relation: one, mask: null })
    else if (many !== null) steps.push({ kind: 'many', name, relation: many, mask: null })
    else if (any !== null && scope !== null) {
      const target = targetOf(any, scope, name, current, place.at)
      steps.push({ kind: 'any', name, relation: any, target, mask: null })
    } else
      throw any === null ? noRelation(name, current, place) : noField(path[index + 1]?.name ?? name, name, place.at)
    const last = steps.at(-1)
    current = last === undefined ? current : last.kind === 'any' ? last.target : last.relation.to
    place = deeper(place, name)
  }
  throw invalidQuery('A path has no field')
}
