import { ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Identity } from '../store/identity.ts'

/** The caller with its current permissions, for work whose statements do not report the permission version. */
export async function currentActor(actor: Actor, identity: Identity): Promise<Actor & { readonly user: string }> {
  if (actor.user === null) throw new ServiceError('INVALID_CREDENTIALS')
  const user = await identity.userById(actor.user)
  if (user?.status !== 'active') throw new ServiceError('INVALID_CREDENTIALS')
  const renewed = actor.permissionVersion === user.permissionVersion ? actor : await actor.renew(user.permissionVersion)
  return { ...renewed, user: user.id }
}
