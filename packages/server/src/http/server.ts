import { randomUUID } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { invalidPayload, ServiceErrors } from '@tain/contract'
import { fastify, type FastifyInstance, type RouteOptions } from 'fastify'
import type { Logger } from 'pino'
import type { Limits } from '../auth/limits.ts'
import { trustIn, type ProxySettings } from '../lib/client-address.ts'
import { DEEPEST_JSON, isTooDeep, parseExactJson } from '../lib/exact-json.ts'
import { utf8Text } from '../lib/utf8.ts'
import { adminRoutes } from './admin-routes.ts'
import { archiveRoutes } from './archives.ts'
import { assetRoutes } from './assets.ts'
import { limitBodyTime } from './body-timeout.ts'
import { refuseBrokenRequest } from './client-errors.ts'
import { compressResponses } from './compression.ts'
import { pathOf, type HttpContext } from './context.ts'
import type { Admission } from './admission.ts'
import { allowOrigins, headersForOrigin, type CorsOptions } from './cors.ts'
import { refuseDryRuns } from './dry-run.ts'
import { eventStreamRoute } from './event-stream.ts'
import { isDatabaseError } from '../engine/faults.ts'
import { extensionRoutes } from './extension-routes.ts'
import { sendError, sendErrors, toServiceError } from './errors.ts'
import { countRequests, gatedServer } from './gate.ts'
import { graphqlRoutes } from './graphql-routes.ts'
import { guideRoute } from './guide-route.ts'
import { itemRoutes } from './items.ts'
import { procedureRoutes } from './procedure-routes.ts'
import { limitRequests } from './rate-limit.ts'
import { measureRequests, type RequestMeter } from './metrics.ts'
import { ownUserRoute } from './own-user.ts'
import { importRoute } from './import.ts'
import { referenceRoutes } from './reference-routes.ts'
import { openRequestContexts, type ContextOptions } from './request-context.ts'
import { rootRoute } from './root.ts'
import { routeNotFound } from './route-not-found.ts'
import { hookRoutes } from './route-hooks.ts'
import { directUploadRoutes } from './direct-uploads.ts'
import { tusRoutes } from './tus.ts'
import { batchRoute } from './writes.ts'
import { drainBody } from './unread-bodies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the database did not serve it; null: it did. */
    unavailable: string | null
  }
}

export interface HttpOptions {
  readonly logger: Logger
  readonly payloadSize: number
  readonly cors: CorsOptions | null
  readonly isClosing: () => boolean
  /** The proxies that are trusted to report the host and the protocol of the client's request. */
  readonly trustProxy: ProxySettings['trustProxy']
  readonly limits: Pick<Limits, 'request'>
  readonly isCompressed: boolean
  /** null: requests are not measured. */
  readonly meter: RequestMeter | null
  readonly admission: Admission
  readonly requestContexts: ContextOptions
}

const BODY_TIMEOUT = 60_000
const LONGEST_IMPORT = 3_600_000
const KEEP_ALIVE = 65_000

const requestIdPattern = /^[\w.:@-]{1,128}$/u

const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()

/** The whole HTTP server: limits, headers, log, errors, then the routes in reading order. */
export function createServer(context: HttpContext, options: HttpOptions): FastifyInstance {
  const { logger, cors, limits } = options
  const app = createFastify(options)
  if (options.meter !== null) measureRequests(app, options.meter)
  parseJsonBodies(app)
  countRequests(app, options.admission)
  // Cookies are parsed on demand; most requests carry a token in a header.
  void app.register(fastifyCookie, { hook: false })
  limitBodyTime(app, BODY_TIMEOUT)
  if (cors !== null) allowOrigins(app, cors)
  addHeaders(app, options, context)
  app.decorateRequest('hasLostSession', false)
  app.decorateRequest('isSignedIn', false)
  app.decorateRequest('viewedAs', null)
  app.decorateRequest('unavailable', null)
  openRequestContexts(app, options.requestContexts, context.browser)
  refuseDryRuns(app)
  limitRequests(app, limits, context.browser)
  logRequests(app, logger)
  handleErrors(app, context, logger)
  if (options.isCompressed) compressResponses(app)

  rootRoute(app, context)
  procedureRoutes(app, context)
  itemRoutes(app, context)
  if (context.files !== null) {
    assetRoutes(app, context, context.files)
    archiveRoutes(app, context, context.files)
    directUploadRoutes(app, context, context.files.directUploads)
    if (context.hasResumable) tusRoutes(app, context, context.files.uploads)
  }
  batchRoute(app, context)
  ownUserRoute(app, context)
  importRoute(app, context)
  graphqlRoutes(app, context)
  if (context.openEventStream !== null) eventStreamRoute(app, context, context.openEventStream)
  if (context.procedures.readOpenApi !== undefined) referenceRoutes(app)
  guideRoute(app, context)
  if (context.extensions !== null) extensionRoutes(app, context, context.extensions)
  if (context.admin !== null) adminRoutes(app, context.admin, options.isCompressed)
  return app
}

