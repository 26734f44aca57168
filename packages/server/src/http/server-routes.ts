import { forbidden, ServiceError } from '@tain/contract'
import type { FastifyInstance } from 'fastify'
import { actorOf, type HttpContext } from './context.ts'
import { sendData } from './reply.ts'

/** /server: is it there, what is it, is it well. Only `ping` and `ready` are for everybody and touch no database. */
export function serverRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get('/server/ping', async (_, reply) => reply.header('content-type', 'text/plain; charset=utf-8').send('pong'))

  app.get('/server/ready', async (_, reply) => {
    if (!context.isReady()) throw new ServiceError('SERVICE_UNAVAILABLE')
    return reply.header('content-type', 'text/plain; charset=utf-8').send('ready')
  })

  app.get('/server/info', async (request, reply) => {
    const actor = actorOf(request, context)
    const { default: fallback, max } = context.limitSettings
    const project = { project_name: 'Tain', default_language: 'en-US', public_registration: false }
    const details = {
      version: context.version,
      rateLimit: false,
      queryLimit: { default: fallback, max: max ?? -1 },
      websocket: false,
    }
    sendData(reply, actor.isAdmin ? { project, ...details } : { project })
    return reply
  })

  app.get('/server/health', async (request, reply) => {
    const actor = actorOf(request, context)
    if (!actor.isAdmin) throw forbidden()
    const isReachable = context.isReachable()
    const schema = isReachable && context.isReady() ? context.engine.schema() : null
    const status = isReachable && schema !== null ? 'ok' : 'error'
    const checks = {
      'database:connection': [{ status: isReachable ? 'ok' : 'error', componentType: 'datastore' }],
      'schema:collections': [
        {
          status: schema === null ? 'error' : 'ok',
          componentType: 'component',
          observedValue: schema?.collections.size ?? 0,
        },
      ],
    }
    return reply
      .code(status === 'ok' ? 200 : 503)
      .header('content-type', 'application/health+json; charset=utf-8')
      .send(JSON.stringify({ status, releaseId: context.version, serviceId: 'tain', checks }))
  })
}
