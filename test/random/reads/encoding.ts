import type { Query } from './ast.ts'
import type { Json, Model } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import type { Request } from '../../lib/server.ts'
import { toBrackets, toJsonParameters, toWire } from './wire.ts'
import type { Read } from '../rights/answer.ts'
import type { Caller, User } from '../rights/rights.ts'

const LONGEST_ADDRESS = 12_000

/** How a query is written in REST. */
export type Encoding = 'SEARCH' | 'QUERY' | 'GET JSON' | 'GET brackets'

export const randomEncoding = (rng: Rng): Encoding =>
  rng.weighted<Encoding>([
    [5, 'SEARCH'],
    [1, 'QUERY'],
    [2, 'GET JSON'],
    [2, 'GET brackets'],
  ])

/** The administrator's token is the one that the service was started with. */
export const tokenOf = (caller: Caller): Pick<Request, 'token'> =>
  caller === 'administrator' ? {} : { token: caller?.token ?? null }

/** A list that GET cannot express is read with SEARCH. */
export function listRequest(
  model: Model,
  query: Query,
  encoding: Encoding,
  extra: Readonly<Record<string, Json>> = {},
): Request {
  const wire: Record<string, Json> = toWire(model, query, extra)
  const path = `/items/${encodeURIComponent(query.collection)}`
  if (encoding === 'QUERY') return { method: 'QUERY', path, body: { query: wire } }
  const parameters =
    encoding === 'GET JSON' ? toJsonParameters(wire) : encoding === 'GET brackets' ? toBrackets(wire) : null
  return parameters !== null && parameters.length < LONGEST_ADDRESS
    ? { method: 'GET', path: `${path}?${parameters}` }
    : { method: 'SEARCH', path, body: { query: wire } }
}

export function requestOf(model: Model, { query, key }: Read, encoding: Encoding, caller: Caller): Request {
  if (key === null) return { ...listRequest(model, query, encoding), ...tokenOf(caller) }
  const path = `/items/${encodeURIComponent(query.collection)}/${key.map(encodeURIComponent).join(',')}`
  return { method: 'GET', path: `${path}?${toJsonParameters(toWire(model, query))}`, ...tokenOf(caller) }
}

/** The same GraphQL request in the address, if it is short enough. */
export function asGet({ body, ...request }: Request): Request {
  const parts = Object.entries(body as Readonly<Record<string, unknown>>).map(
    ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  const path = `${request.path}?${parts.join('&')}`
  return path.length <= LONGEST_ADDRESS ? { ...request, method: 'GET', path } : { ...request, body }
}

/** The same request, sent by an administrator who views as the caller. */
export function viewedAs(caller: User | null, request: Request): Request {
  const { token, ...rest } = request
  return token === undefined ? request : { ...rest, viewAs: caller?.id ?? 'public' }
}
