import { invalidPayload, routes } from '@tain/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf, type HttpContext } from './context.ts'
import type { EventStreams } from '../realtime/sse.ts'
import { wireOf } from './queries.ts'
import { at } from './route-at.ts'
import { tokenOf } from './token-sources.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies hand events on at once.
  'x-accel-buffering': 'no',
}

/** Subscriptions for clients that only read: `EventSource` of browsers, curl. */
export function eventStreamRoute(app: FastifyInstance, context: HttpContext, open: EventStreams['open']): void {
  app.route({
    ...at(routes.eventStream),
    // An answer without events would never end.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const actor = await actorOf(request, context)
      const { token } = tokenOf(request, context)
      const { event, item, live, from, envelope, ...query } = wireOf(request)
      const readable = await open({
        credentials: { token, address: context.browser.addressOf(request) },
        actor,
        isViewed: request.viewedAs !== null,
        wish: {
          collection: (request.params as { collection: string }).collection,
          event,
          item,
          query,
          from: lastEvent(request) ?? from,
          live: flag('live', live),
          positions: false,
        },
        hasEnvelope: flag('envelope', envelope),
        waiting: () => reply.raw.writableLength,
      })
      // It waits for changes from here on, and takes no place among the requests under way.
      request.leaveFlight()
      return reply.headers(HEADERS).send(readable)
    },
  })
}

/** What a browser has heard last, when it comes back by itself. */
const lastEvent = ({ headers }: FastifyRequest): string | undefined => {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

function flag(name: string, value: unknown): boolean {
  if (value === undefined || value === 'false' || value === '0') return false
  if (value === 'true' || value === '1' || value === '') return true
  throw invalidPayload(`"${name}" has to be true or false`)
}
