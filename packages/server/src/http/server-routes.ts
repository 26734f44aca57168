import { ServiceError } from '@tain/contract'
import type { FastifyInstance } from 'fastify'
import type { HttpContext } from './context.ts'

/** Liveness and readiness: public, and without access to the database. */
export function serverRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get('/server/ping', async (_, reply) => reply.header('content-type', 'text/plain; charset=utf-8').send('pong'))

  app.get('/server/ready', async (_, reply) => {
    if (!context.isReady()) throw new ServiceError('SERVICE_UNAVAILABLE')
    return reply.header('content-type', 'text/plain; charset=utf-8').send('ready')
  })
}
