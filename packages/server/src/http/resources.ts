import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { resources, type ResourceCall, type ResourceName } from '../system/resources.ts'
import { actorOf, wantsDryRun, type HttpContext } from './context.ts'
import { honoured } from './dry-run.ts'
import { sendData } from './reply.ts'

const addresses: Readonly<Record<ResourceName, readonly [method: string, path: string]>> = {
  listFields: ['GET', '/fields'],
  fieldsOf: ['GET', '/fields/:a'],
  readField: ['GET', '/fields/:a/:b'],
  createField: ['POST', '/fields/:a'],
  updateFields: ['PATCH', '/fields/:a'],
  updateField: ['PATCH', '/fields/:a/:b'],
  deleteField: ['DELETE', '/fields/:a/:b'],
  listCollections: ['GET', '/collections'],
  namedCollections: ['SEARCH', '/collections'],
  readCollection: ['GET', '/collections/:a'],
  createCollection: ['POST', '/collections'],
  updateCollections: ['PATCH', '/collections'],
  updateCollection: ['PATCH', '/collections/:a'],
  deleteCollection: ['DELETE', '/collections/:a'],
  listRelations: ['GET', '/relations'],
  relationsOf: ['GET', '/relations/:a'],
  readRelation: ['GET', '/relations/:a/:b'],
  createRelation: ['POST', '/relations'],
  updateRelation: ['PATCH', '/relations/:a/:b'],
  deleteRelation: ['DELETE', '/relations/:a/:b'],
}

const reading = new Set(['GET', 'SEARCH'])

/** Routes for fields, collections and relations. They take no query parameters. */
export function resourceRoutes(app: FastifyInstance, context: HttpContext): void {
  for (const [name, [method, url]] of Object.entries(addresses)) {
    app.route({
      method,
      url,
      ...(reading.has(method) ? {} : honoured),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { a = '', b = '' } = request.params as { a?: string; b?: string }
        const actor = await actorOf(request, context)
        const call: ResourceCall = {
          // These reads run no statement that would check the versions.
          actor: await context.engine.renew(actor),
          schema: () => context.engine.schema(),
          metadata: context.metadata,
          body: request.body,
          names: [a, b],
          isDryRun: !reading.has(method) && wantsDryRun(request),
        }
        const data = await resources[name as ResourceName](call)
        if (call.isDryRun === true) void reply.header('preference-applied', 'tx=rollback')
        // No result means 204.
        if (data === undefined) return reply.code(204).send()
        sendData(reply, data)
        return reply
      },
    })
  }
}
