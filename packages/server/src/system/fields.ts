import { fieldMeta, forbidden, invalidPayload, isFieldType, ServiceError, type FieldObject } from '@tain/contract'
import type { Actor } from '../access/actor.ts'

import { describeField, describeFields } from '../schema/describe.ts'
import type { AliasField, Collection, ColumnField, Schema } from '../schema/schema.ts'
import { noCollection, noField } from '../query/resolve.ts'
import {
  currentSchema,
  checkMayChange,
  isBody,
  named,
  notYet,
  refuseUnknown,
  storedMeta,
  type Body,
  type MetadataContext,
} from './metadata.ts'

const aliasTypes = new Set(['alias', 'o2m', 'm2m', 'm2a', 'o2a', 'files', 'translations'])

export function readableCollection(name: string, actor: Actor, schema: Schema): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || actor.readGrant(collection) === null) throw noCollection(name)
  return collection
}

/** The service's own collections are what they are. */
export function changeableCollection(name: string, actor: Actor, schema: Schema): Collection {
  const collection = readableCollection(name, actor, schema)
  if (collection.isSystem) throw forbidden(`The collection "${name}" belongs to the service and cannot be changed.`)
  return collection
}

const isReadable = (collection: Collection, actor: Actor) => {
  const grant = actor.readGrant(collection)
  return (field: FieldObject) => grant !== null && (grant.fields === 'all' || grant.fields.has(field.field))
}

export const listFields = (actor: Actor, schema: Schema): FieldObject[] =>
  [...schema.collections.values()].flatMap((collection) =>
    describeFields(collection).filter(isReadable(collection, actor)),
  )

export function fieldsOf(name: string, actor: Actor, schema: Schema): FieldObject[] {
  const collection = readableCollection(name, actor, schema)
  return describeFields(collection).filter(isReadable(collection, actor))
}

export function readField(collectionName: string, name: string, actor: Actor, schema: Schema): FieldObject {
  const found = fieldsOf(collectionName, actor, schema).find(({ field }) => field === name)
  if (found === undefined) throw noField(name, collectionName)
  return found
}

export async function createField(
  collectionName: string,
  body: unknown,
  actor: Actor,
  context: MetadataContext,
): Promise<FieldObject> {
  checkMayChange(actor, context)
  const schema = currentSchema(context)
  const collection = changeableCollection(collectionName, actor, schema)
  if (!isBody(body)) throw invalidPayload('The field has to be an object')
  refuseUnknown(body, ['field', 'type', 'meta', 'schema', 'collection'], 'a field')
  const { field, type } = body
  if (typeof field !== 'string' || field === '') throw invalidPayload('"field" is required')
  if (typeof type !== 'string') throw invalidPayload('"type" is required')
  if (!aliasTypes.has(type) && !isFieldType(type)) throw invalidPayload(`There is no type "${type}"`)
  if (collection.columns.has(field) || collection.aliases.has(field)) {
    throw invalidPayload(`Field "${field}" already exists in collection "${collectionName}"`)
  }
  if (!aliasTypes.has(type)) throw notYet('Creating columns')
  const values = storedMeta(body['meta'], fieldMeta, { collection: collectionName, field })
  const hasSort = values.some(({ column }) => column === 'sort')
  const position = { column: 'sort', kind: 'integer', value: String(nextSort(collection)) } as const
  const changed = await context.store([
    {
      kind: 'put',
      table: 'service_fields',
      keys: keyOf(collectionName, field),
      values: hasSort ? values : [...values, position],
    },
  ])
  return readField(collectionName, field, actor, changed)
}

const keyOf = (collection: string, field: string) => [named('collection', collection), named('field', field)]

const nextSort = (collection: Collection) =>
  1 +
  Math.max(0, ...[...collection.columns.values(), ...collection.aliases.values()].map(({ meta }) => meta?.sort ?? 0))

function knownField(collectionName: string, name: string, actor: Actor, schema: Schema): ColumnField | AliasField {
  const collection = changeableCollection(collectionName, actor, schema)
  const field = collection.columns.get(name) ?? collection.aliases.get(name)
  if (field === undefined) throw noField(name, collectionName)
  return field
}

