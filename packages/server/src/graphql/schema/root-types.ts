import {
  getNamedType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
} from 'graphql'
import { isSingleton } from '../../engine/items/singleton.ts'
import type { Collection } from '../../schema/schema.ts'
import type { MutationRole, QueryRole, RootMeaning, Scope, SubscriptionRole } from './names.ts'
import type { ProcedureFields } from '../procedures/root-procedure.ts'
import { idArgument, idsArgument, listArguments, rootListArguments, targetArguments } from './root-arguments.ts'
import { scalars } from './scalars.ts'
import { deleteMany, deleteOne, listOf } from './shared-types.ts'
import type { Visibility } from '../../system/visible-schema.ts'
import { subscribed } from './subscription-types.ts'
import { mutationRoles, queryRoles, subscriptionRoles } from './type-names.ts'
import type { Types } from './types.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>
type Fields = Record<string, GraphQLField>

/** An object type that builds its fields on demand, by name: there may be tens of thousands. */
export class RootType extends GraphQLObjectType {
  readonly #fields: Fields
  readonly #names: () => Iterable<string>
  readonly #configOf: (name: string) => FieldConfig | undefined
  readonly #references: () => Iterable<string>
  /** Names of all types that the fields refer to; set once all fields have been visited. */
  #found: ReadonlySet<string> | null = null

  constructor(
    name: string,
    names: () => Iterable<string>,
    configOf: (name: string) => FieldConfig | undefined,
    references: () => Iterable<string>,
  ) {
    super({ name, fields: {} })
    this.#fields = lazyFields(name, names, configOf)
    this.#names = names
    this.#configOf = configOf
    this.#references = references
  }

  /** Names of the types that the fields refer to; may contain duplicates. */
  references(): Iterable<string> {
    return this.#found ?? this.#references()
  }

  /** Yields one field at a time and keeps none of them. */
  *eachField(): Generator<GraphQLField> {
    let some: Record<string, FieldConfig> = {}
    let count = 0
    const found = new Set<string>()
    for (const name of this.#names()) {
      const config = this.#configOf(name)
      if (config === undefined) continue
      some[name] = config
      for (const type of typesIn(config)) found.add(type)
      count += 1
      if (count % TOGETHER !== 0) continue
      yield* Object.values(fieldsOf(this.name, some))
      some = {}
    }
    yield* Object.values(fieldsOf(this.name, some))
    this.#found = found
  }

  override getFields(): Fields {
    return this.#fields
  }
}

const TOGETHER = 100

const fieldsOf = (name: string, fields: Record<string, FieldConfig>): Fields =>
  new GraphQLObjectType({ name, fields }).getFields()

function lazyFields(
  type: string,
  names: () => Iterable<string>,
  configOf: (name: string) => FieldConfig | undefined,
): Fields {
  const made = Object.create(null) as Fields
  const fieldNamed = (name: string | symbol): GraphQLField | undefined => {
    if (typeof name !== 'string') return undefined
    const known = made[name]
    if (known !== undefined) return known
    const config = configOf(name)
    if (config === undefined) return undefined
    const field = fieldsOf(type, { [name]: config })[name]
    if (field !== undefined) made[name] = field
    return field
  }
  return new Proxy(Object.create(null) as Fields, {
    get: (_, name) => fieldNamed(name),
    has: (_, name) => fieldNamed(name) !== undefined,
    ownKeys: () => [...names()],
    getOwnPropertyDescriptor: (_, name) => {
      const value = fieldNamed(name)
      return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: false }
    },
  })
}

export interface RootTypes {
  readonly query: GraphQLObjectType
  /** undefined: the caller may change nothing. */
  readonly mutation: GraphQLObjectType | undefined
  /** undefined: the caller may read nothing, or nobody can subscribe. */
  readonly subscription: GraphQLObjectType | undefined
}

