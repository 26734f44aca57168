import { routes } from '@tain/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf, originOf, pathOf, type HttpContext } from './context.ts'
import type { AnswerEndpoint, EndpointCall } from '../extensions/endpoints.ts'
import { sendJson } from './reply.ts'
import { at } from './route-at.ts'

/** Extensions get the caller, never what proves who it is. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Which paths there are changes while the service runs, so the routes are not registered one by one. */
export function extensionRoutes(app: FastifyInstance, context: HttpContext, answer: AnswerEndpoint): void {
  app.route({
    ...at(routes.extensions, ''),
    handler: async (request, reply) => {
      const { status, headers, body } = await answer({
        method: request.method,
        path: pathOf(request).slice('/extensions/'.length),
        query: queryOf(request),
        headers: headersOf(request),
        body: request.body,
        actor: () => actorOf(request, context),
        origin: originOf(request, context),
      })
      for (const [name, value] of headers) void reply.header(name, value)
      if (body === null) return reply.code(status).send()
      sendJson(reply.code(status), body)
      return reply
    },
  })
}

function queryOf({ raw }: FastifyRequest): EndpointCall['query'] {
  const url = raw.url ?? ''
  const found = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  found.delete('access_token')
  return Object.fromEntries(
    [...new Set(found.keys())].map((name) => {
      const values = found.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

const headersOf = ({ headers }: FastifyRequest): EndpointCall['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || credentials.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
