import { randomUUID } from 'node:crypto'
import { invalidPayload, ServiceError, ServiceErrors } from '@tain/contract'
import { fastify, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { parseExactJson } from '../lib/exact-json.ts'
import { limitArrival } from './arrival.ts'
import type { HttpContext } from './context.ts'
import { allowOrigins, type CorsOptions } from './cors.ts'
import { sendError, sendErrors, toServiceError } from './errors.ts'
import { itemRoutes, systemRoutes } from './items.ts'
import { resourceRoutes } from './resources.ts'
import { serverRoutes } from './server-routes.ts'
import { utilityRoutes } from './utilities.ts'
import { writeRoutes } from './writes.ts'

export interface HttpOptions {
  readonly logger: Logger
  readonly payloadSize: number
  readonly cors: CorsOptions | null
  readonly isClosing: () => boolean
}

const BODY_TIMEOUT = 60_000
const LONGEST_IMPORT = 3_600_000

const requestIdPattern = /^[\w.:@-]{1,128}$/u

const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()

/** The whole HTTP surface: limits, headers, log, errors, then the routes in reading order. */
export function createServer(
  context: HttpContext,
  { logger, payloadSize, cors, isClosing }: HttpOptions,
): FastifyInstance {
  const app = fastify({
    bodyLimit: payloadSize,
    logger: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    return503OnClosing: false,
    requestTimeout: LONGEST_IMPORT,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 4096, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id)
      sendError(reply, toServiceError(error))
    },
  })
  app.addHttpMethod('SEARCH', { hasBody: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json\b/u, { parseAs: 'string' }, (_, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      const parsed = parseExactJson(String(body))
      if (typeof parsed !== 'object' || parsed === null)
        return done(invalidPayload('The body has to be an object or a list'), undefined)
      done(null, parsed)
    } catch {
      done(invalidPayload('The body is no valid JSON'), undefined)
    }
  })

  limitArrival(app, BODY_TIMEOUT)
  if (cors !== null) allowOrigins(app, cors)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    void reply.header('cache-control', 'private, no-cache')
    void reply.header('x-content-type-options', 'nosniff')
    if (isClosing()) void reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    // What is logged is listed here; addresses go without their query, because it may hold values and tokens.
    const path = (request.raw.url ?? '').split('?', 1)[0]
    const line = {
      requestId: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (reply.statusCode >= 500) logger.error(line, 'request')
    else logger.info(line, 'request')
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ServiceErrors) return sendErrors(reply, error.errors)
    const known = toServiceError(error)
    if (known.status >= 500) logger.error({ requestId: request.id, error: known.cause ?? known }, 'request failed')
    sendError(reply, known)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
    sendError(reply, new ServiceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path }))
  })

  serverRoutes(app, context)
  const { search } = itemRoutes(app, context)
  writeRoutes(app, context, search)
  resourceRoutes(app, context)
  systemRoutes(app, context)
  utilityRoutes(app, context)
  return app
}
