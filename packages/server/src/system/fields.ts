import { forbidden, invalidPayload, ServiceError, type FieldObject } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { collectionNames, noCollection, noField } from '../query/resolve.ts'
import { nothing, together, type Change, type MetadataChange } from '../schema/change.ts'
import { describeFields } from '../schema/describe.ts'
import type { AliasField, Collection, ColumnField, Schema } from '../schema/schema.ts'
import { removeField } from './field-removal.ts'
import { extrasOf, readField as readRequest, type FieldRequest } from './field-request.ts'
import { checkTable, fieldKey, planUpdate } from './field-update.ts'
import { inferredField } from './inferred.ts'
import { isBody, type SchemaCall } from './metadata.ts'

export function readableCollection(name: string, actor: Actor, schema: Schema): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || !actor.may('read', collection))
    throw noCollection(
      name,
      'root',
      collectionNames(schema, (entry) => actor.may('read', entry)),
    )
  return collection
}

/** System collections cannot be changed. */
export function changeableCollection(name: string, actor: Actor, schema: Schema): Collection {
  const collection = readableCollection(name, actor, schema)
  if (collection.isSystem) throw forbidden(`The collection "${name}" belongs to the service and cannot be changed.`)
  return collection
}

/** Besides the declared fields, system collections may have lists of items that refer to them. */
function withField(
  name: string,
  actor: Actor,
  schema: Schema,
  isAdded: (collection: Collection) => boolean,
): Collection {
  const collection = readableCollection(name, actor, schema)
  return isAdded(collection) ? collection : changeableCollection(name, actor, schema)
}

const isAddedList = (field: string) => (collection: Collection) => {
  const alias = collection.aliases.get(field)
  return alias !== undefined && alias.meta.system !== true
}

const isReadable = (collection: Collection, actor: Actor) => {
  const fields = actor.fieldsFor(collection, 'read')
  return (field: FieldObject) => fields === 'all' || fields.has(field.field)
}

/** Foreign keys do not reveal the names of tables that the caller may not read. */
function shown(field: FieldObject, actor: Actor, schema: Schema): FieldObject {
  const { schema: column } = field
  if (actor.isAdmin || column?.foreign_key_table == null) return field
  const isOpen = [...schema.collections.values()].some(
    (to) => to.table === column.foreign_key_table && to.schema === column.foreign_key_schema && actor.may('read', to),
  )
  const closed = { foreign_key_schema: null, foreign_key_table: null, foreign_key_column: null }
  return isOpen ? field : { ...field, schema: { ...column, ...closed } }
}

const readableFields = (collection: Collection, actor: Actor, schema: Schema): FieldObject[] =>
  describeFields(collection)
    .filter(isReadable(collection, actor))
    .map((field) => shown(field, actor, schema))

export const listFields = (actor: Actor, schema: Schema): FieldObject[] =>
  [...schema.collections.values()].flatMap((collection) => readableFields(collection, actor, schema))

export function fieldsOf(name: string, actor: Actor, schema: Schema): FieldObject[] {
  const collection = readableCollection(name, actor, schema)
  return readableFields(collection, actor, schema)
}

export function readField(collectionName: string, name: string, actor: Actor, schema: Schema): FieldObject {
  const collection = readableCollection(collectionName, actor, schema)
  const fields = readableFields(collection, actor, schema)
  const found = fields.find(({ field }) => field === name) ?? inferredField(collection, name, actor, schema)
  if (found === undefined)
    throw noField(
      name,
      collectionName,
      'root',
      fields.map(({ field }) => field),
    )
  return found
}

/** Stored metadata of a field, with the next sort position if none was sent. */
export function storeField(
  { name, meta }: FieldRequest,
  collection: string,
  nextSort: (group: string | null) => number,
): MetadataChange[] {
  if (meta === null) return []
  const group = meta.find(({ column }) => column === 'group')?.value ?? null
  const hasSort = meta.some(({ column, value }) => column === 'sort' && value !== null)
  const place = { column: 'sort', kind: 'integer', value: String(nextSort(group)) } as const
  const values = hasSort ? meta : [...meta.filter(({ column }) => column !== 'sort'), place]
  return [{ kind: 'put', table: 'service_fields', keys: fieldKey(collection, name), values }]
}

const largestSort = (collection: Collection, group: string | null) =>
  Math.max(
    0,
    ...[...collection.columns.values(), ...collection.aliases.values()].map(({ meta }) =>
      meta !== null && (group === null || meta.group === group) ? (meta.sort ?? 0) : 0,
    ),
  )

