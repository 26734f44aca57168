import { collectionMeta, invalidPayload, type CollectionObject } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import {
  nothing,
  together,
  type Catalogue,
  type Change,
  type MetadataChange,
  type SchemaChange,
} from '../schema/change.ts'
import { describeCollection, describeFolder } from '../schema/describe.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { removeCollection } from './field-removal.ts'
import { extrasOf, readComment, readField, type FieldRequest } from './field-request.ts'
import { checkTable } from './field-update.ts'
import { changeableCollection, readableCollection, storeField } from './fields.ts'
import { isBody, named, refuseUnknown, storedMeta, type Body, type SchemaCall } from './metadata.ts'
import { checkCollectionName } from './names.ts'

/** Folders are pure metadata; only administrators see them. */
export const listCollections = (actor: Actor, schema: Schema): CollectionObject[] => [
  ...[...schema.collections.values()]
    .filter((collection) => actor.may('read', collection))
    .map((each) => shown(each, actor)),
  ...(actor.isAdmin ? [...schema.folders.values()].map(describeFolder) : []),
]

export function readCollection(name: string, actor: Actor, schema: Schema): CollectionObject {
  const folder = schema.folders.get(name)
  if (folder !== undefined && actor.isAdmin) return describeFolder(folder)
  return shown(readableCollection(name, actor, schema), actor)
}

/** Metadata of a collection names fields. Fields that the caller may not read are left out. */
function shown(collection: Collection, actor: Actor): CollectionObject {
  const { meta, ...described } = describeCollection(collection)
  const fields = actor.fieldsFor(collection, 'read')
  if (meta === null || fields === 'all') return { ...described, meta }
  const open = (name: string | null) => (name !== null && fields.has(name) ? name : null)
  const { archive_field: archive, display_template: template, item_duplication_fields: duplicated } = meta
  const isArchiveOpen = open(archive) !== null
  return {
    ...described,
    meta: {
      ...meta,
      sort_field: open(meta.sort_field),
      archive_field: open(archive),
      archive_value: isArchiveOpen ? meta.archive_value : null,
      unarchive_value: isArchiveOpen ? meta.unarchive_value : null,
      display_template: template !== null && rootsIn(template).every((name) => fields.has(name)) ? template : null,
      item_duplication_fields: Array.isArray(duplicated)
        ? duplicated.filter((path) => fields.has(rootOf(String(path))))
        : duplicated,
    },
  }
}

const rootOf = (path: string): string => path.split('.', 1)[0] ?? path

/** `{{author.name}} {{title}}` → author, title */
const rootsIn = (template: string): string[] =>
  [...template.matchAll(/\{\{\s*([^{}]+?)\s*\}\}/gu)].map(([, path = '']) => rootOf(path))

/** Refuses unknown collections and system collections; folders may be changed. */
function checkChangeable(name: string, actor: Actor, schema: Schema): void {
  if (!schema.folders.has(name)) changeableCollection(name, actor, schema)
}

export const updateCollection = (name: string, body: unknown, actor: Actor): SchemaCall => ({
  async planner(schema) {
    checkChangeable(name, actor, schema)
    if (!isBody(body)) throw invalidPayload('The collection has to be an object')
    if (body['collection'] !== undefined && body['collection'] !== name)
      throw invalidPayload('A collection cannot be renamed')
    return planUpdate(name, body)
  },
  answer: (schema) => readCollection(name, actor, schema),
})

export const updateCollections = (bodies: unknown, actor: Actor): SchemaCall => ({
  async planner(schema) {
    if (!Array.isArray(bodies)) throw invalidPayload('Several collections have to be sent as a list')
    return together(
      bodies.map((body: unknown) => {
        if (!isBody(body) || typeof body['collection'] !== 'string')
          throw invalidPayload('Each collection needs its name in "collection"')
        checkChangeable(body['collection'], actor, schema)
        return planUpdate(body['collection'], body)
      }),
    )
  },
  answer: (schema) => namesIn(bodies).map((name) => readCollection(name, actor, schema)),
})

const namesIn = (bodies: unknown): string[] =>
  [bodies].flat().flatMap((body: unknown) => (isBody(body) ? [String(body['collection'])] : []))

/** Properties that describe the table itself are accepted and have no effect. */
function planUpdate(name: string, body: Body): Change {
  refuseUnknown(body, ['collection', 'meta', 'schema', 'fields'], 'a collection')
  return { ...nothing, metadata: isBody(body['meta']) ? storeCollection(name, body['meta']) : [] }
}

function storeCollection(name: string, meta: unknown): MetadataChange[] {
  const values = storedMeta(meta, collectionMeta, { collection: name })
  return [{ kind: 'put', table: 'service_collections', keys: [named('collection', name)], values }]
}

