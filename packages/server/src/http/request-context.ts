import type { IncomingHttpHeaders } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Browser } from './browser.ts'
import { tellPositions, type Positions } from './positions.ts'
import { classOfRoute, type RouteClass } from './route-class.ts'
import { hookRoutes } from './route-hooks.ts'
import { inRequest, type Stage, type StageWatch } from '../lib/request-context.ts'

/** What a trace tells about a request. */
export interface TracedRequest {
  readonly method: string
  /** The path as it is registered, with names in place of values; null if there is no such route. */
  readonly route: string | null
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
}

export interface RequestTrace {
  /** The identity of the trace for other programs; null if it is not recorded. */
  readonly traceparent: string | null
  /** Runs work in the context of the trace. */
  readonly run: (work: () => void) => void
  readonly watch: StageWatch
  /** null: the client left before the response. */
  readonly end: (status: number | null) => void
}

export interface RequestTracer {
  begin(request: TracedRequest): RequestTrace
}

export interface ContextOptions {
  /** Statements are watched, so reads have a context too. */
  readonly isWatched: boolean
  readonly hasServerTiming: boolean
  /** null: there are no traces. */
  readonly tracer: RequestTracer | null
  /** null: all rows come from the primary. */
  readonly positions: Positions | null
}

/** The names in the header. */
const timingNames = ['auth', 'plan', 'db'] as const
type TimingName = (typeof timingNames)[number]
type Timings = Record<TimingName, number>

const timingOf: Readonly<Record<Stage, TimingName>> = {
  authenticate: 'auth',
  plan: 'plan',
  query: 'db',
  commit: 'db',
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds in each stage so far; null: they are not measured. */
    timings: Timings | null
    /** null: it is not traced. */
    trace: RequestTrace | null
  }
}

/**
 * Runs every handler in the context of its request, so that log lines can tell it. After the body: it is received in the
 * context of the connection.
 */
export function openRequestContexts(app: FastifyInstance, options: ContextOptions, browser: Browser): void {
  const { isWatched, hasServerTiming, tracer, positions } = options
  app.decorateRequest('freshness', null)
  app.decorateRequest('timings', null)
  app.decorateRequest('trace', null)
  if (tracer !== null) beginTraces(app, tracer)
  if (hasServerTiming) sendTimings(app)
  if (positions !== null) tellPositions(app, positions, browser)
  const needsContext = (route: RouteOptions) => isWatched || positions !== null || !readClasses.has(classOfRoute(route))
  hookRoutes(app, 'preValidation', needsContext, (request, _, done) => {
    try {
      request.freshness = positions?.begin(request, browser) ?? null
    } catch (error) {
      return done(error as Error)
    }
    const { id: requestId, trace, freshness } = request
    const context = { requestId, watch: watchOf(request), traceparent: trace?.traceparent ?? null, freshness }
    if (trace === null) inRequest(context, done)
    else trace.run(() => inRequest(context, done))
  })
}

/**
 * Reads without anything to watch have no context: it costs a read by key 5 to 10 % of its processor time. The lines about
 * a failed request name it anyway.
 */
const readClasses: ReadonlySet<RouteClass> = new Set(['items_read', 'system_read'])

function watchOf({ timings, trace }: FastifyRequest): StageWatch | null {
  const timed = timings === null ? null : timing(timings)
  if (timed === null || trace === null) return timed ?? trace?.watch ?? null
  return (stage, text) => {
    const ends = [timed(stage, text), trace.watch(stage, text)]
    return (error) => {
      for (const end of ends) end(error)
    }
  }
}

function beginTraces(app: FastifyInstance, tracer: RequestTracer): void {
  app.addHook('onRequest', (request, { raw }, done) => {
    const { method, id: requestId, headers, is404, routeOptions } = request
    const trace = tracer.begin({ method, route: is404 ? null : (routeOptions.url ?? null), requestId, headers })
    request.trace = trace
    raw.once('close', () => trace.end(raw.writableFinished ? raw.statusCode : null))
    done()
  })
}

function sendTimings(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    request.timings = { auth: 0, plan: 0, db: 0 }
    done()
  })
  app.addHook('onSend', ({ timings }, reply, payload, done) => {
    if (timings !== null) void reply.header('server-timing', headerOf(timings, reply.elapsedTime))
    done(null, payload)
  })
}

/** Stages that run at the same time are added up. */
const timing =
  (timings: Timings): StageWatch =>
  (stage) => {
    const began = performance.now()
    return () => {
      timings[timingOf[stage]] += performance.now() - began
    }
  }

const headerOf = (timings: Timings, total: number): string =>
  [...timingNames.map((name) => [name, timings[name]] as const), ['total', total] as const]
    .map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(1)}`)
    .join(', ')
