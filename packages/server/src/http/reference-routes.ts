import { routes, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './context.ts'
import { isUnchanged } from './entity-tag.ts'
import { PAGE, referenceFiles, type ReferenceFile } from './reference-files.ts'

/** Scripts, styles and requests are those of this server alone, nothing is inline, and no other site may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page that explains the interface and tries it. What its reader may see, the document decides, not the page. */
export function referenceRoutes(app: FastifyInstance): void {
  const options = { config: { isStatic: true } } as const
  app.get(routes.apiReference.path, options, async (request, reply) => send(request, reply, PAGE))
  app.get(routes.apiReferenceFiles.path, options, async (request, reply) => {
    const { '*': name } = request.params as { readonly '*': string }
    // Addresses in the page are relative, so a slash at its end would lead them astray.
    return name === '' ? reply.redirect('../api') : send(request, reply, name)
  })
}

function send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
  const file = referenceFiles().get(name)
  if (file === undefined) throw unknown(request)
  return sendFile(request, reply, file)
}

function unknown(request: FastifyRequest): ServiceError {
  const path = pathOf(request)
  return new ServiceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { text, type, etag }: ReferenceFile): FastifyReply {
  void reply.headers({
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
  if (isUnchanged(request, reply, etag)) return reply.code(304).send()
  return reply.header('content-type', type).send(text)
}
