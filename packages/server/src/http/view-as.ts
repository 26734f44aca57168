import { forbidden, invalidQuery, ServiceError } from '@tain/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import type { ActorOfUser } from '../auth/actor-of-user.ts'
import { lackOfSecondFactor } from '../auth/authenticate.ts'
import type { Engine } from '../engine/engine.ts'
import { isUuid } from '../lib/uuid.ts'
import type { Browser } from './browser.ts'
import { isReading } from './reading.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user whose permissions apply instead of the caller's, as the caller named it; null: the caller's own. */
    viewedAs: string | null
  }
}

interface Services {
  readonly engine: Pick<Engine, 'renew'>
  readonly actorOfUser: ActorOfUser
  readonly browser: Pick<Browser, 'addressOf'>
}

const PUBLIC = 'public'

/** Whether the request asks for the permissions of another user. */
export const viewsAs = ({ headers }: FastifyRequest): boolean => headers['x-view-as'] !== undefined

/**
 * The actor whose permissions apply: the caller, or the user in `X-View-As`. Only administrators may view as another
 * user, and only read; everybody else gets the same refusal, whoever the header names.
 */
export async function viewedActor(caller: Actor, request: FastifyRequest, services: Services): Promise<Actor> {
  if (!viewsAs(request)) return caller
  const { isAdmin, lacksSecondFactor } = await services.engine.renew(caller)
  if (!isAdmin) throw forbidden()
  if (lacksSecondFactor) throw lackOfSecondFactor()
  if (!isReading(request)) throw new ServiceError('UNPROCESSABLE_CONTENT', 'Requests with X-View-As can only read.')
  const name = String(request.headers['x-view-as']).trim()
  if (name !== PUBLIC && !isUuid(name)) throw invalidQuery(`"X-View-As" has to be the key of a user, or "${PUBLIC}"`)
  const viewed = await services.actorOfUser(name === PUBLIC ? null : name, services.browser.addressOf(request))
  if (viewed === null) throw invalidQuery('"X-View-As" names no active user')
  if (viewed.isExcluded) throw new ServiceError('INVALID_IP')
  if (viewed.lacksSecondFactor) throw lackOfSecondFactor()
  request.viewedAs = name
  return viewing(viewed)
}

const viewing = (actor: Actor): Actor => ({
  ...actor,
  isViewed: true,
  renew: async (version) => viewing(await actor.renew(version)),
})