const createFastify = ({ payloadSize, trustProxy, cors, admission }: HttpOptions): FastifyInstance =>
  fastify({
    bodyLimit: payloadSize,
    serverFactory: (handler) =>
      gatedServer(handler, {
        admission,
        headersFor: ({ headers }) => ({
          'x-request-id': requestId(headers['x-request-id']),
          ...(cors === null ? {} : { vary: 'Origin', ...headersForOrigin(headers.origin, cors) }),
        }),
        requestTimeout: LONGEST_IMPORT,
        keepAliveTimeout: KEEP_ALIVE,
      }),
    logger: false,
    trustProxy: trustIn(trustProxy),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4096, querystringParser: () => ({}) },
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id)
      sendError(reply, toServiceError(error))
    },
  })

function parseJsonBodies(app: FastifyInstance): void {
  app.addHttpMethod('SEARCH', { hasBody: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json\b/u, { parseAs: 'buffer' }, (_, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = utf8Text(body as Buffer)
    if (text === null) return done(invalidPayload('The body has to be text in UTF-8'), undefined)
    if (isTooDeep(text)) return done(invalidPayload(`The body nests more than ${DEEPEST_JSON} levels deep`), undefined)
    try {
      const parsed = parseExactJson(text)
      if (typeof parsed !== 'object' || parsed === null)
        return done(invalidPayload('The body has to be an object or a list'), undefined)
      done(null, parsed)
    } catch {
      done(invalidPayload('The body is no valid JSON'), undefined)
    }
  })
}

function addHeaders(
  app: FastifyInstance,
  { cors, isClosing, isCompressed }: HttpOptions,
  { engine }: HttpContext,
): void {
  const forms = [...(isCompressed ? ['Accept-Encoding'] : []), ...(cors === null ? [] : ['Origin'])]
  // A cached response belongs to the user who was signed in; another user of the same browser must not get it.
  const vary = ['Authorization', 'Cookie', 'X-View-As', ...forms].join(', ')
  const varyOfStatic = forms.join(', ')
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    void reply.header('cache-control', pathOf(request).startsWith('/auth') ? 'no-store' : 'private, no-cache')
    void reply.header('vary', vary)
    void reply.header('x-content-type-options', 'nosniff')
    if (isClosing()) void reply.header('connection', 'close')
    done()
  })
  const isStatic = ({ config }: RouteOptions) => config?.isStatic === true
  hookRoutes(app, 'onRequest', isStatic, (_, reply, done) => {
    void (varyOfStatic === '' ? reply.removeHeader('vary') : reply.header('vary', varyOfStatic))
    done()
  })
  // At the end, because a request can be what makes the service notice a change. The version changes with tables that the
  // public cannot see.
  app.addHook('onSend', (request, reply, payload, done) => {
    const version = request.isSignedIn ? engine.structureVersion() : null
    if (version !== null) void reply.header('x-schema-version', version)
    done(null, payload)
  })
}

function logRequests(app: FastifyInstance, logger: HttpOptions['logger']): void {
  app.addHook('onResponse', (request, reply, done) => {
    // Only these properties are logged. URLs are logged without their query string, which may contain values and
    // tokens.
    const path = pathOf(request)
    const line = {
      requestId: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.viewedAs === null ? {} : { viewedAs: request.viewedAs }),
      ...(request.unavailable === null ? {} : { reason: request.unavailable }),
    }
    if (reply.statusCode >= 500) logger.error(line, 'request')
    else logger.info(line, 'request')
    done()
  })
}

function handleErrors(app: FastifyInstance, context: HttpContext, logger: HttpOptions['logger']): void {
  const { browser } = context
  app.setErrorHandler((error, request, reply) => {
    if (request.hasLostSession) browser.cookies.clear(reply, 'session')
    // They belong to a response that has failed before its first byte.
    void reply.removeHeader('content-encoding').removeHeader('content-disposition')
    if (String(reply.getHeader('cache-control')).startsWith('public')) void reply.header('cache-control', 'no-store')
    if (error instanceof ServiceErrors) return sendErrors(reply, error.errors)
    const known = toServiceError(error)
    const { cause } = known
    if (known.status === 413) drainBody(request, reply)
    // The outage itself is reported once, with the number of requests that it refused.
    if (isDatabaseError(cause) && cause.fault === 'unavailable') request.unavailable = cause.message
    // Who closes the connection cancels the statement: that is no failure of the service.
    else if (known.status >= 500 && !request.raw.socket.destroyed)
      logger.error({ requestId: request.id, error: cause ?? known }, 'request failed')
    sendError(reply, known)
  })
  app.setNotFoundHandler((request, reply) => {
    sendError(reply, routeNotFound(pathOf(request), context))
  })
}
