import { forbidden } from '@tain/contract'
import type { Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'
import { currentActor } from '../current-actor.ts'

/** Ends all links to files that the caller has made. */
export const revokeLinks =
  ({ identity, assetLinks }: AuthServices): Procedure<'revokeLinks'> =>
  async ({ actor }) => {
    const { user } = await currentActor(actor, identity)
    await assetLinks.revoke(user)
  }

export const revokeLinksOf =
  ({ identity, assetLinks }: AuthServices): Procedure<'revokeLinksOf'> =>
  async ({ actor, input: { id } }) => {
    const { isAdmin } = await currentActor(actor, identity)
    if (!isAdmin || (await identity.userById(id)) === null) throw forbidden()
    await assetLinks.revoke(id)
  }
