import { Readable } from 'node:stream'
import { routes } from '@tain/contract'
import type { FastifyInstance } from 'fastify'
import { actorOf, type HttpContext } from './context.ts'
import { isUnchanged } from './entity-tag.ts'

/** `/llms.txt`: how agents use the service, as Markdown. */
export function guideRoute(app: FastifyInstance, context: HttpContext): void {
  app.get(routes.guide.path, async (request, reply) => {
    const { pieces, tag } = await context.guide(await actorOf(request, context))
    if (isUnchanged(request, reply, tag)) return reply.code(304).send()
    return reply
      .header('content-type', 'text/markdown; charset=utf-8')
      .send(Readable.from(pieces, { objectMode: false }))
  })
}
