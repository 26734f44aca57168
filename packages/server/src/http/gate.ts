import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { procedures, routes, ServiceError, type ProcedureRow } from '@tain/contract'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { createQueueWait } from '../lib/queue-wait.ts'
import { withoutQuery } from './addressed-collection.ts'
import type { Admission, Refusal } from './admission.ts'
import { refuseUnusualRequests, refuseWithoutHost } from './client-errors.ts'
import { errorBody } from './errors.ts'
import { hookRoutes } from './route-hooks.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes time on purpose, without work. */
    isWaiting?: boolean
  }
  interface FastifyInstance {
    /** Seconds after which a caller may try again when the service is unavailable. */
    readonly retryAfter: () => number
  }
  interface FastifyRequest {
    /** It counts among the requests under way. */
    isInFlight: boolean
    /** From here on it waits for its client alone, and takes no place among the requests under way. */
    leaveFlight: () => void
  }
}

export interface GateOptions {
  readonly admission: Admission
  /** Headers that a browser of another origin needs to read the response. */
  readonly headersFor: (request: IncomingMessage) => Readonly<Record<string, string>>
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
}

const bodies: Readonly<Record<Refusal, Buffer>> = {
  away: bufferOf(new ServiceError('SERVICE_UNAVAILABLE')),
  full: bufferOf(
    new ServiceError('SERVICE_UNAVAILABLE', 'Service unavailable. Too many requests are under way; try again later.', {
      reason: 'Too many requests are under way; try again later.',
    }),
  ),
}

function bufferOf(error: ServiceError): Buffer {
  return Buffer.from(errorBody([error]))
}

/** Addresses that are served without the database. */
const free: ReadonlySet<string> = new Set([
  routes.root.path,
  routes.adminApp.path,
  routes.apiReference.path,
  ...(Object.values(procedures) as ProcedureRow[]).flatMap(({ token, rest }) =>
    token === 'unread' ? rest.map(([, path]) => path) : [],
  ),
])
const freeBelow = [routes.adminFiles.path, routes.apiReferenceFiles.path].map((path) => path.replace('*', ''))

const isFree = ({ method, url = '/' }: IncomingMessage): boolean => {
  const path = withoutQuery(url)
  return method === 'OPTIONS' || free.has(path) || freeBelow.some((begin) => path.startsWith(begin))
}

/** Requests that came from outside through the gate; a simulated one belongs to a request that is counted already. */
const admitted = new WeakSet<object>()

/** New requests begun in one turn of the event loop; what runs already comes first then. */
const PER_TURN = 16

/**
 * The server in front of the routes. It refuses what cannot be served before anything is parsed, from bodies that are
 * ready, and begins only some requests in each turn, so that transactions under way go on in between.
 */
export function gatedServer(handler: RequestListener, options: GateOptions): Server {
  const { admission, requestTimeout, keepAliveTimeout } = options
  const waiting: [IncomingMessage, ServerResponse][] = []
  const queueWait = createQueueWait(PER_TURN)
  let begun = 0

  function begin(request: IncomingMessage, response: ServerResponse): void {
    if (begun === 0) setImmediate(nextTurn)
    if (begun >= PER_TURN) {
      queueWait.joined(performance.now())
      waiting.push([request, response])
      return
    }
    begun += 1
    handler(request, response)
  }

  function nextTurn(): void {
    begun = 0
    for (const [request, response] of waiting.splice(0, PER_TURN)) {
      queueWait.served()
      begin(request, response)
    }
    queueWait.tick(performance.now(), waiting.length)
  }

  // Other upgrades, such as to HTTP/2, are offers of clients that are as content with an ordinary response.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
    server.listenerCount('upgrade') > 0 && /^websocket$/iu.test(headers.upgrade ?? '')
  const limits = { requestTimeout, keepAliveTimeout, shouldUpgradeCallback, requireHostHeader: false }
  const server: Server = createServer(limits, (request, response) => {
    if (refuseWithoutHost(request, response)) return
    // Probes of an orchestrator must not wait behind the requests that they ask about.
    if (isFree(request)) return handler(request, response)
    const refusal = admission.refuse(waiting.length === 0 ? 0 : queueWait.expected(performance.now(), waiting.length))
    if (refusal !== null) return refuse(request, response, refusal, options)
    admitted.add(request)
    begin(request, response)
  })
  refuseUnusualRequests(server)
  return server
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  { admission, headersFor }: GateOptions,
): void {
  const body = bodies[refusal]
  response.writeHead(503, {
    ...headersFor(request),
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'retry-after': String(admission.retryAfter()),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * Counts requests from the end of their body to the beginning of their response: a client that sends or reads slowly
 * takes no place.
 */
export function countRequests(app: FastifyInstance, admission: Admission): void {
  app.decorate('retryAfter', () => admission.retryAfter())
  app.decorateRequest('isInFlight', false)
  const leave = (request: FastifyRequest) => {
    if (!request.isInFlight) return
    request.isInFlight = false
    admission.leave()
  }
  app.decorateRequest('leaveFlight', function leaveFlight(this: FastifyRequest) {
    leave(this)
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (admitted.has(request.raw)) {
      request.isInFlight = true
      admission.enter()
      reply.raw.once('close', () => leave(request))
    }
    done()
  })
  const isWaiting = ({ config }: RouteOptions) => config?.isWaiting === true
  hookRoutes(app, 'preHandler', isWaiting, (request, _, done) => {
    leave(request)
    done()
  })
  app.addHook('onSend', (request, _, payload, done) => {
    if (!isStream(payload)) leave(request)
    done(null, payload)
  })
  app.addHook('onClose', async () => admission.stop())
}

const isStream = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload && typeof payload.pipe === 'function'
