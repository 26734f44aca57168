import { Readable } from 'node:stream'
import { invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import type { SignedIn } from '../auth/issue.ts'
import type { CallContext } from '../auth/auth-procedure.ts'
import type { Origin } from '../engine/write/record.ts'
import { matches } from './items.ts'
import { rawQuery } from './token-sources.ts'
import { actorOf, wantsDryRun, originOf, type HttpContext } from './context.ts'
import { honoured } from './dry-run.ts'
import { signalOf } from './queries.ts'
import { callContextOf, clearCookies, setCookies } from './auth-routes.ts'

type Scope = 'items' | 'system'

interface GraphqlCall {
  readonly scope: Scope
  readonly isSafe: boolean
  readonly query: unknown
  readonly variables: unknown
  readonly operationName: unknown
  readonly extensions: unknown
  readonly actor: Actor
  readonly origin: Origin
  readonly visitor: Visitor
  readonly isDryRun: boolean
  readonly signal: AbortFlag
}

/** The client's side of authentication. */
interface Visitor {
  readonly context: () => CallContext
  readonly checkOrigin: () => void
  readonly signedIn: (tokens: SignedIn) => void
  readonly signedOut: () => void
}

/** Handler of GraphQL requests; app.ts injects it. */
export interface GraphqlHandler {
  readonly run: (call: GraphqlCall) => Promise<string | AsyncIterable<string>>
  readonly sdl: (scope: Scope, actor: Actor) => Promise<AsyncIterable<string>>
  /** The GraphiQL page; null: there is none. */
  readonly page: (() => Promise<Page>) | null
}

/** An HTML page with its security headers. */
export interface Page {
  readonly html: string
  readonly etag: string
  readonly policy: string
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { html, etag, policy }: Page): FastifyReply {
  void reply.headers({
    etag,
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', 'text/html; charset=utf-8').send(html)
}

const scopes: readonly (readonly [string, Scope])[] = [
  ['/graphql', 'items'],
  ['/graphql/system', 'system'],
]

const RESPONSE_TYPE = 'application/graphql-response+json'

/** GraphQL over HTTP. */
export function graphqlRoutes(app: FastifyInstance, context: HttpContext): void {
  const { graphql } = context
  for (const [url, scope] of scopes) {
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
      return send(request, reply, scope, true, call)
    })
    app.post(url, honoured, async (request, reply) => {
      const body = request.body ?? {}
      if (Array.isArray(body)) throw invalidPayload('Several operations are sent one by one')
      const { query, variables, operationName, extensions } = body as Readonly<Record<string, unknown>>
      return send(request, reply, scope, false, { query, variables, operationName, extensions })
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
  for (const [url, scope] of scopes)
    app.get(`/server/specs${url}`, async (request, reply) => {
      const pieces = await graphql.sdl(scope, await actorOf(request, context))
      return reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('content-disposition', `attachment; filename="${scope}.graphql"`)
        .send(Readable.from(pieces, { objectMode: false }))
    })
  app.get('/server/specs/graphql/item', async (request, reply) => {
    const pieces = await graphql.sdl('items', await actorOf(request, context))
    return reply.header('content-type', 'text/plain; charset=utf-8').send(Readable.from(pieces, { objectMode: false }))
  })

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: Scope,
    isSafe: boolean,
    sent: Pick<GraphqlCall, 'query' | 'variables' | 'operationName' | 'extensions'>,
  ): Promise<FastifyReply> {
    const actor = await actorOf(request, context)
    const isDryRun = wantsDryRun(request)
    // A query changes nothing anyway, and each root field of a mutation honours the dry run or is refused.
    if (isDryRun) void reply.header('preference-applied', 'tx=rollback')
    const origin = originOf(request, context)
    const visitor = visitorOf(request, reply, context)
    const call = { ...sent, scope, isSafe, actor, origin, visitor, isDryRun, signal: signalOf(reply) }
    const text = await graphql.run(call)
    const accepted = request.headers.accept ?? ''
    void reply.header(
      'content-type',
      `${accepted.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json'}; charset=utf-8`,
    )
    return reply.send(typeof text === 'string' ? text : Readable.from(text, { objectMode: false }))
  }
}

const visitorOf = (request: FastifyRequest, reply: FastifyReply, { browser }: HttpContext): Visitor => ({
  context: () => callContextOf(request, browser),
  checkOrigin: () => browser.checkOrigin(request),
  signedIn: (tokens) => setCookies(reply, tokens, browser),
  signedOut: () => clearCookies(request, reply, browser),
})

const wantsPage = ({ headers: { accept = '' } }: FastifyRequest) => accept.split(',', 1)[0]?.trim() === 'text/html'

function jsonIn(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidQuery(`"${name}" is no valid JSON`)
  }
}
