import { standingOf, type Actor } from '../access/actor.ts'
import type { Identity } from '../engine/identity.ts'
import type { RightsStore } from '../engine/rights.ts'
import { pathsIn, type WithPaths } from './paths.ts'

/** A user as requests of theirs would be seen, without their token; null: there is no such user, or it may not sign in. */
export type ActorOfUser = (user: string | null, address: string | null) => Promise<ImaginedActor | null>

export interface ImaginedActor extends Actor {
  /** An identified user whose policies all hold for other addresses: requests are INVALID_IP. */
  readonly isExcluded: boolean
}

export function createActorOfUser(identity: Identity, store: RightsStore, withPaths: WithPaths): ActorOfUser {
  const actorOf: ActorOfUser = async (id, address) => {
    const user = id === null ? null : await identity.userById(id)
    if (id !== null && user?.status !== 'active') return null
    const rights = await store.atLeast(user?.rights ?? 0)
    const holder = { user: user?.id ?? null, role: user?.role ?? null, address }
    const { isExcluded, permissions, ...standing } = standingOf(holder, rights)
    const actor: ImaginedActor = {
      ...standing,
      user: holder.user,
      role: holder.role,
      lacksSecondFactor: standing.enforcesTfa && user?.hasSecondFactor === false,
      isExcluded: isExcluded && id !== null,
      rights: rights.version,
      paths: new Map(),
      renew: async () => (await actorOf(id, address)) ?? actor,
    }
    return { ...(await withPaths(actor, pathsIn(permissions))), isExcluded: actor.isExcluded }
  }
  return actorOf
}
