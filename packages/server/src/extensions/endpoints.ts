import { ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Origin } from '../changes/change.ts'
import { isDatabaseError } from '../engine/faults.ts'
import type { Observe } from '../observe.ts'
import type { EndpointMethod, EndpointRequest, EndpointResponse } from './api.ts'
import { callerOf } from './caller.ts'
import type { Registry, ServedEndpoint } from './registered.ts'
import { failed, isTold, Overdue, runCode } from './run.ts'
import { itemsOf, systemItems, type ItemsServices } from './system-items.ts'

/** A request below `/extensions`, before its caller is known. */
export interface EndpointCall extends Pick<EndpointRequest, 'query' | 'headers' | 'body'> {
  readonly method: string
  /** Below `/extensions/`, still encoded. */
  readonly path: string
  readonly actor: () => Promise<Actor>
  readonly origin: Origin
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  /** JSON text; null: none. */
  readonly body: string | null
}

export interface EndpointServices extends ItemsServices {
  readonly timeout: number
  /** Most characters of an answer. */
  readonly responseSize: number
  readonly observe: Observe
}

/** Answers a request; throws ROUTE_NOT_FOUND if no extension does. */
export type AnswerEndpoint = (call: EndpointCall) => Promise<EndpointAnswer>

/** Headers that the service itself sets. */
const reserved = /^(?:connection|content-encoding|content-length|content-type|transfer-encoding)$/iu
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/u
const CONTENT = /^[\t\x20-\x7e\x80-\xff]*$/u

export const createEndpoints =
  (registry: Registry, services: EndpointServices): AnswerEndpoint =>
  async (call) => {
    const { extension, endpoint, params, rest } = find(call, registry)
    const actor = await call.actor()
    const code = { extension, hook: `${endpoint.method} /${endpoint.path.join('/')}` }
    try {
      const response = await runCode(code, services.timeout, (signal) =>
        endpoint.run({
          method: endpoint.method,
          path: `/${rest.join('/')}`,
          params,
          query: call.query,
          headers: call.headers,
          body: call.body,
          caller: callerOf(actor),
          items: itemsOf(actor, call.origin, services),
          asSystem: systemItems(extension, services),
          signal,
        }),
      )
      return answerOf(response, services.responseSize)
    } catch (error) {
      if (isTold(error) || isDatabaseError(error)) throw error
      const told = failed(code, error, services.observe)
      throw error instanceof Overdue
        ? new ServiceError('SERVICE_UNAVAILABLE', 'An extension of the service took too long.')
        : told
    }
  }

interface Found {
  readonly extension: string
  readonly endpoint: ServedEndpoint
  readonly params: Readonly<Record<string, string>>
  readonly rest: readonly string[]
}

function find({ method, path }: EndpointCall, registry: Registry): Found {
  const segments = decoded(path)
  const [name, ...rest] = segments ?? []
  const parts = rest.length === 1 && rest[0] === '' ? [] : rest
  const extension = registry.current().find((each) => each.name === name)
  const matching = extension?.endpoints.filter((endpoint) => matches(endpoint, parts)) ?? []
  const wanted = (method === 'HEAD' ? 'GET' : method) as EndpointMethod
  const endpoint = matching.find((each) => each.method === wanted)
  if (extension === undefined || matching.length === 0)
    throw new ServiceError('ROUTE_NOT_FOUND', `Route /extensions/${path} doesn't exist.`, {
      path: `/extensions/${path}`,
    })
  if (endpoint === undefined) throw new ServiceError('METHOD_NOT_ALLOWED')
  return { extension: extension.name, endpoint, params: paramsOf(endpoint, parts), rest: parts }
}

function decoded(path: string): readonly string[] | null {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

const matches = ({ path }: ServedEndpoint, parts: readonly string[]) =>
  path.length === parts.length &&
  path.every((segment, index) => (segment.startsWith(':') ? parts[index] !== '' : segment === parts[index]))

const paramsOf = ({ path }: ServedEndpoint, parts: readonly string[]) =>
  Object.fromEntries(
    path.flatMap((segment, index) => (segment.startsWith(':') ? [[segment.slice(1), parts[index] ?? '']] : [])),
  )

/** Plain errors: the extension returned something that cannot be sent. */
function answerOf(response: EndpointResponse | void, most: number): EndpointAnswer {
  if (response !== undefined && (typeof response !== 'object' || response === null))
    throw new TypeError('An endpoint has to return an object such as { body: … }.')
  const { status: given, headers = {}, body } = response ?? {}
  const text = body === undefined ? null : JSON.stringify(body)
  if (text === undefined) throw new TypeError('The body of the response cannot be written as JSON.')
  if (text !== null && text.length > most) throw new RangeError(`The response has more than ${most} characters.`)
  const status = given ?? (text === null ? 204 : 200)
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`${String(status)} is no status of a response.`)
  const entries = Object.entries(headers)
  for (const [name, value] of entries)
    if (reserved.test(name) || !HEADER.test(name) || typeof value !== 'string' || !CONTENT.test(value))
      throw new TypeError(`The header "${name}" cannot be set.`)
  return { status, headers: entries, body: text }
}
