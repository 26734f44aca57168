import { randomUUID } from 'node:crypto'
import { forbidden } from '@tain/contract'
import { hashToken } from '../authenticate.ts'
import { optional, password, payloadOf, text } from '../input.ts'
import { linkBase } from '../links.ts'
import { mailToken, openMailToken } from '../mail-tokens.ts'
import { checkPolicy } from '../passwords.ts'
import type { AuthServices, Procedure } from '../auth-procedure.ts'

export interface RequestInput {
  readonly email: string
  readonly reset_url: string | null
}

const SCOPE = 'password-reset'

/** Does not reveal whether the user exists. The mail goes to the stored address, not to the one in the request. */
export const requestPassword = (services: AuthServices): Procedure<RequestInput, void> => ({
  callers: 'anybody',
  minimumDuration: services.config.loginMinimumDuration,
  check: payloadOf<RequestInput>({ email: text, reset_url: optional(text) }),
  async run({ input, context: { client } }) {
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
  },
})

export interface ResetInput {
  readonly token: string
  readonly password: string
}

export const resetPassword = (services: AuthServices): Procedure<ResetInput, void> => ({
  callers: 'anybody',
  check: payloadOf<ResetInput>({ token: text, password }),
  async run({ input, context: { client } }) {
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
  },
})
