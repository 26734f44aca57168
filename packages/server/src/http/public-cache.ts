import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpContext } from './context.ts'
import { hashTag } from './entity-tag.ts'
import { rawQuery } from './token-sources.ts'

/** What tells about the request that filled the cache, or what its caller chose: the id of a request. */
const OWN_HEADERS = ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const

/** Any credentials count, also those that the service ignores: a cache may not know the difference. */
export const hasCredentials = (request: FastifyRequest): boolean => {
  const { authorization, cookie, 'x-view-as': viewAs } = request.headers
  return (
    authorization !== undefined ||
    cookie !== undefined ||
    viewAs !== undefined ||
    rawQuery(request).includes('access_token')
  )
}

const isPlainRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Allows shared caches to keep a response that is the same for everybody. Returns whether it did. */
export function allowSharedCaches(
  request: FastifyRequest,
  reply: FastifyReply,
  isShared: boolean | undefined,
  { publicMaxAge }: Pick<HttpContext, 'publicMaxAge'>,
): boolean {
  if (publicMaxAge === null || isShared !== true) return false
  if (!isPlainRead(request) || hasCredentials(request) || reply.getHeader('set-cookie') !== undefined) return false
  for (const name of OWN_HEADERS) void reply.removeHeader(name)
  void reply.header('cache-control', `public, max-age=${publicMaxAge}`)
  return true
}

/** Weak, because compressed forms of the same content have it too. */
export const bodyTag = (body: string): string => `W/${hashTag(body)}`
