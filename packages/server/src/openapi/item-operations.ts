import { exportFormats, type QueryParameter } from '@tain/contract'
import type { Collection } from '../schema/schema.ts'
import { itemParameters, listParameters } from './components.ts'
import { keyParameter, payloadSchema, rowName, rowSchema, type Described } from './row-schemas.ts'
import { enveloped, json, ref, type SchemaObject } from './schema-object.ts'

/** The ids of the operations on a collection. */
export interface OperationNames {
  readonly list: string
  readonly search: string
  readonly query: string
  readonly create: string
  readonly update: string
  readonly delete: string
  readonly upsert: string
  readonly read: string
  readonly updateOne: string
  readonly deleteOne: string
  readonly upsertOne: string
}

export const itemOperationNames = (name: string): OperationNames => ({
  list: `readItems${name}`,
  search: `searchItems${name}`,
  query: `queryItems${name}`,
  create: `createItems${name}`,
  update: `updateItems${name}`,
  delete: `deleteItems${name}`,
  upsert: `upsertItems${name}`,
  read: `readSingleItems${name}`,
  updateOne: `updateSingleItems${name}`,
  deleteOne: `deleteSingleItems${name}`,
  upsertOne: `upsertSingleItems${name}`,
})

/** Operations by HTTP method. */
export type PathItem = Readonly<Record<string, SchemaObject>>

export interface CollectionPart {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly schemas: Readonly<Record<string, SchemaObject>>
  readonly responses: Readonly<Record<string, SchemaObject>>
}

export interface CollectionAddress {
  readonly path: string
  readonly tag: string
  readonly ids: OperationNames
}

const parametersBy = (names: readonly QueryParameter[]) => names.map((name) => ref('parameters', name))

const failing = { default: ref('responses', 'Error') }
const noContent = { 204: ref('responses', 'NoContent'), ...failing }
const body = (schema: SchemaObject) => ({ requestBody: { required: true, content: json(schema) } })

/** Files of an export, besides the JSON that lists have anyway. */
const files = Object.fromEntries(
  Object.values(exportFormats)
    .map(({ type }) => type.split(';')[0]!)
    .filter((type) => type !== 'application/json')
    .map((type) => [type, { schema: { type: 'string' } }]),
)

const found = (response: SchemaObject) => ({ 200: response, 304: ref('responses', 'NotModified'), ...failing })

const key: SchemaObject = { type: ['string', 'integer', 'object'] }
const keys: SchemaObject = { type: 'array', items: key }
const byQuery: SchemaObject = {
  type: 'object',
  description: 'The items that the filter and the search of the query choose. One of them is needed.',
  required: ['query'],
  properties: { query: ref('schemas', 'Query') },
}
const byAll: SchemaObject = {
  type: 'object',
  description: 'Every item, or as many as sort and limit choose. The query has no filter and no search.',
  required: ['all'],
  properties: { all: { const: true }, query: ref('schemas', 'Query') },
}
const byKeys: SchemaObject = { type: 'object', required: ['keys'], properties: { keys } }

/** A change of several items: one for all of them, or each its own. */
const changes = (payload: SchemaObject): SchemaObject => {
  const withData = (choice: SchemaObject) => ({
    ...choice,
    required: [...(choice['required'] as string[]), 'data'],
    properties: { ...(choice['properties'] as object), data: payload },
  })
  return { anyOf: [withData(byKeys), withData(byQuery), withData(byAll), { type: 'array', items: { type: 'object' } }] }
}

/** What the operations on one collection are made of. */
interface Making {
  readonly collection: Collection
  readonly ids: OperationNames
  readonly mayRead: boolean
  readonly may: Readonly<Record<'create' | 'update' | 'delete', boolean>>
  /** Responses, by reference: one row, a list of rows, and what a create returns. */
  readonly one: SchemaObject
  readonly many: SchemaObject
  readonly either: SchemaObject
  readonly create: SchemaObject
  readonly update: SchemaObject
  readonly of: (operationId: string, more: SchemaObject) => SchemaObject
}

const selecting = { parameters: parametersBy(itemParameters) }

/** Callers who may not read get no content back. */
const written = (response: SchemaObject, { mayRead }: Making) => (mayRead ? { 200: response, ...noContent } : noContent)

const when = (isThere: boolean, operations: () => PathItem): PathItem => (isThere ? operations() : {})

function searches({ of, ids }: Making, response: SchemaObject): PathItem {
  const search = (id: string) =>
    of(id, {
      ...body({ type: 'object', properties: { query: ref('schemas', 'Query') } }),
      responses: found(response),
    })
  return { SEARCH: search(ids.search), QUERY: search(ids.query) }
}

const changeOne = (making: Making) => ({
  ...selecting,
  ...body(making.update),
  responses: written(making.one, making),
})

