import { forbidden, invalidPayload, relationMeta, type RelationObject } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { describeRelation } from '../schema/describe.ts'
import type { DeclaredRelation, Schema } from '../schema/schema.ts'
import type { MetadataChange, StoredValue } from '../schema/metadata-store.ts'
import { changeableCollection, readableCollection } from './fields.ts'
import {
  currentSchema,
  checkMayChange,
  isBody,
  named,
  notYet,
  refuseUnknown,
  storedMeta,
  type MetadataContext,
} from './metadata.ts'

/** A relation shows both its sides, so both have to be readable. */
function isReadable({ collection, relatedCollection }: DeclaredRelation, actor: Actor, schema: Schema): boolean {
  const sides = [collection, ...(relatedCollection === null ? [] : [relatedCollection])].map((name) =>
    schema.collections.get(name),
  )
  return sides.every((side) => side !== undefined && actor.readGrant(side) !== null)
}

export const listRelations = (actor: Actor, schema: Schema): RelationObject[] =>
  schema.relations
    .filter((relation) => isReadable(relation, actor, schema))
    .map((relation) => describeRelation(relation, schema))

export function relationsOf(name: string, actor: Actor, schema: Schema): RelationObject[] {
  readableCollection(name, actor, schema)
  return listRelations(actor, schema).filter(({ collection }) => collection === name)
}

export function readRelation(collection: string, field: string, actor: Actor, schema: Schema): RelationObject {
  const found = listRelations(actor, schema).find(
    (relation) => relation.collection === collection && relation.field === field,
  )
  if (found === undefined) throw forbidden()
  return found
}

const keyOf = (collection: string, field: string) => [named('many_collection', collection), named('many_field', field)]

export async function createRelation(body: unknown, actor: Actor, context: MetadataContext): Promise<RelationObject> {
  checkMayChange(actor, context)
  if (!isBody(body)) throw invalidPayload('The relation has to be an object')
  refuseUnknown(body, ['collection', 'field', 'related_collection', 'schema', 'meta'], 'a relation')
  const { collection, field, related_collection: related = null } = body
  if (typeof collection !== 'string' || typeof field !== 'string')
    throw invalidPayload('"collection" and "field" are required')
  if (related !== null && typeof related !== 'string') throw invalidPayload('"related_collection" has to be a name')
  const schema = currentSchema(context)
  const many = schema.collections.get(collection)
  if (many !== undefined) changeableCollection(collection, actor, schema)
  if (many === undefined) throw invalidPayload(`There is no collection "${collection}"`)
  const column = many.columns.get(field)
  if (column === undefined) throw invalidPayload(`There is no field "${field}" in collection "${collection}"`)
  if (many.key.length === 1 && many.key.includes(column) && column.relation === null)
    throw invalidPayload('The primary key cannot lead to another item')
  if (related !== null && !schema.collections.has(related)) throw invalidPayload(`There is no collection "${related}"`)
  if (schema.relations.some((relation) => relation.collection === collection && relation.field === field)) {
    throw invalidPayload(`Field "${field}" in collection "${collection}" already has a relation`)
  }
  if (isBody(body['schema'])) throw notYet('Creating foreign keys')
  const change = putMeta(collection, field, related, body['meta'])
  return readRelation(collection, field, actor, await context.store([change]))
}

function putMeta(collection: string, field: string, related: string | null, meta: unknown): MetadataChange {
  const fixed = { many_collection: collection, many_field: field, one_collection: related }
  const one: StoredValue = { column: 'one_collection', kind: 'text', value: related }
  const values = [one, ...storedMeta(meta, relationMeta, fixed)]
  return { kind: 'put', table: 'service_relations', keys: keyOf(collection, field), values }
}

export async function updateRelation(
  collection: string,
  field: string,
  body: unknown,
  actor: Actor,
  context: MetadataContext,
): Promise<RelationObject> {
  checkMayChange(actor, context)
  if (!isBody(body)) throw invalidPayload('The relation has to be an object')
  refuseUnknown(body, ['collection', 'field', 'related_collection', 'schema', 'meta'], 'a relation')
  const schema = currentSchema(context)
  const current = readRelation(collection, field, actor, schema)
  changeableCollection(collection, actor, schema)
  for (const [key, value] of [
    ['collection', collection],
    ['field', field],
    ['related_collection', current.related_collection],
  ] as const) {
    if (body[key] !== undefined && body[key] !== value) throw invalidPayload(`"${key}" cannot be changed`)
  }
  checkForeignKeyUnchanged(body['schema'], current)
  if (!isBody(body['meta'])) return current
  const change = putMeta(collection, field, current.related_collection, body['meta'])
  return readRelation(collection, field, actor, await context.store([change]))
}

function checkForeignKeyUnchanged(schema: unknown, current: RelationObject): void {
  if (!isBody(schema)) return
  const properties: Readonly<Record<string, unknown>> = { ...current.schema }
  if (Object.keys(schema).some((key) => JSON.stringify(schema[key]) !== JSON.stringify(properties[key])))
    throw notYet('Changing foreign keys')
}

export async function deleteRelation(
  collection: string,
  field: string,
  actor: Actor,
  context: MetadataContext,
): Promise<void> {
  checkMayChange(actor, context)
  const current = readRelation(collection, field, actor, currentSchema(context))
  if (current.schema !== null) throw notYet('Dropping foreign keys')
  await context.store([{ kind: 'remove', table: 'service_relations', keys: keyOf(collection, field) }])
}
