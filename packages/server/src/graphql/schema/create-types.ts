import { GraphQLUnionType, type GraphQLInputObjectType, type GraphQLNamedType, type GraphQLObjectType } from 'graphql'
import type { Collection } from '../../schema/schema.ts'
import { aggregatedType, countsType, extremesType, numbersType } from './aggregate-types.ts'
import { changesType, filterType, payloadType, quantifierType } from './input-types.ts'
import { itemType } from './item-types.ts'
import type { Names, TypeMeaning, TypeRole } from './names.ts'
import { procedureTypes } from '../procedures/procedure-fields.ts'
import { sharedTypes } from './shared-types.ts'
import { mutatedType } from './subscription-types.ts'
import type { InputRole, OutputRole, Types } from './types.ts'
import type { Visibility } from '../../system/visible-schema.ts'

type Make<T> = (collection: Collection, name: string, types: Types) => T

const outputs: Readonly<Record<OutputRole, Make<GraphQLObjectType>>> = {
  item: itemType,
  aggregated: aggregatedType,
  counts: countsType,
  numbers: numbersType,
  extremes: extremesType,
  mutated: mutatedType,
}

const inputs: Readonly<Record<InputRole, Make<GraphQLInputObjectType>>> = {
  filter: filterType,
  quantifier: quantifierType,
  create: payloadType,
  update: payloadType,
  changes: changesType,
}

const isOutput = (role: TypeRole): role is OutputRole => Object.hasOwn(outputs, role)

/** How many types a full traversal caches: each is needed a few times in quick succession. */
const FEW = 100

export function createTypes(visibility: Visibility, names: Names, isKept = true): Types {
  const made = new Map<string, GraphQLNamedType>()

  const once = <T extends GraphQLNamedType>(name: string, make: (name: string) => T): T => {
    const known = made.get(name)
    // A name has one meaning, and the meaning determines the kind of type.
    if (known !== undefined) return known as T
    const type = make(name)
    if (!isKept && made.size >= FEW) made.clear()
    made.set(name, type)
    return type
  }

  const types: Types = {
    visibility,
    names,
    output: (collection, role) =>
      once(names.typeName(collection, role), (name) => outputs[role](collection, name, types)),
    input: (collection, role) =>
      once(names.typeName(collection, role), (name) => inputs[role](collection, name, types)),
    union: (collection, field) =>
      once(
        names.unionName(collection, field),
        (name) => new GraphQLUnionType({ name, types: () => members(collection, field, types) }),
      ),
    named: (name) =>
      made.get(name) ?? sharedTypes.get(name) ?? procedureTypes.get(name) ?? byMeaning(names.typeNamed(name), types),
  }
  return types
}

function members(collection: Collection, name: string, types: Types): GraphQLObjectType[] {
  const field = collection.columns.get(name)
  if (field === undefined) return []
  return types.visibility.targetsOf(collection, field).map((target) => types.output(target, 'item'))
}

/** A type by name; undefined if the caller may not access it. */
function byMeaning(meaning: TypeMeaning | undefined, types: Types): GraphQLNamedType | undefined {
  if (meaning === undefined) return undefined
  const { visibility } = types
  const { collection } = meaning
  if (meaning.kind === 'union')
    return visibility.mayRead(collection) && members(collection, meaning.field, types).length > 0
      ? types.union(collection, meaning.field)
      : undefined
  const { role } = meaning
  if (role === 'create' || role === 'update' || role === 'changes')
    return visibility.mayUse(collection) ? types.input(collection, role) : undefined
  if (!visibility.mayRead(collection)) return undefined
  return isOutput(role) ? types.output(collection, role) : types.input(collection, role)
}
