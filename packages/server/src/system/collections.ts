import { collectionMeta, invalidPayload, type CollectionObject } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { describeCollection } from '../schema/describe.ts'
import type { Schema } from '../schema/schema.ts'
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

export const listCollections = (actor: Actor, schema: Schema): CollectionObject[] =>
  [...schema.collections.values()].filter((collection) => actor.readGrant(collection) !== null).map(describeCollection)

export const readCollection = (name: string, actor: Actor, schema: Schema): CollectionObject =>
  describeCollection(readableCollection(name, actor, schema))

export async function updateCollection(
  name: string,
  body: unknown,
  actor: Actor,
  context: MetadataContext,
): Promise<CollectionObject> {
  if (!isBody(body)) throw invalidPayload('The collection has to be an object')
  const [updated] = await updateCollections([{ ...body, collection: name }], actor, context)
  return updated ?? readCollection(name, actor, currentSchema(context))
}

export async function updateCollections(
  bodies: unknown,
  actor: Actor,
  context: MetadataContext,
): Promise<CollectionObject[]> {
  checkMayChange(actor, context)
  if (!Array.isArray(bodies)) throw invalidPayload('Several collections have to be sent as a list')
  const schema = currentSchema(context)
  const updates = bodies.map((body: unknown) => {
    if (!isBody(body) || typeof body['collection'] !== 'string')
      throw invalidPayload('Each collection needs its name in "collection"')
    const { name } = changeableCollection(body['collection'], actor, schema)
    // What describes the table itself is accepted and has no effect.
    refuseUnknown(body, ['collection', 'meta', 'schema', 'fields'], 'a collection')
    return {
      name,
      values: storedMeta(body['meta'], collectionMeta, { collection: name }),
      hasMeta: isBody(body['meta']),
    }
  })
  const changes = updates
    .filter(({ hasMeta }) => hasMeta)
    .map(
      ({ name, values }) =>
        ({ kind: 'put', table: 'service_collections', keys: [named('collection', name)], values }) as const,
    )
  const changed = changes.length === 0 ? schema : await context.store(changes)
  return updates.map(({ name }) => readCollection(name, actor, changed))
}

export async function createCollection(body: unknown, actor: Actor, context: MetadataContext): Promise<never> {
  checkMayChange(actor, context)
  const schema = currentSchema(context)
  if (!isBody(body) || typeof body['collection'] !== 'string' || body['collection'] === '')
    throw invalidPayload('"collection" is required')
  const name = body['collection']
  if (schema.collections.has(name)) throw invalidPayload(`Collection "${name}" already exists`)
  if (name.startsWith('service_')) throw invalidPayload('Collections cannot start with "service_"')
  throw notYet('Creating collections')
}

export async function deleteCollection(name: string, actor: Actor, context: MetadataContext): Promise<never> {
  checkMayChange(actor, context)
  changeableCollection(name, actor, currentSchema(context))
  throw notYet('Deleting collections')
}
