import { forbidden, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Origin } from '../../changes/change.ts'
import type { Mutation } from '../../query/mutation.ts'
import { currentActor } from '../current-actor.ts'
import { linkBase } from '../links.ts'
import { mailToken, openMailToken, type Recipient } from '../mail-tokens.ts'
import { checkPolicy } from '../passwords.ts'
import type { Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'

const SCOPE = 'invite'
const users = { collection: 'service_users', isSystem: true } as const

/** Creates invited users and mails each an invitation. Existing users with another status are skipped silently. */
export const invite =
  (services: AuthServices): Procedure<'invite'> =>
  async ({ actor, input, context: { client } }) => {
    const { accounts, mailer, config, identity } = services
    const caller = await currentActor(actor, identity)
    const link = linkBase('invite', input.invite_url, config)
    const { projectName } = await accounts.settings()
    for (const address of new Set([input.email].flat())) {
      const invited = await inviteOne(address, input.role, caller, client, services)
      if (invited?.email == null) continue
      const token = await mailToken(SCOPE, invited, config.inviteTtl, services)
      mailer.send('invite', invited.email, projectName, link.linkFor(token))
    }
  }

/** The stored user; null if no invitation is to be sent. */
async function inviteOne(
  address: string,
  role: string,
  caller: Actor,
  origin: Origin,
  { engine, accounts, limits }: AuthServices,
): Promise<Recipient | null> {
  // Written like any other user, so that the caller's permissions apply and callers cannot grant more than they have.
  const write = (mutation: Mutation) =>
    engine.write(caller, [{ mutation, read: null, ifMatch: null, origin }], { isDryRun: false, claim: null })
  try {
    await write({ ...users, kind: 'create', items: [{ email: address, role, status: 'invited' }] })
    return await accounts.byEmail(address)
  } catch (error) {
    // Only callers who may create such a user get this error, so other callers do not learn which users exist.
    if (!(error instanceof ServiceError) || error.code !== 'RECORD_NOT_UNIQUE') throw error
  }
  const account = await accounts.byEmail(address)
  if (account?.status !== 'invited' || account.email === null) return null
  if (account.role !== role)
    await write({ ...users, kind: 'update', target: { kind: 'keys', keys: [account.id] }, data: { role } })
  return (await limits.mayMail(account.id)) ? account : null
}

export const acceptInvite =
  (services: AuthServices): Procedure<'acceptInvite'> =>
  async ({ input, context: { client } }) => {
    const { accounts, passwords, config } = services
    const opened = await openMailToken(input.token, SCOPE, config.inviteTtl, services)
    if (opened === 'other') throw forbidden()
    if (opened?.account.status !== 'invited') throw new ServiceError('INVALID_INVITE')
    const { account, link } = opened
    checkPolicy(input.password, (await accounts.settings()).passwordPolicy)
    const passwordHash = await passwords.hash(input.password)
    const cause = { by: account.id, origin: client }
    const isDone = await accounts.setPassword(account, { passwordHash, status: 'active', link }, cause)
    if (!isDone) throw new ServiceError('INVALID_INVITE')
  }
