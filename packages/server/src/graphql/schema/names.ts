import type { Collection, Field, Schema } from '../../schema/schema.ts'
import {
  createNameTypes,
  free,
  mutationRoles,
  plainName,
  queryRoles,
  subscriptionRoles,
  typeRoles,
  unionOf,
} from './type-names.ts'

export type TypeRole = keyof typeof typeRoles

export type QueryRole = keyof typeof queryRoles
export type MutationRole = keyof typeof mutationRoles
export type SubscriptionRole = keyof typeof subscriptionRoles

export type TypeMeaning =
  | { readonly kind: 'collection'; readonly collection: Collection; readonly role: TypeRole }
  /** The union of the targets of a many-to-any field. */
  | { readonly kind: 'union'; readonly collection: Collection; readonly field: string }

export interface RootMeaning<Role> {
  readonly collection: Collection
  readonly role: Role
}

/** Root fields of a scope, sorted by name. They are built on first use, because there are many. */
export interface RootNames {
  readonly collections: readonly Collection[]
  readonly queries: () => ReadonlyMap<string, RootMeaning<QueryRole>>
  readonly mutations: () => ReadonlyMap<string, RootMeaning<MutationRole>>
  readonly subscriptions: () => ReadonlyMap<string, RootMeaning<SubscriptionRole>>
}

export type Scope = 'items' | 'system'

/** Names of one schema, the same for every caller: hidden collections keep their names too. */
export interface Names {
  readonly typeNamed: (name: string) => TypeMeaning | undefined
  readonly typeName: (collection: Collection, role: TypeRole) => string
  readonly unionName: (collection: Collection, field: string) => string
  readonly roots: (scope: Scope) => RootNames
  /** Collections whose GraphQL name differs from their name in the database. */
  readonly changed: readonly { readonly collection: string; readonly name: string }[]
}

export interface NamesOptions {
  /** Types and root fields of the service itself. */
  readonly reservedTypes: ReadonlySet<string>
  readonly reservedRoots: ReadonlySet<string>
  /** System collections: declared name → name of their root fields. */
  readonly systemRoots: ReadonlyMap<string, string>
}

/** The name of an absent collection stays reserved for it. */
const namesOfAbsent = ({ names, collections }: Schema): ReadonlySet<string> =>
  new Set(
    names.remembered.flatMap(({ kind, collection, name }) =>
      kind === 'type' && !collections.has(collection) ? [name] : [],
    ),
  )

export function createNames(schema: Schema, options: NamesOptions): Names {
  const types = new Map<string, TypeMeaning>()
  const kept = namesOfAbsent(schema)
  const isTaken = (name: string) => types.has(name) || kept.has(name) || options.reservedTypes.has(name)
  const own = new Map<Collection, string>()
  const given = schema.typeNames ?? createNameTypes(options.reservedTypes)(schema.collections, [])
  for (const [collectionName, name] of given) {
    const collection = schema.collections.get(collectionName)
    if (collection === undefined) continue
    own.set(collection, name)
    types.set(name, { kind: 'collection', collection, role: 'item' })
  }
  const collections = [...own.keys()]
  // Stores only names that differ from the regular ones.
  const odd = new Map<string, string>()
  const place = (wanted: string, key: string, meaning: TypeMeaning) => {
    const name = free(wanted, isTaken)
    types.set(name, meaning)
    if (name !== wanted) odd.set(key, name)
  }
  for (const [collection, name] of own)
    for (const role of Object.keys(typeRoles) as TypeRole[])
      if (role !== 'item') place(typeRoles[role](name), `${role} ${name}`, { kind: 'collection', collection, role })
  for (const [collection, name] of own)
    for (const field of collection.columns.values())
      if (field.relation?.kind === 'any')
        place(unionOf(name, field.name), `union ${name} ${field.name}`, {
          kind: 'union',
          collection,
          field: field.name,
        })
  const nameOf = (collection: Collection) => own.get(collection) ?? plainName(collection.name)
  const byRole = new Map<Collection, Map<TypeRole, string>>()
  const roots = new Map<Scope, RootNames>()
  return {
    typeNamed: (name) => types.get(name),
    typeName: (collection, role) => {
      const known = byRole.get(collection) ?? new Map<TypeRole, string>()
      byRole.set(collection, known)
      const name = nameOf(collection)
      const found = known.get(role) ?? odd.get(`${role} ${name}`) ?? typeRoles[role](name)
      known.set(role, found)
      return found
    },
    unionName: (collection, field) => {
      const name = nameOf(collection)
      return odd.get(`union ${name} ${field}`) ?? unionOf(name, field)
    },
    roots: (scope) => {
      const known = roots.get(scope) ?? rootNames(scope, collections, nameOf, schema, kept, options)
      roots.set(scope, known)
      return known
    },
    changed: [...own].flatMap(([{ name: collection }, name]) => (collection === name ? [] : [{ collection, name }])),
  }
}

