import { effectivePermissionsOf, type Actor } from '../access/actor.ts'
import type { Identity } from '../engine/identity.ts'
import type { PermissionStore } from '../engine/permission-store.ts'
import { pathsIn, type WithPaths } from './paths.ts'

/** A user as requests of theirs would be seen, without their token; null: there is no such user, or it may not sign in. */
export type ActorOfUser = (user: string | null, address: string | null) => Promise<ImaginedActor | null>

export interface ImaginedActor extends Actor {
  /** An identified user whose policies all hold for other addresses: requests are INVALID_IP. */
  readonly isExcluded: boolean
}

export function createActorOfUser(identity: Identity, store: PermissionStore, withPaths: WithPaths): ActorOfUser {
  const actorOf: ActorOfUser = async (id, address) => {
    const user = id === null ? null : await identity.userById(id)
    if (id !== null && user?.status !== 'active') return null
    const permissionModel = await store.atLeast(user?.permissionVersion ?? 0)
    const holder = { user: user?.id ?? null, role: user?.role ?? null, address }
    const { isExcluded, permissions, ...effective } = effectivePermissionsOf(holder, permissionModel)
    const actor: ImaginedActor = {
      ...effective,
      user: holder.user,
      role: holder.role,
      lacksSecondFactor: effective.enforcesTfa && user?.hasSecondFactor === false,
      isExcluded: isExcluded && id !== null,
      permissionVersion: permissionModel.version,
      paths: new Map(),
      renew: async () => (await actorOf(id, address)) ?? actor,
    }
    return { ...(await withPaths(actor, pathsIn(permissions))), isExcluded: actor.isExcluded }
  }
  return actorOf
}
