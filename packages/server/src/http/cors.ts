import type { FastifyInstance } from 'fastify'

export interface CorsOptions {
  readonly origins: readonly string[]
  readonly credentials: boolean
  readonly maxAge: number
}

/** The methods of all routes. */
export const METHODS = 'GET,HEAD,POST,PATCH,PUT,DELETE,SEARCH,QUERY,OPTIONS'
const REQUEST_HEADERS =
  'Content-Type,Authorization,X-Request-Id,X-HTTP-Method-Override,If-Match,If-None-Match,Idempotency-Key,Prefer,X-View-As,X-Service-Position,Tus-Resumable,Upload-Length,Upload-Offset,Upload-Metadata,Upload-Checksum'
const EXPOSED =
  'ETag,X-Request-Id,X-Schema-Version,Content-Range,Content-Disposition,Retry-After,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,Idempotency-Replayed,Preference-Applied,X-Service-Position,Location,Tus-Resumable,Tus-Version,Tus-Extension,Tus-Max-Size,Tus-Checksum-Algorithm,Upload-Offset,Upload-Length,Upload-Expires,File-Id'

/** The headers that let a browser read a response; null for an origin that is not configured. */
export function headersForOrigin(
  origin: string | undefined,
  { origins, credentials }: CorsOptions,
): Readonly<Record<string, string>> | null {
  const isForAll = origins.includes('*')
  if (origin === undefined || (!isForAll && !origins.includes(origin))) return null
  return {
    'access-control-allow-origin': isForAll ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
    ...(credentials ? { 'access-control-allow-credentials': 'true' } : {}),
  }
}

/** Adds CORS headers for the configured origins. Other origins get none. */
export function allowOrigins(app: FastifyInstance, options: CorsOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('vary', 'Origin')
    const headers = headersForOrigin(request.headers.origin, options)
    if (headers === null) return
    void reply.headers(headers)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': String(options.maxAge),
      })
      .send()
  })
  app.options('/*', async (_, reply) => reply.code(204).send())
}
