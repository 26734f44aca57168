import { procedures, routes, ServiceError, type ProcedureRow } from '@tain/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import type { ActorOfUser } from '../auth/actor-of-user.ts'
import { lackOfSecondFactor, type Authenticate } from '../auth/authenticate.ts'
import type { Engine } from '../engine/engine.ts'
import { inAsyncStage } from '../lib/request-context.ts'
import type { Origin } from '../changes/change.ts'
import type { Files } from '../files/files.ts'
import type { ServedProcedures } from '../procedure.ts'
import type { AnswerEndpoint } from '../extensions/endpoints.ts'
import type { EventStreams } from '../realtime/sse.ts'
import type { ParsedQuery, QueryLimits } from '../query/parse-query.ts'
import type { SystemCollection } from '../schema/system-collection.ts'
import type { ImportLimits } from '../system/import/import.ts'
import type { ReadGuide } from '../system/procedures/specifications.ts'
import { withoutQuery } from './addressed-collection.ts'
import type { AdminApp } from './admin-app.ts'
import type { Browser } from './browser.ts'
import type { GraphqlHandler } from './graphql-handler.ts'
import type { Positions } from './positions.ts'
import { tokenOf } from './token-sources.ts'
import { viewedActor } from './view-as.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session cookie of the request is no longer valid. */
    hasLostSession: boolean
    /** The request has credentials, and they are valid. */
    isSignedIn: boolean
  }
}

export interface AssetOptions {
  /** Seconds that caches may keep content; null: they have to ask each time. */
  readonly maxAge: number | null
  /** Most seconds that shared caches may keep content that everybody may read. */
  readonly publicMaxAge: number
}

/** Services that routes use. */
export interface HttpContext {
  readonly engine: Engine
  readonly authenticate: Authenticate
  readonly actorOfUser: ActorOfUser
  readonly procedures: ServedProcedures
  readonly browser: Browser
  /** null: all rows come from the primary. */
  readonly positions: Positions | null
  readonly systemCollections: readonly SystemCollection[]
  readonly imports: ImportLimits
  /** null: there are none, because the service only reads. */
  readonly files: Files | null
  /** Uploads may arrive over many requests. */
  readonly hasResumable: boolean
  readonly assets: AssetOptions
  /** Keys that links to assets may be signed with. */
  readonly linkKeys: readonly Buffer[]
  /** The generation of a user's links; null: there is no such user. */
  readonly linkGeneration: (user: string) => Promise<string | null>
  /** Most bytes of one text in a form. */
  readonly mostText: number
  readonly limits: QueryLimits
  readonly queryOf: (request: FastifyRequest) => ParsedQuery & { readonly queryKey: string }
  /** Seconds that shared caches may keep what is the same for everybody; null: they keep nothing. */
  readonly publicMaxAge: number | null
  readonly graphql: GraphqlHandler
  /** What extensions serve; null: there are none. */
  readonly extensions: AnswerEndpoint | null
  /** What `/llms.txt` says to a caller. */
  readonly guide: ReadGuide
  /** null: there are no streams of events. */
  readonly openEventStream: EventStreams['open'] | null
  /** Where WebSockets for items are opened, unless all sockets are off; null: nowhere. */
  readonly socketPath: string | null
  /** null: it is not served. */
  readonly admin: AdminApp | null
}

export const pathOf = (request: FastifyRequest): string => withoutQuery(request.raw.url ?? '')

/** Whether the request has a preference in its `Prefer` header. */
const prefers =
  (pattern: RegExp) =>
  ({ headers: { prefer } }: FastifyRequest) =>
    prefer !== undefined && pattern.test(String(prefer))

/** Whether the request asks for a dry run. */
export const wantsDryRun = prefers(/(^|[;,\s])tx=rollback\b/u)

/** Whether each row of a list is kept or refused by itself. */
export const wantsEach = prefers(/(^|[;,\s])results=each\b/u)

/** Whether the request asks for the plan of a read in place of its rows. */
export const wantsPlan = prefers(/(^|[;,\s])explain\b/u)

/** The origin of a request, as activity records it. */
export const originOf = (request: FastifyRequest, { browser }: HttpContext): Origin => ({
  ip: browser.addressOf(request),
  userAgent: request.headers['user-agent'] ?? null,
})

/** Routes open before a required second factor has been set up. */
const openRoutes: ReadonlySet<string> = new Set([
  ...(Object.values(procedures) as ProcedureRow[]).flatMap(({ isOpen, rest }) =>
    isOpen === true ? rest.map(([method, path]) => `${method} ${path}`) : [],
  ),
  // Checks each root field separately.
  `POST ${routes.graphqlSystem.path}`,
])

/** Errors after which a session cookie is useless. */
const isLost = (error: unknown) =>
  error instanceof ServiceError && (error.code === 'INVALID_CREDENTIALS' || error.code === 'INVALID_TOKEN')

/** The caller of a request. Throws for an invalid token, and for a caller who has to set up a second factor first. */
export async function actorOf(request: FastifyRequest, context: HttpContext): Promise<Actor> {
  const { token, isCookie } = tokenOf(request, context)
  if (isCookie) context.browser.checkOrigin(request)
  try {
    const address = context.browser.addressOf(request)
    const actor = await inAsyncStage('authenticate', () => context.authenticate({ token, address }))
    if (actor.lacksSecondFactor && !openRoutes.has(`${request.method} ${request.routeOptions.url ?? ''}`))
      throw lackOfSecondFactor()
    request.isSignedIn = token !== null
    context.positions?.join(request, actor.user)
    return await viewedActor(actor, request, context)
  } catch (error) {
    if (isCookie && isLost(error)) request.hasLostSession = true
    throw error
  }
}
