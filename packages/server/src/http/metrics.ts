import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Refusal } from './admission.ts'
import { routeClassOf, statusClassOf, type RouteClass, type StatusClass } from './route-class.ts'

/** Receives the beginning and the end of every request. */
export interface RequestMeter {
  began(): void
  ended(route: RouteClass, status: StatusClass, seconds: number): void
  /** A request was refused before it began. */
  refused(reason: Refusal): void
}

/** Measures requests from their head to the last byte of the response, or to the end of the connection. */
export function measureRequests(app: FastifyInstance, meter: RequestMeter): void {
  app.addHook('onRequest', (request, { raw }, done) => {
    const began = performance.now()
    meter.began()
    // Not onResponse, which does not run when the client is gone before the response.
    raw.once('close', () => {
      const status = raw.writableFinished ? statusClassOf(raw.statusCode) : 'aborted'
      meter.ended(routeClassOf(request), status, (performance.now() - began) / 1000)
    })
    done()
  })
}