/** One collection, or a list of them in one transaction. */
export const createCollection = (body: unknown, actor: Actor): SchemaCall => ({
  async planner(schema, catalogue) {
    const changes: Change[] = []
    const made = new Set<string>()
    for (const each of Array.isArray(body) ? body : [body]) {
      const { name, change } = await planCreate(each, schema, catalogue)
      if (made.size === made.add(name).size) throw exists(name)
      changes.push(change)
    }
    return together(changes)
  },
  answer: (schema) => {
    const found = namesIn(body).map((name) => readCollection(name, actor, schema))
    return Array.isArray(body) ? found : found[0]
  },
})

const exists = (name: string) => invalidPayload(`Collection "${name}" already exists`)

async function planCreate(
  body: unknown,
  schema: Schema,
  catalogue: Catalogue,
): Promise<{ name: string; change: Change }> {
  if (!isBody(body)) throw invalidPayload('The collection has to be an object')
  refuseUnknown(body, ['collection', 'meta', 'schema', 'fields'], 'a collection')
  const name = body['collection']
  checkCollectionName(name, catalogue)
  if (schema.collections.has(name) || schema.folders.has(name)) throw exists(name)
  const requests = fieldsOf(body, name, catalogue)
  const isTable = body['schema'] !== undefined && body['schema'] !== null
  if (!isTable && requests.some(({ column }) => column !== null))
    throw invalidPayload('A collection without "schema" has no table, and so no columns')
  const hasMeta = isBody(body['meta']) || !isTable
  const metadata = [...(hasMeta ? storeCollection(name, body['meta'] ?? {}) : []), ...storeFields(requests, name)]
  const ddl = isTable ? await tableFor(name, body, requests, schema, catalogue) : []
  return { name, change: { ddl, metadata, gone: null } }
}

/** Sort positions start at one in each group. */
function storeFields(requests: readonly FieldRequest[], collection: string): MetadataChange[] {
  const places = new Map<string | null, number>()
  const next = (group: string | null) => {
    const place = (places.get(group) ?? 0) + 1
    places.set(group, place)
    return place
  }
  return requests.flatMap((request) => storeField(request, collection, next))
}

function fieldsOf(body: Body, collection: string, catalogue: Catalogue): FieldRequest[] {
  const { fields = [] } = body
  if (!Array.isArray(fields)) throw invalidPayload('"fields" has to be a list')
  const requests = fields.map((field: unknown) => readField(field, collection, catalogue))
  const names = new Set<string>()
  for (const { name } of requests)
    if (names.size === names.add(name).size) throw invalidPayload(`The field "${name}" is there twice`)
  return requests
}

/** An auto-increment key, for tables without a key. */
const automaticKey = {
  definition: {
    name: 'id',
    form: { type: 'integer', maxLength: null, precision: null, scale: null },
    isNullable: false,
    default: null,
    isCounter: true,
  },
  isKey: true,
  isUnique: false,
  isIndexed: false,
  comment: null,
} as const

const isKey = ({ isKey: asked, definition }: { isKey: boolean; definition: { isCounter: boolean } }) =>
  asked || definition.isCounter

async function tableFor(
  name: string,
  body: Body,
  requests: readonly FieldRequest[],
  { defaultSchema }: Schema,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  const table = { schema: defaultSchema, table: name }
  const asked = requests.flatMap(({ column }) => column ?? [])
  const hasKey = asked.some(isKey)
  if (!hasKey && requests.some((request) => request.name === 'id'))
    throw invalidPayload(
      'No field is the primary key, and there is a field "id" already; mark one with "is_primary_key"',
    )
  const columns = hasKey ? asked : [automaticKey, ...asked]
  const changes: SchemaChange[] = [
    {
      kind: 'create-table',
      table,
      columns: columns.map(({ definition }) => definition),
      key: columns.filter(isKey).map(({ definition }) => definition.name),
    },
  ]
  const comment = commentOf(body['schema'])
  if (comment !== null) changes.push({ kind: 'comment-table', table, comment })
  for (const column of columns) changes.push(...(await extrasOf(column, table, catalogue)))
  return changes
}

function commentOf(schema: unknown): string | null {
  if (!isBody(schema)) throw invalidPayload('"schema" has to be an object; {} is enough')
  refuseUnknown(
    schema,
    ['name', 'comment', 'schema', 'collation', 'engine', 'owner', 'sql', 'kind', 'is_read_only'],
    'schema',
  )
  return readComment(schema)
}

export const deleteCollection = (name: string, actor: Actor): SchemaCall => ({
  async planner(schema) {
    if (!schema.folders.has(name)) checkTable(changeableCollection(name, actor, schema))
    return removeCollection(name, schema)
  },
  answer: () => undefined,
})

/** Some collections by name; unreadable ones are left out as if they did not exist. */
export const namedCollections = (keys: readonly string[], actor: Actor, schema: Schema): CollectionObject[] =>
  listCollections(actor, schema).filter(({ collection }) => keys.includes(collection))
