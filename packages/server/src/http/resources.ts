import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  createCollection,
  deleteCollection,
  listCollections,
  readCollection,
  updateCollection,
  updateCollections,
} from '../system/collections.ts'
import {
  createField,
  deleteField,
  fieldsOf,
  listFields,
  readField,
  updateField,
  updateFields,
} from '../system/fields.ts'
import {
  createRelation,
  deleteRelation,
  listRelations,
  readRelation,
  relationsOf,
  updateRelation,
} from '../system/relations.ts'
import type { Actor } from '../access/actor.ts'
import type { Schema } from '../schema/schema.ts'
import type { MetadataContext } from '../system/metadata.ts'
import { actorOf, type HttpContext } from './context.ts'
import { sendData } from './reply.ts'

interface Call {
  readonly actor: Actor
  readonly schema: () => Schema
  readonly metadata: MetadataContext
  readonly body: unknown
  /** Names from the address, in order. */
  readonly names: readonly [string, string]
}

/** method, path, what it does; a result of undefined is 204. */
const routes: readonly (readonly [string, string, (call: Call) => Promise<unknown>])[] = [
  ['GET', '/fields', async ({ actor, schema }) => listFields(actor, schema())],
  ['GET', '/fields/:a', async ({ actor, schema, names: [c] }) => fieldsOf(c, actor, schema())],
  ['GET', '/fields/:a/:b', async ({ actor, schema, names: [c, f] }) => readField(c, f, actor, schema())],
  ['POST', '/fields/:a', async ({ actor, metadata, body, names: [c] }) => createField(c, body, actor, metadata)],
  ['PATCH', '/fields/:a', async ({ actor, metadata, body, names: [c] }) => updateFields(c, body, actor, metadata)],
  [
    'PATCH',
    '/fields/:a/:b',
    async ({ actor, metadata, body, names: [c, f] }) => updateField(c, f, body, actor, metadata),
  ],
  ['DELETE', '/fields/:a/:b', async ({ actor, metadata, names: [c, f] }) => deleteField(c, f, actor, metadata)],
  ['GET', '/collections', async ({ actor, schema }) => listCollections(actor, schema())],
  ['GET', '/collections/:a', async ({ actor, schema, names: [c] }) => readCollection(c, actor, schema())],
  ['POST', '/collections', async ({ actor, metadata, body }) => createCollection(body, actor, metadata)],
  ['PATCH', '/collections', async ({ actor, metadata, body }) => updateCollections(body, actor, metadata)],
  [
    'PATCH',
    '/collections/:a',
    async ({ actor, metadata, body, names: [c] }) => updateCollection(c, body, actor, metadata),
  ],
  ['DELETE', '/collections/:a', async ({ actor, metadata, names: [c] }) => deleteCollection(c, actor, metadata)],
  ['GET', '/relations', async ({ actor, schema }) => listRelations(actor, schema())],
  ['GET', '/relations/:a', async ({ actor, schema, names: [c] }) => relationsOf(c, actor, schema())],
  ['GET', '/relations/:a/:b', async ({ actor, schema, names: [c, f] }) => readRelation(c, f, actor, schema())],
  ['POST', '/relations', async ({ actor, metadata, body }) => createRelation(body, actor, metadata)],
  [
    'PATCH',
    '/relations/:a/:b',
    async ({ actor, metadata, body, names: [c, f] }) => updateRelation(c, f, body, actor, metadata),
  ],
  ['DELETE', '/relations/:a/:b', async ({ actor, metadata, names: [c, f] }) => deleteRelation(c, f, actor, metadata)],
]

/** Fields, collections and relations. Query parameters mean nothing here. */
export function resourceRoutes(app: FastifyInstance, context: HttpContext): void {
  for (const [method, url, run] of routes) {
    app.route({
      method,
      url,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { a = '', b = '' } = request.params as { a?: string; b?: string }
        const call: Call = {
          actor: actorOf(request, context),
          schema: () => context.engine.schema(),
          metadata: context.metadata,
          body: request.body,
          names: [a, b],
        }
        // No statement of theirs would bring the version along.
        context.engine.schema()
        await context.metadata.snapshot.latest()
        const data = await run(call)
        if (data === undefined) return reply.code(204).send()
        sendData(reply, data)
        return reply
      },
    })
  }
}
