import type { AbortFlag } from '../lib/abort-flag.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { queryKeyOf, type KeyedQuery } from '../query/keyed-query.ts'
import { parseQuery, type ParsedQuery, type QueryLimits } from '../query/parse-query.ts'
import { rawQuery, withoutToken } from './token-sources.ts'
import { parseQueryString } from './query-string.ts'

/** A parsed query that the engine can cache. */
export type Prepared = ParsedQuery & KeyedQuery

const QUERY_STRING_LIMITS = { parameters: 1000, depth: 20 }
const CACHED_QUERIES = 1000
const CACHED_QUERY_LENGTH = 4096

/** Parameters that begin with `_` have no meaning; browser libraries add them to bypass caches. */
function withoutCacheBusters(wire: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(wire)) if (name.startsWith('_')) delete wire[name]
  return wire
}

export const prepare = (parsed: ParsedQuery): Prepared => ({ ...parsed, queryKey: queryKeyOf(parsed.query) })

/** The query string as JSON, without tokens and cache busters. */
export const wireOf = (request: FastifyRequest): Record<string, unknown> =>
  withoutCacheBusters(parseQueryString(withoutToken(rawQuery(request)), QUERY_STRING_LIMITS))

export type QueryOf = (request: FastifyRequest) => Prepared

/** Caches parsed queries: clients repeat the same URLs, and equal query strings mean equal queries. */
export function createQueryOf(limits: QueryLimits): QueryOf {
  const cache = new LRUCache<string, Prepared>({ max: CACHED_QUERIES })
  return (request) => {
    const text = withoutToken(rawQuery(request))
    const known = cache.get(text)
    if (known !== undefined) return known
    const prepared = prepare(parseQuery(wireOf(request), limits))
    if (text.length <= CACHED_QUERY_LENGTH) cache.set(text, prepared)
    return prepared
  }
}

/** Signals that the client has disconnected, so that its statement stops. */
export function signalOf({ raw }: FastifyReply): AbortFlag {
  let isGone = false
  return {
    get aborted() {
      isGone ||= raw.destroyed && !raw.writableFinished
      return isGone
    },
  }
}