export async function updateField(
  collectionName: string,
  name: string,
  body: unknown,
  actor: Actor,
  context: MetadataContext,
): Promise<FieldObject> {
  const [updated] = await updateFields(
    collectionName,
    [{ ...(isBody(body) ? body : {}), field: namedField(body, name) }],
    actor,
    context,
  )
  if (updated === undefined) throw noField(name, collectionName)
  return updated
}

function namedField(body: unknown, name: string): string {
  if (!isBody(body)) throw invalidPayload('The field has to be an object')
  if (body['field'] !== undefined && body['field'] !== name) throw invalidPayload('A field cannot be renamed')
  return name
}

export async function updateFields(
  collectionName: string,
  bodies: unknown,
  actor: Actor,
  context: MetadataContext,
): Promise<FieldObject[]> {
  checkMayChange(actor, context)
  if (!Array.isArray(bodies)) throw invalidPayload('Several fields have to be sent as a list')
  const schema = currentSchema(context)
  const collection = changeableCollection(collectionName, actor, schema)
  const updates = bodies.map((body: unknown) => {
    if (!isBody(body) || typeof body['field'] !== 'string') throw invalidPayload('Each field needs its name in "field"')
    const field = knownField(collectionName, body['field'], actor, schema)
    refuseUnknown(body, ['field', 'type', 'meta', 'schema', 'collection'], 'a field')
    checkColumnUnchanged(body, field, collection)
    const values = storedMeta(body['meta'], fieldMeta, { collection: collectionName, field: field.name })
    return { name: field.name, values, hasMeta: isBody(body['meta']) }
  })
  const changes = updates
    .filter(({ hasMeta }) => hasMeta)
    .map(
      ({ name, values }) =>
        ({ kind: 'put', table: 'service_fields', keys: keyOf(collectionName, name), values }) as const,
    )
  const changed = changes.length === 0 ? schema : await context.store(changes)
  return updates.map(({ name }) => readField(collectionName, name, actor, changed))
}

/** Until columns can be changed, a body may only say of them what is true already. */
function checkColumnUnchanged(body: Body, field: ColumnField | AliasField, collection: Collection): void {
  const { type, schema } = body
  const current = describeField(field, collection)
  if (field.kind === 'alias') {
    if ((type !== undefined && !(typeof type === 'string' && aliasTypes.has(type))) || isBody(schema))
      throw invalidPayload('An alias field cannot be turned into a column')
    return
  }
  if (type !== undefined && typeof type === 'string' && aliasTypes.has(type))
    throw invalidPayload('A column cannot be turned into an alias field')
  if (type !== undefined && (typeof type !== 'string' || !isFieldType(type)))
    throw invalidPayload(`There is no such type`)
  const properties: Readonly<Record<string, unknown>> = { ...current.schema }
  const changes = isBody(schema)
    ? Object.keys(schema).filter((key) => JSON.stringify(schema[key]) !== JSON.stringify(properties[key]))
    : []
  if ((type !== undefined && type !== current.type) || changes.length > 0) throw notYet('Changing columns')
}

export async function deleteField(
  collectionName: string,
  name: string,
  actor: Actor,
  context: MetadataContext,
): Promise<void> {
  checkMayChange(actor, context)
  const schema = currentSchema(context)
  const field = knownField(collectionName, name, actor, schema)
  const collection = changeableCollection(collectionName, actor, schema)
  if (field.kind === 'column') {
    if (collection.key.includes(field))
      throw new ServiceError('UNPROCESSABLE_CONTENT', 'The primary key cannot be deleted.')
    throw notYet('Deleting columns')
  }
  const reverse = schema.relations.filter(
    ({ relatedCollection, meta }) => relatedCollection === collectionName && meta?.one_field === name,
  )
  await context.store([
    { kind: 'remove', table: 'service_fields', keys: keyOf(collectionName, name) },
    ...reverse.map(
      (relation) =>
        ({
          kind: 'put',
          table: 'service_relations',
          keys: [named('many_collection', relation.collection), named('many_field', relation.field)],
          values: [{ column: 'one_field', kind: 'text', value: null }],
        }) as const,
    ),
  ])
}
