import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import type { Authenticate } from '../auth/authenticate.ts'
import type { Engine } from '../engine/engine.ts'
import type { ParsedQuery, QueryLimits } from '../query/parse-query.ts'
import type { ImportLimits } from '../system/import/import.ts'
import type { MetadataContext } from '../system/metadata.ts'

/** What routes work with. */
export interface HttpContext {
  readonly engine: Engine
  readonly authenticate: Authenticate
  readonly metadata: MetadataContext
  readonly systemCollections: readonly { readonly name: string; readonly path: string }[]
  readonly imports: ImportLimits
  readonly limits: QueryLimits
  readonly queryOf: (request: FastifyRequest) => ParsedQuery & { readonly queryKey: string }
  readonly version: string
  readonly limitSettings: { readonly default: number; readonly max: number | null }
  /** Whether requests should go elsewhere: shutting down, or the database is away. */
  readonly isReady: () => boolean
  readonly isReachable: () => boolean
}

/** The query string as it was sent; it is parsed where it is needed, and often not at all. */
export const rawQuery = (request: FastifyRequest): string => {
  const { url } = request.raw
  const at = url === undefined ? -1 : url.indexOf('?')
  return url === undefined || at === -1 ? '' : url.slice(at + 1)
}

const tokenParameter = /(?:^|&)access_token=([^&]*)/u

export const withoutToken = (query: string): string =>
  query.includes('access_token=') ? query.replace(/(^|&)access_token=[^&]*/gu, '').replace(/^&/u, '') : query

function tokenOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header !== undefined) {
    const bearer = /^Bearer\s+(\S+)$/iu.exec(header)
    if (bearer?.[1] !== undefined) return bearer[1]
  }
  const found = tokenParameter.exec(rawQuery(request))
  if (found?.[1] === undefined || found[1] === '') return null
  try {
    return decodeURIComponent(found[1])
  } catch {
    return found[1]
  }
}

export const actorOf = (request: FastifyRequest, { authenticate }: HttpContext): Actor => authenticate(tokenOf(request))