/** A collection of one item: it is read and changed at the address of the collection. */
const singletonOperations = (making: Making): PathItem => {
  const { of, ids, one, mayRead, may } = making
  return {
    ...when(mayRead, () => ({
      get: of(ids.list, { ...selecting, responses: found(one) }),
      ...searches(making, one),
    })),
    ...when(may.update, () => ({ patch: of(ids.update, changeOne(making)) })),
  }
}

function listOperations(making: Making): PathItem {
  const { of, ids, many, either, create, update, mayRead, may } = making
  const rows: SchemaObject = { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] }
  return {
    ...when(mayRead, () => ({
      get: of(ids.list, { parameters: parametersBy(listParameters), responses: found(many) }),
      ...searches(making, many),
    })),
    ...when(may.create, () => ({
      post: of(ids.create, {
        ...selecting,
        ...body({ oneOf: [create, { type: 'array', items: create }] }),
        responses: written(either, making),
      }),
    })),
    ...when(may.update, () => ({
      patch: of(ids.update, { ...selecting, ...body(changes(update)), responses: written(many, making) }),
    })),
    ...when(may.delete, () => ({
      delete: of(ids.delete, { ...body({ anyOf: [keys, byKeys, byQuery, byAll] }), responses: noContent }),
    })),
    // Who may only create, or only update, may send what does that.
    ...when(may.create || may.update, () => ({
      PUT: of(ids.upsert, { ...selecting, ...body(rows), responses: written(either, making) }),
    })),
  }
}

function itemOperations(making: Making): PathItem {
  const { collection, of, ids, one, mayRead, may } = making
  const atKey = (id: string, more: { readonly parameters?: readonly SchemaObject[] } & SchemaObject) =>
    of(id, { ...more, parameters: [keyParameter(collection), ...(more.parameters ?? [])] })
  return {
    ...when(mayRead, () => ({ get: atKey(ids.read, { ...selecting, responses: found(one) }) })),
    ...when(may.update, () => ({ patch: atKey(ids.updateOne, changeOne(making)) })),
    ...when(may.delete, () => ({ delete: atKey(ids.deleteOne, { responses: noContent }) })),
    ...when(may.create || may.update, () => ({
      PUT: atKey(ids.upsertOne, { ...selecting, ...body({ type: 'object' }), responses: written(one, making) }),
    })),
  }
}

function makingOf(collection: Collection, { tag, ids }: CollectionAddress, described: Described): Making {
  const { mayRead, mayWrite } = described.visibility
  const name = rowName(collection, described.names)
  return {
    collection,
    ids,
    mayRead: mayRead(collection),
    may: {
      create: mayWrite('create', collection),
      update: mayWrite('update', collection),
      delete: mayWrite('delete', collection),
    },
    one: ref('responses', name),
    many: ref('responses', `${name}List`),
    either: ref('responses', `${name}Created`),
    create: ref('schemas', `${name}Create`),
    update: ref('schemas', `${name}Update`),
    of: (operationId, more) => ({ operationId, tags: [tag], ...more }),
  }
}

/** An export as JSON has no envelope, so an array is allowed too. */
const exported = (schema: SchemaObject): SchemaObject => ({ ...schema, type: ['object', 'array'] })

/** What the operations on a collection return, said once for all of them. */
function responsesOf(name: string): Readonly<Record<string, SchemaObject>> {
  const row = ref('schemas', name)
  const one = enveloped(row)
  const many = enveloped({ type: 'array', items: row }, { meta: ref('schemas', 'ListMeta') })
  const response = (description: string, schema: SchemaObject, more = {}) => ({
    description,
    content: { ...json(schema), ...more },
  })
  return {
    [name]: response('The item.', exported(one), files),
    [`${name}List`]: response('The items.', exported(many), files),
    [`${name}Created`]: response('The item, or the items.', { anyOf: [one, many] }),
  }
}

/** All operations on a collection that the caller may use; null: none. */
export function describeCollection(
  collection: Collection,
  address: CollectionAddress,
  described: Described,
): CollectionPart | null {
  const making = makingOf(collection, address, described)
  const { mayRead, may } = making
  if (!mayRead && !may.create && !may.update && !may.delete) return null
  const name = rowName(collection, described.names)
  const isSingleton = collection.meta?.singleton === true
  const item = collection.key.length > 0 && !isSingleton ? itemOperations(making) : {}
  return {
    schemas: {
      ...(mayRead ? { [name]: rowSchema(collection, described) } : {}),
      ...(may.create ? { [`${name}Create`]: payloadSchema(collection, 'create', described) } : {}),
      ...(may.update ? { [`${name}Update`]: payloadSchema(collection, 'update', described) } : {}),
    },
    responses: mayRead ? responsesOf(name) : {},
    paths: {
      [address.path]: isSingleton ? singletonOperations(making) : listOperations(making),
      ...(Object.keys(item).length > 0 ? { [`${address.path}/{id}`]: item } : {}),
    },
  }
}
