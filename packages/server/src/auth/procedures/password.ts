import { timingSafeEqual } from 'node:crypto'
import { forbidden } from '@tain/contract'
import { hashToken } from '../authenticate.ts'
import { optional, password, shaped, text } from '../input.ts'
import { linkBase } from '../links.ts'
import { checkPolicy } from '../passwords.ts'
import type { AuthServices, Procedure } from '../procedure.ts'

export interface RequestInput {
  readonly email: string
  readonly reset_url: string | null
}

const SCOPE = 'password-reset'

/** Another password, another mark: so a token is good for one change. */
const markOf = (passwordHash: string | null) => hashToken(`reset ${passwordHash ?? ''}`)

export const isEqual = (left: unknown, right: string): boolean =>
  typeof left === 'string' && left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Says nothing about whether there is such a user. The mail goes to the address that is stored, not to the one that was sent. */
export const requestPassword = (services: AuthServices): Procedure<RequestInput, void> => ({
  callers: 'anybody',
  stall: services.config.loginStall,
  check: shaped<RequestInput>({ email: text, reset_url: optional(text) }),
  async run({ input, context: { client } }) {
    const { accounts, tokens, limits, mailer, config } = services
    const link = linkBase('reset', input.reset_url, config)
    await limits.passwordRequest(client.ip)
    const [account, settings] = await Promise.all([accounts.byEmail(input.email), accounts.settings()])
    const isKnown = account?.status === 'active' && account.provider === 'default'
    const email = account?.email ?? input.email
    // Everything but the mail is done for those who are not known, too.
    const hash = markOf(account?.passwordHash ?? null)
    const token = await tokens.sign({ email, scope: SCOPE, hash }, config.resetTtl)
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
  check: shaped<ResetInput>({ token: text, password }),
  async run({ input, context: { client } }) {
    const { accounts, tokens, passwords } = services
    const { email, scope, hash } = await tokens.verify(input.token)
    if (scope !== SCOPE || typeof email !== 'string') throw forbidden()
    const [account, settings] = await Promise.all([accounts.byEmail(email), accounts.settings()])
    const isGood =
      account?.status === 'active' && account.provider === 'default' && isEqual(hash, markOf(account.passwordHash))
    if (!isGood) throw forbidden()
    checkPolicy(input.password, settings.passwordPolicy)
    const passwordHash = await passwords.hash(input.password)
    const isDone = await accounts.setPassword(account, passwordHash, 'active', { by: account.id, origin: client })
    if (!isDone) throw forbidden()
  },
})