/** Root types of a scope: fields of collections, and procedures. Only items can be subscribed to. */
export function createRoots(
  scope: Scope,
  types: Types,
  procedures: ProcedureFields,
  hasSubscriptions: boolean,
): RootTypes {
  const roots = types.names.roots(scope)
  const { collections } = roots
  const query = rootType('Query', collections, roots.queries, queries, procedures.queries, types)
  const mutation = rootType('Mutation', collections, roots.mutations, mutations, procedures.mutations, types)
  return {
    query: query ?? new GraphQLObjectType({ name: 'Query', fields: { _empty: { type: scalars.Void } } }),
    mutation,
    subscription:
      hasSubscriptions && scope === 'items'
        ? rootType('Subscription', collections, roots.subscriptions, subscriptions, {}, types)
        : undefined,
  }
}

/** Root fields of one kind: which of them exist, and their configuration. */
interface Kind<Role> {
  readonly roles: readonly Role[]
  readonly isThere: (role: Role, collection: Collection, visibility: Visibility) => boolean
  readonly configOf: (role: Role, collection: Collection, types: Types) => FieldConfig
}

function rootType<Role>(
  name: string,
  collections: readonly Collection[],
  meanings: () => ReadonlyMap<string, RootMeaning<Role>>,
  { roles, isThere, configOf }: Kind<Role>,
  procedures: Readonly<Record<string, FieldConfig>>,
  types: Types,
): GraphQLObjectType | undefined {
  const { visibility } = types
  const config = (field: string): FieldConfig | undefined => {
    if (Object.hasOwn(procedures, field)) return procedures[field]
    const meaning = meanings().get(field)
    if (meaning === undefined || !isThere(meaning.role, meaning.collection, visibility)) return undefined
    return configOf(meaning.role, meaning.collection, types)
  }
  const own = Object.keys(procedures)
  const isOpen = (collection: Collection) => roles.some((role) => isThere(role, collection, visibility))
  if (own.length === 0 && !collections.some(isOpen)) return undefined
  function* names(): Generator<string> {
    for (const [field, { role, collection }] of meanings()) if (isThere(role, collection, visibility)) yield field
  }
  function* references(): Generator<string> {
    for (const { role, collection } of meanings().values())
      if (isThere(role, collection, visibility)) yield* typesIn(configOf(role, collection, types))
    for (const field of own) yield* typesIn(procedures[field])
  }
  return new RootType(name, own.length === 0 ? names : () => [...names(), ...own].toSorted(), config, references)
}

function* typesIn(config: FieldConfig | undefined): Generator<string> {
  if (config === undefined) return
  yield getNamedType(config.type).name
  for (const argument of Object.values(config.args ?? {})) yield getNamedType(argument.type).name
}

const items = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))

function isQueryThere(role: QueryRole, collection: Collection, { mayRead }: Visibility): boolean {
  if (!mayRead(collection)) return false
  if (role === 'list') return true
  return !isSingleton(collection) && (role !== 'byId' || collection.key.length > 0)
}

function queryConfig(role: QueryRole, collection: Collection, types: Types): FieldConfig {
  const extensions = { meaning: { kind: 'query', role, collection } } as const
  const item = types.output(collection, 'item')
  switch (role) {
    case 'list':
      return isSingleton(collection)
        ? { type: item, extensions }
        : { type: items(item), args: rootListArguments(collection, types), extensions }
    case 'byId':
      return { type: item, args: idArgument, extensions }
    case 'aggregated': {
      const args = { groupBy: { type: listOf('String') }, ...listArguments(collection, types) }
      return { type: items(types.output(collection, 'aggregated')), args, extensions }
    }
  }
}

const queries: Kind<QueryRole> = {
  roles: Object.keys(queryRoles) as QueryRole[],
  isThere: isQueryThere,
  configOf: queryConfig,
}

