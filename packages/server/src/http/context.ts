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
    /** The session cookie of the request is no longer valid. */
    hasLostSession: boolean
  }
}
import type { GraphqlHandler } from './graphql-routes.ts'

/** Services that routes use. */
export interface HttpContext {
  readonly engine: Engine
  readonly authenticate: Authenticate
  /** Authentication procedures; null: the service stores no users, so there is nothing to authenticate against. */
  readonly procedures: Procedures | null
  readonly browser: Browser
  readonly metadata: MetadataContext
  readonly snapshots: Snapshots
  readonly systemCollections: readonly SystemCollection[]
  readonly imports: ImportLimits
  readonly limits: QueryLimits
  readonly queryOf: (request: FastifyRequest) => ParsedQuery & { readonly queryKey: string }
  /** Services of the system procedures. */
  readonly services: SystemServices
  readonly graphql: GraphqlHandler
  /** Whether the service accepts requests: it is not shutting down, and the database is reachable. */
  readonly isReady: () => boolean
}

export const pathOf = (request: FastifyRequest): string => withoutQuery(request.raw.url ?? '')

/** Whether the request asks for a dry run. */
export const wantsDryRun = ({ headers }: FastifyRequest): boolean =>
  /(^|[;,\s])tx=rollback\b/u.test(String(headers.prefer ?? ''))

/** The origin of a request, as activity records it. */
export const originOf = (request: FastifyRequest, { browser }: HttpContext): Origin => ({
  ip: browser.addressOf(request),
  userAgent: request.headers['user-agent'] ?? null,
})

/** Routes open before a required second factor has been set up. */
const openRoutes = new Set([
  'GET /users/me',
  'POST /users/me/tfa/generate',
  'POST /users/me/tfa/enable',
  // Checks each root field separately.
  'POST /graphql/system',
])

/** Errors after which a session cookie is useless. */
const isLost = (error: unknown) =>
  error instanceof ServiceError && (error.code === 'INVALID_CREDENTIALS' || error.code === 'INVALID_TOKEN')

/** The caller of a request. Throws for an invalid token, and for a caller who has to set up a second factor first. */
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
 * Runs the work of a request. A refusal must not rest on an old schema or old permissions, so the work is retried under
 * the newest.
 */
export async function underNewest<T>(actor: Actor, { engine }: HttpContext, work: (actor: Actor) => T): Promise<T> {
  try {
    return work(actor)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error
    return work(await engine.renew(actor))
  }
}
