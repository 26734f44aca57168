import { ServiceError } from '@tain/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { lackOfSecondFactor, type Authenticate } from '../auth/authenticate.ts'
import type { Procedures } from '../auth/procedures/index.ts'
import type { Engine } from '../engine/engine.ts'
import type { Origin } from '../engine/write/record.ts'
import type { ParsedQuery, QueryLimits } from '../query/parse-query.ts'
import type { SystemCollection } from '../schema/system-collection.ts'
import type { ImportLimits } from '../system/import/import.ts'
import type { MetadataContext } from '../system/metadata.ts'
import type { Snapshots } from '../system/snapshot/snapshots.ts'
import type { SystemServices } from '../system/procedures/system-procedure.ts'
import { withoutQuery } from './addressed-collection.ts'
import type { Browser } from './browser.ts'
import { tokenOf } from './token-sources.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session cookie it came with is good for nothing any more. */
    hasLostSession: boolean
  }
}
import type { GraphqlHandler } from './graphql-routes.ts'

/** What routes work with. */
export interface HttpContext {
  readonly engine: Engine
  readonly authenticate: Authenticate
  /** What there is to do about signing in; null: the service keeps no users, so there is nothing to sign in to. */
  readonly procedures: Procedures | null
  readonly browser: Browser
  readonly metadata: MetadataContext
  readonly snapshots: Snapshots
  readonly systemCollections: readonly SystemCollection[]
  readonly imports: ImportLimits
  readonly limits: QueryLimits
  readonly queryOf: (request: FastifyRequest) => ParsedQuery & { readonly queryKey: string }
  /** What procedures beside items work with. */
  readonly services: SystemServices
  readonly graphql: GraphqlHandler
  /** Whether requests should go elsewhere: shutting down, or the database is away. */
  readonly isReady: () => boolean
}

export const pathOf = (request: FastifyRequest): string => withoutQuery(request.raw.url ?? '')

/** Wants to know what a change would do, without its being kept. */
export const wantsDryRun = ({ headers }: FastifyRequest): boolean =>
  /(^|[;,\s])tx=rollback\b/u.test(String(headers.prefer ?? ''))

/** Where a request came from, as far as activity keeps it. */
export const originOf = (request: FastifyRequest, { browser }: HttpContext): Origin => ({
  ip: browser.addressOf(request),
  userAgent: request.headers['user-agent'] ?? null,
})

/** What may be done before a second factor that is asked for has been set up. */
const openRoutes = new Set([
  'GET /users/me',
  'POST /users/me/tfa/generate',
  'POST /users/me/tfa/enable',
  // Looks at each root field for itself.
  'POST /graphql/system',
])

/** Errors that a session cookie does not recover from. */
const isLost = (error: unknown) =>
  error instanceof ServiceError && (error.code === 'INVALID_CREDENTIALS' || error.code === 'INVALID_TOKEN')

/** Who is asking. Throws for a token that is not good, and for somebody who has to set up a second factor first. */
export async function actorOf(request: FastifyRequest, context: HttpContext): Promise<Actor> {
  const { token, isCookie } = tokenOf(request, context)
  if (isCookie) context.browser.checkOrigin(request)
  try {
    const actor = await context.authenticate({ token, address: context.browser.addressOf(request) })
    if (actor.lacksSecondFactor && !openRoutes.has(`${request.method} ${request.routeOptions.url ?? ''}`))
      throw lackOfSecondFactor()
    return actor
  } catch (error) {
    if (isCookie && isLost(error)) request.hasLostSession = true
    throw error
  }
}

/**
 * Does what a request asks for; a refusal is an answer as well and must not come from an old structure or old rights, so it
 * is looked at again under the newest.
 */
export async function underNewest<T>(actor: Actor, { engine }: HttpContext, work: (actor: Actor) => T): Promise<T> {
  try {
    return work(actor)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error
    return work(await engine.renew(actor))
  }
}
