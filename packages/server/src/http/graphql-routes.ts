import { Readable } from 'node:stream'
import { invalidPayload, invalidQuery, routes, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseExactJson } from '../lib/exact-json.ts'
import { rawQuery } from './token-sources.ts'
import { actorOf, wantsDryRun, wantsPlan, originOf, type HttpContext } from './context.ts'
import { honoured } from './dry-run.ts'
import type { GraphqlCall, GraphqlScope, Visitor } from './graphql-handler.ts'
import { sendPage, wantsPage } from './page.ts'
import { signalOf } from './queries.ts'
import { viewsAs } from './view-as.ts'
import { callContextOf, clearCookies, setCookies, uncached } from './client.ts'

const scopes: readonly (readonly [string, GraphqlScope])[] = [
  [routes.graphql.path, 'items'],
  [routes.graphqlSystem.path, 'system'],
]

const RESPONSE_TYPE = 'application/graphql-response+json'

/** GraphQL over HTTP. */
export function graphqlRoutes(app: FastifyInstance, context: HttpContext): void {
  for (const [url, scope] of scopes) operationRoutes(app, context, url, scope)
}

function operationRoutes(app: FastifyInstance, context: HttpContext, url: string, scope: GraphqlScope): void {
  const { graphql } = context
  app.get(url, async (request, reply) => {
    const parameters = new URLSearchParams(rawQuery(request))
    if (graphql.page !== null && !parameters.has('query') && wantsPage(request))
      return sendPage(request, reply, await graphql.page())
    const call = {
      query: parameters.get('query') ?? undefined,
      variables: jsonIn(parameters, 'variables'),
      operationName: parameters.get('operationName') ?? undefined,
      extensions: jsonIn(parameters, 'extensions'),
    }
    return send(request, reply, scope, true, call, context)
  })
  app.post(url, { config: { ...honoured.config, mayRead: 'graphql' } }, async (request, reply) => {
    const body = request.body ?? {}
    if (Array.isArray(body)) throw invalidPayload('Several operations are sent one by one')
    const { query, variables, operationName, extensions } = body as Readonly<Record<string, unknown>>
    return send(request, reply, scope, false, { query, variables, operationName, extensions }, context)
  })
  app.route({
    method: ['PUT', 'PATCH', 'DELETE', 'SEARCH', 'QUERY'],
    url,
    handler: async (request, reply) => {
      void reply.header('allow', 'GET, POST')
      throw new ServiceError('METHOD_NOT_ALLOWED', undefined, { allowed: ['GET', 'POST'], current: request.method })
    },
  })
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: GraphqlScope,
  isSafe: boolean,
  sent: Pick<GraphqlCall, 'query' | 'variables' | 'operationName' | 'extensions'>,
  context: HttpContext,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const isDryRun = wantsDryRun(request)
  // A query changes nothing anyway, and each root field of a mutation honours the dry run or is refused.
  if (isDryRun) void reply.header('preference-applied', 'tx=rollback')
  const origin = originOf(request, context)
  const visitor = visitorOf(request, reply, context)
  const call = {
    ...sent,
    scope,
    isSafe,
    isViewed: viewsAs(request),
    actor,
    origin,
    visitor,
    isDryRun,
    isExplained: wantsPlan(request),
    signal: signalOf(reply),
  }
  const text = await context.graphql.run(call)
  if (call.isExplained) void reply.header('preference-applied', 'explain')
  const accepted = request.headers.accept ?? ''
  void reply.header(
    'content-type',
    `${accepted.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json'}; charset=utf-8`,
  )
  return reply.send(typeof text === 'string' ? text : Readable.from(text, { objectMode: false }))
}

const visitorOf = (request: FastifyRequest, reply: FastifyReply, { browser }: HttpContext): Visitor => ({
  context: () => callContextOf(request, browser),
  checkOrigin: () => browser.checkOrigin(request),
  signedIn: (tokens) => setCookies(reply, tokens, browser),
  signedOut: () => clearCookies(request, reply, browser),
  keepSecret: () => void uncached(reply),
})

function jsonIn(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  try {
    return parseExactJson(text)
  } catch {
    throw invalidQuery(`"${name}" is no valid JSON`)
  }
}