function rootNames(
  scope: Scope,
  collections: readonly Collection[],
  nameOf: (collection: Collection) => string,
  { system }: Schema,
  kept: ReadonlySet<string>,
  { reservedRoots, systemRoots }: NamesOptions,
): RootNames {
  const own: (readonly [Collection, string])[] =
    scope === 'items'
      ? collections.filter(({ isSystem }) => !isSystem).map((collection) => [collection, nameOf(collection)])
      : [...system].flatMap(([declared, collection]) => {
          const name = systemRoots.get(declared)
          return name === undefined ? [] : [[collection, name] as const]
        })
  const reserved = scope === 'items' ? kept : reservedRoots
  return {
    collections: own.map(([collection]) => collection),
    queries: once(() => placed(own, queryRoles, reserved)),
    mutations: once(() => placed(own, mutationRoles, reserved)),
    subscriptions: once(() => placed(own, subscriptionRoles, reserved)),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function placed<Role extends string>(
  collections: readonly (readonly [Collection, string])[],
  roles: Readonly<Record<Role, (name: string) => string>>,
  reserved: ReadonlySet<string>,
): Map<string, RootMeaning<Role>> {
  const found = new Map<string, RootMeaning<Role>>()
  const isTaken = (name: string) => found.has(name) || reserved.has(name)
  const [first, ...others] = Object.keys(roles) as Role[]
  // Plain names come first: a collection with the name of another collection's root field keeps its name.
  for (const role of first === undefined ? [] : [first])
    for (const [collection, name] of collections) found.set(free(roles[role](name), isTaken), { collection, role })
  for (const [collection, name] of collections)
    for (const role of others) found.set(free(roles[role](name), isTaken), { collection, role })
  // Sorted once here, in listing order.
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

// fields

/** The role of a name in the types of a collection: the field itself, or something derived from it. */
export type FieldRole = 'field' | 'key' | 'keys' | 'functions' | 'changes' | 'item'

export interface FieldMeaning {
  readonly field: Field
  readonly role: FieldRole
  /** For `item`: the target collection of a many-to-any field. */
  readonly target: string | null
}

export interface FieldNames {
  readonly meanings: ReadonlyMap<string, FieldMeaning>
  readonly name: (field: string, role: FieldRole, target?: string) => string
}

const byCollection = new WeakMap<Collection, FieldNames>()

export function fieldNames(collection: Collection): FieldNames {
  const known = byCollection.get(collection)
  if (known !== undefined) return known
  const made = createFieldNames(collection)
  byCollection.set(collection, made)
  return made
}

const isReadable = (field: Field) => field.kind !== 'alias' || field.relation !== null

function createFieldNames(collection: Collection): FieldNames {
  const meanings = new Map<string, FieldMeaning>()
  const kept = new Set(['_and', '_or'])
  const names = new Map<string, string>()
  const keyOf = (field: string, role: FieldRole, target: string | null) =>
    target === null ? `${role} ${field}` : `${role} ${field}\u0000${target}`
  const place = (wanted: string, field: Field, role: FieldRole, target: string | null) => {
    const name = free(wanted, (candidate) => meanings.has(candidate) || kept.has(candidate))
    meanings.set(name, { field, role, target })
    names.set(keyOf(field.name, role, target), name)
  }
  const placeRoles = (field: Field) => {
    const name = names.get(keyOf(field.name, 'field', null)) ?? field.name
    const { relation } = field
    if (relation?.kind === 'one' || relation?.kind === 'any') place(`${name}_key`, field, 'key', null)
    if (relation?.kind === 'any')
      for (const target of relation.allowed) place(`${name}__${plainName(target)}`, field, 'item', target)
    if (relation?.kind === 'many' || relation?.kind === 'through') {
      place(`${name}_changes`, field, 'changes', null)
      place(`${name}_keys`, field, 'keys', null)
    }
    place(`${name}_func`, field, 'functions', null)
  }
  const declared = [...collection.columns.values(), ...collection.aliases.values()].filter(isReadable)
  // Columns and declared fields come first, then inferred fields by age: a table that is added later takes no name from
  // them.
  for (const field of declared) place(plainName(field.name), field, 'field', null)
  for (const field of declared) placeRoles(field)
  const inferred = collection.inferredNames.map((name) => collection.inferred.get(name) ?? name)
  for (const field of inferred)
    if (typeof field === 'string') kept.add(plainName(field))
    else place(plainName(field.name), field, 'field', null)
  for (const field of inferred) if (typeof field !== 'string') placeRoles(field)
  return { meanings, name: (field, role, target) => names.get(keyOf(field, role, target ?? null)) ?? plainName(field) }
}
