import { randomUUID } from 'node:crypto'
import { forbidden, ServiceError } from '@tain/contract'
import { evaluate, lenient } from '../../access/evaluate.ts'
import { linkBase } from '../links.ts'
import { mailToken, openMailToken } from '../mail-tokens.ts'
import { checkPolicy } from '../passwords.ts'
import type { Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'

const SCOPE = 'pending-registration'

/** Only the address is known here, so a filter on any other field rejects every registration. */
const everythingAsked = { ...lenient, asks: 'everything' } as const

/** Does not reveal whether the address is known. */
export const register =
  (services: AuthServices): Procedure<'register'> =>
  async ({ input, context: { client } }) => {
    const { accounts, limits, passwords, mailer, config } = services
    await limits.registration(client.ip)
    const settings = await accounts.settings()
    if (!settings.isRegistrationOpen) throw forbidden()
    if (evaluate(settings.registrationFilter, { email: input.email }, everythingAsked).length > 0) throw forbidden()
    const link = linkBase('verification', input.verification_url, config)
    checkPolicy(input.password, settings.passwordPolicy)
    const passwordHash = await passwords.hash(input.password)
    const cause = { by: null, origin: client }
    const isNew = await accounts.create(
      {
        id: randomUUID(),
        email: input.email,
        passwordHash,
        firstName: input.first_name,
        lastName: input.last_name,
        role: settings.registrationRole,
        status: settings.verifiesEmail ? 'unverified' : 'active',
      },
      cause,
    )
    if (!settings.verifiesEmail) return
    const account = await accounts.byEmail(input.email)
    if (account?.status !== 'unverified' || account.email === null) return
    if (!isNew && !(await accounts.setPassword(account, { passwordHash, status: 'unverified' }, cause))) return
    // A link confirms only the registration that it was sent for: a later one may come from another person.
    const token = await mailToken(SCOPE, { ...account, passwordHash }, config.verificationTtl, services)
    if (await limits.mayMail(account.id))
      mailer.send('verification', account.email, settings.projectName, link.linkFor(token))
  }

/** Returns the user; null for an invalid link, without a reason. */
export const verifyEmail =
  (services: AuthServices): Procedure<'verifyEmail'> =>
  async ({ input, context: { client } }) => {
    const { accounts, config } = services
    const opened = await openMailToken(input.token, SCOPE, config.verificationTtl, services).catch(refusalAsNull)
    if (opened === null || opened === 'other' || opened.account.status !== 'unverified') return null
    const { account, link } = opened
    const to = { passwordHash: account.passwordHash, status: 'active', link }
    return (await accounts.setPassword(account, to, { by: account.id, origin: client })) ? account.id : null
  }

function refusalAsNull(error: unknown): null {
  if (error instanceof ServiceError && error.status < 500) return null
  throw error
}