/** The conditions under which each mutation field exists. */
const needs: Readonly<Record<MutationRole, (collection: Collection, visibility: Visibility) => boolean>> = {
  createItems: (collection, { mayWrite }) => !isSingleton(collection) && mayWrite('create', collection),
  createItem: (collection, { mayWrite }) => !isSingleton(collection) && mayWrite('create', collection),
  updateItems: (collection, { mayWrite }) => !isSingleton(collection) && mayWrite('update', collection),
  updateBatch: (collection, { mayWrite }) => !isSingleton(collection) && mayWrite('update', collection),
  updateItem: (collection, { mayWrite }) => !isSingleton(collection) && mayWrite('update', collection),
  updateByQuery: (collection, { mayWrite, mayRead }) =>
    !isSingleton(collection) && mayWrite('update', collection) && mayRead(collection),
  updateSingleton: (collection, { mayWrite }) => isSingleton(collection) && mayWrite('update', collection),
  upsertItems: (collection, { mayWrite }) =>
    !isSingleton(collection) && (mayWrite('create', collection) || mayWrite('update', collection)),
  deleteItems: (collection, { mayWrite }) => !isSystemSingleton(collection) && mayWrite('delete', collection),
  deleteItem: (collection, { mayWrite }) => !isSystemSingleton(collection) && mayWrite('delete', collection),
  deleteByQuery: (collection, { mayWrite, mayRead }) =>
    !isSystemSingleton(collection) && mayWrite('delete', collection) && mayRead(collection),
}

const isSystemSingleton = (collection: Collection) => isSingleton(collection) && collection.isSystem

const isMutationThere = (role: MutationRole, collection: Collection, visibility: Visibility) =>
  collection.key.length > 0 && !collection.isReadOnly && needs[role](collection, visibility)

function mutationConfig(role: MutationRole, collection: Collection, types: Types): FieldConfig {
  const isReadable = types.visibility.mayRead(collection)
  const extensions = { meaning: { kind: 'mutation', role, collection, isReadable } } as const
  const item = (): GraphQLOutputType => (isReadable ? types.output(collection, 'item') : scalars.Boolean)
  const list = (): GraphQLOutputType => (isReadable ? items(types.output(collection, 'item')) : scalars.Boolean)
  const shaped = isReadable ? listArguments(collection, types) : {}
  const create = new GraphQLNonNull(types.input(collection, 'create'))
  const update = new GraphQLNonNull(types.input(collection, 'update'))
  switch (role) {
    case 'createItems':
      return { type: list(), args: { ...shaped, data: { type: new GraphQLList(create) } }, extensions }
    case 'createItem':
      return { type: item(), args: { data: { type: create } }, extensions }
    case 'updateItems':
      return { type: list(), args: { ...shaped, ...idsArgument, data: { type: update } }, extensions }
    case 'updateBatch':
      return { type: list(), args: { ...shaped, data: { type: new GraphQLList(update) } }, extensions }
    case 'updateItem':
      return { type: item(), args: { ...idArgument, data: { type: update } }, extensions }
    case 'updateByQuery':
      return { type: list(), args: { ...targetArguments(collection, types), data: { type: update } }, extensions }
    case 'updateSingleton':
      return { type: item(), args: { data: { type: update } }, extensions }
    case 'upsertItems': {
      const data = { type: new GraphQLNonNull(new GraphQLList(create)) }
      return { type: list(), args: { data, on_conflict: { type: scalars.String } }, extensions }
    }
    case 'deleteItems':
      return { type: deleteMany, args: idsArgument, extensions }
    case 'deleteItem':
      return { type: deleteOne, args: idArgument, extensions }
    case 'deleteByQuery':
      return { type: deleteMany, args: targetArguments(collection, types), extensions }
  }
}

const mutations: Kind<MutationRole> = {
  roles: Object.keys(mutationRoles) as MutationRole[],
  isThere: isMutationThere,
  configOf: mutationConfig,
}

const subscriptions: Kind<SubscriptionRole> = {
  roles: Object.keys(subscriptionRoles) as SubscriptionRole[],
  isThere: (_, collection, { mayRead }) => collection.key.length > 0 && mayRead(collection),
  configOf: (_, collection, types) => subscribed(collection, types),
}
