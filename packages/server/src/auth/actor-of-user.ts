import { createHash } from 'node:crypto'
import { forbidden } from '@tain/contract'
import { effectivePermissionsOf, type Actor } from '../access/actor.ts'
import type { Permission, PermissionModel } from '../access/permissions.ts'
import type { Identity } from '../store/identity.ts'
import type { PermissionStore } from '../store/permission-store.ts'
import { pathsIn, type WithPaths } from './paths.ts'

/** The actor of a user's requests, without the user's token; null: the user does not exist or is not active. */
export type ActorOfUser = (
  user: string | null,
  address: string | null,
  /** Permissions other than the stored ones. */
  changed?: (model: PermissionModel) => PermissionModel,
) => Promise<ImaginedActor | null>

export interface ImaginedActor extends Actor {
  /** All policies of the user apply to other addresses, so requests fail with INVALID_IP. */
  readonly isExcluded: boolean
}

export function createActorOfUser(identity: Identity, store: PermissionStore, withPaths: WithPaths): ActorOfUser {
  const actorOf: ActorOfUser = async (id, address, changed) => {
    const user = id === null ? null : await identity.userById(id)
    if (id !== null && user?.status !== 'active') return null
    const stored = await store.atLeast(user?.permissionVersion ?? 0)
    const permissionModel = changed === undefined ? stored : changed(stored)
    const holder = { user: user?.id ?? null, role: user?.role ?? null, address }
    const { isExcluded, permissions, ...effective } = effectivePermissionsOf(holder, permissionModel)
    const actor: ImaginedActor = {
      ...effective,
      ...(changed === undefined ? {} : { grantKey: `${effective.grantKey} changed ${digestOf(permissions)}` }),
      user: holder.user,
      role: holder.role,
      lacksSecondFactor: effective.enforcesTfa && user?.hasSecondFactor === false,
      isExcluded: isExcluded && id !== null,
      permissionVersion: permissionModel.version,
      paths: new Map(),
      renew: async () => existing(await actorOf(id, address, changed)),
    }
    return { ...(await withPaths(actor, pathsIn(permissions))), isExcluded: actor.isExcluded }
  }
  return actorOf
}

/** A user who is gone or suspended meanwhile may read nothing. */
function existing(actor: ImaginedActor | null): ImaginedActor {
  if (actor === null) throw forbidden()
  return actor
}

/** Statements are compiled once per grant key, so other permissions need another key. */
const digestOf = (permissions: readonly Permission[]): string =>
  createHash('sha256')
    .update(JSON.stringify(permissions.map(({ fields, ...each }) => [each, fields === 'all' ? fields : [...fields]])))
    .digest('base64url')
