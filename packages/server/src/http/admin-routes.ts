import { routes, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { storedEncodings, type AdminApp, type AdminFile } from './admin-app.ts'
import { encodingFor } from './compression.ts'
import { pathOf } from './context.ts'
import { isUnchanged } from './entity-tag.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers everybody alike, from memory. */
    isStatic?: boolean
  }
}

/** The names below it contain a hash of the content. */
const HASHED = 'assets/'
const YEAR = 31_536_000

/** Scripts and styles come from files of this server alone, requests go to it alone, and no other site may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the app. Reads neither a token nor the database: what a person may see, the API decides. A path that names no
 * file is a screen of the app.
 */
export function adminRoutes(app: FastifyInstance, { home, index, others }: AdminApp, isCompressed: boolean): void {
  const options = { config: { isStatic: true } } as const
  app.get(routes.adminApp.path, options, async (_, reply) => reply.redirect(home))
  app.get(routes.adminFiles.path, options, async (request, reply) => {
    const { '*': name } = request.params as { readonly '*': string }
    const file = others.get(name)
    const isHashed = name.startsWith(HASHED)
    if (file === undefined && isHashed) {
      const path = pathOf(request)
      throw new ServiceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path })
    }
    void reply.header('cache-control', isHashed ? `public, max-age=${YEAR}, immutable` : 'no-cache')
    return send(request, reply, file ?? index, isCompressed)
  })
}

function send(request: FastifyRequest, reply: FastifyReply, file: AdminFile, isCompressed: boolean): FastifyReply {
  void reply.headers({
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  })
  if (isUnchanged(request, reply, file.etag)) return reply.code(304).send()
  void reply.header('content-type', file.type)
  const accepted = isCompressed ? encodingFor(request.headers['accept-encoding'] ?? '', storedEncodings) : null
  const encoded = accepted === null ? undefined : file[accepted]
  if (accepted === null || encoded === undefined) return reply.send(file.bytes)
  return reply.header('content-encoding', accepted).send(encoded)
}
