import type { FastifyInstance } from 'fastify'

export interface CorsOptions {
  readonly origins: readonly string[]
  readonly credentials: boolean
  readonly maxAge: number
}

const METHODS = 'GET,HEAD,POST,PATCH,PUT,DELETE,SEARCH,QUERY,OPTIONS'
const REQUEST_HEADERS =
  'Content-Type,Authorization,X-Request-Id,X-HTTP-Method-Override,If-Match,If-None-Match,Idempotency-Key,Prefer,X-View-As'
const EXPOSED =
  'ETag,X-Request-Id,X-Schema-Version,Content-Range,Content-Disposition,Retry-After,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,Idempotency-Replayed,Preference-Applied'

/** Adds CORS headers for the configured origins. Other origins get none. */
export function allowOrigins(app: FastifyInstance, { origins, credentials, maxAge }: CorsOptions): void {
  const isAllowed = (origin: string) => origins.includes('*') || origins.includes(origin)
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    void reply.header('vary', 'Origin')
    if (origin === undefined || !isAllowed(origin)) return
    void reply.header('access-control-allow-origin', origins.includes('*') ? '*' : origin)
    void reply.header('access-control-expose-headers', EXPOSED)
    if (credentials) void reply.header('access-control-allow-credentials', 'true')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': String(maxAge),
      })
      .send()
  })
  app.options('/*', async (_, reply) => reply.code(204).send())
}
