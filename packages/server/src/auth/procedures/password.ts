import { randomUUID } from 'node:crypto'
import { forbidden } from '@tain/contract'
import { hashToken } from '../authenticate.ts'
import { linkBase } from '../links.ts'
import { mailToken, openMailToken } from '../mail-tokens.ts'
import { checkPolicy } from '../passwords.ts'
import type { Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'

const SCOPE = 'password-reset'

/** Does not reveal whether the user exists. The mail goes to the stored address, not to the one in the request. */
export const requestPassword =
  (services: AuthServices): Procedure<'requestPassword'> =>
  async ({ input, context: { client } }) => {
    const { accounts, limits, mailer, config } = services
    const link = linkBase('reset', input.reset_url, config)
    await limits.passwordRequest(client.ip)
    const [account, settings] = await Promise.all([accounts.byEmail(input.email), accounts.settings()])
    const isKnown = account?.status === 'active' && account.provider === 'default'
    const email = account?.email ?? input.email
    // Unknown users cause the same work, except that no mail is sent.
    const recipient = account ?? { id: randomUUID(), email, passwordHash: null }
    const token = await mailToken(SCOPE, recipient, config.resetTtl, services)
    const mayMail = await limits.mayMail(account?.id ?? hashToken(email.toLowerCase()))
    if (isKnown && mayMail) mailer.send('reset', email, settings.projectName, link.linkFor(token))
  }

export const resetPassword =
  (services: AuthServices): Procedure<'resetPassword'> =>
  async ({ input, context: { client } }) => {
    const { accounts, passwords, config } = services
    const opened = await openMailToken(input.token, SCOPE, config.resetTtl, services)
    if (opened === null || opened === 'other') throw forbidden()
    const { account, link } = opened
    if (account.status !== 'active' || account.provider !== 'default') throw forbidden()
    checkPolicy(input.password, (await accounts.settings()).passwordPolicy)
    const passwordHash = await passwords.hash(input.password)
    const cause = { by: account.id, origin: client }
    const isDone = await accounts.setPassword(account, { passwordHash, status: 'active', link }, cause)
    if (!isDone) throw forbidden()
  }