export const createField = (collectionName: string, body: unknown, actor: Actor): SchemaCall => ({
  async planner(schema, catalogue) {
    const isAlias = isBody(body) && body['type'] === 'alias'
    const collection = withField(collectionName, actor, schema, () => isAlias)
    const request = readRequest(body, collectionName, catalogue)
    const { name, column } = request
    const alias = collection.aliases.get(name)
    // An alias that only a relation declares has no sort position yet.
    const isOpen = isAlias && alias?.meta?.sort === null && alias.relation !== null
    if (collection.columns.has(name) || (alias !== undefined && !isOpen))
      throw invalidPayload(`Field "${name}" already exists in collection "${collectionName}"`)
    const metadata = storeField(request, collectionName, (group) => 1 + largestSort(collection, group))
    if (column === null) return { ...nothing, metadata }
    checkTable(collection)
    if (column.isKey)
      throw new ServiceError('UNPROCESSABLE_CONTENT', 'A primary key is made together with its collection.')
    const table = { schema: collection.schema, table: collection.table }
    const extras = await extrasOf(column, table, catalogue)
    return { ddl: [{ kind: 'add-column', table, column: column.definition }, ...extras], metadata, gone: null }
  },
  answer: (schema) => readField(collectionName, isBody(body) ? String(body['field']) : '', actor, schema),
})

function knownField(collection: Collection, name: string, actor: Actor): ColumnField | AliasField {
  const field = collection.columns.get(name) ?? collection.aliases.get(name)
  if (field === undefined) {
    const readable = actor.fieldsFor(collection, 'read')
    const names = [...collection.columns.keys(), ...collection.aliases.keys()]
    throw noField(
      name,
      collection.name,
      'root',
      names.filter((known) => readable === 'all' || readable.has(known)),
    )
  }
  return field
}

export const updateField = (collectionName: string, name: string, body: unknown, actor: Actor): SchemaCall => ({
  async planner(schema, catalogue) {
    const collection = withField(collectionName, actor, schema, isAddedList(name))
    const field = knownField(collection, name, actor)
    if (!isBody(body)) throw invalidPayload('The field has to be an object')
    if (body['field'] !== undefined && body['field'] !== name) throw invalidPayload('A field cannot be renamed')
    checkSameCollection(body['collection'], collectionName)
    return planUpdate(body, field, collection, catalogue)
  },
  answer: (schema) => readField(collectionName, name, actor, schema),
})

const checkSameCollection = (given: unknown, name: string) => {
  if (given !== undefined && given !== name) throw invalidPayload('A field cannot be moved to another collection')
}

export const updateFields = (collectionName: string, bodies: unknown, actor: Actor): SchemaCall => ({
  async planner(schema, catalogue) {
    const collection = changeableCollection(collectionName, actor, schema)
    const changes: Change[] = []
    const seen = new Set<string>()
    for (const body of listOf(bodies)) {
      if (!isBody(body) || typeof body['field'] !== 'string')
        throw invalidPayload('Each field needs its name in "field"')
      const field = knownField(collection, body['field'], actor)
      if (seen.size === seen.add(field.name).size) throw invalidPayload(`The field "${field.name}" is named twice`)
      checkSameCollection(body['collection'], collectionName)
      changes.push(await planUpdate(body, field, collection, catalogue))
    }
    return together(changes)
  },
  answer: (schema) => {
    const names = listOf(bodies).flatMap((body) => (isBody(body) ? [String(body['field'])] : []))
    return names.length === 0 ? undefined : names.map((name) => readField(collectionName, name, actor, schema))
  },
})

function listOf(bodies: unknown): readonly unknown[] {
  if (!Array.isArray(bodies)) throw invalidPayload('Several fields have to be sent as a list')
  return bodies
}

export const deleteField = (collectionName: string, name: string, actor: Actor): SchemaCall => ({
  async planner(schema) {
    const collection = withField(collectionName, actor, schema, isAddedList(name))
    const field = knownField(collection, name, actor)
    if (field.kind === 'column') {
      if (collection.key.includes(field))
        throw new ServiceError('UNPROCESSABLE_CONTENT', 'The primary key cannot be deleted.')
      checkTable(collection)
    }
    return removeField(collection, name, schema)
  },
  answer: () => undefined,
})
