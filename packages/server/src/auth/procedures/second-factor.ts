import { forbidden, invalidPayload, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Account } from '../../store/accounts.ts'
import { isEqualText } from '../../lib/equal-text.ts'
import { passwordFingerprint } from '../authenticate.ts'
import { currentActor } from '../current-actor.ts'
import type { Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'
import { newSecret, otpauthUrl, stepOf } from '../totp.ts'
import { secondFactor } from './login.ts'

const hasOne = () => invalidPayload('There is a second factor already; disable it first')
const wrongCode = () => invalidPayload('"otp" is not the code of this moment')

async function ownAccount(actor: Actor, { identity, accounts }: AuthServices): Promise<Account> {
  const { user } = await currentActor(actor, identity)
  const account = await accounts.byId(user)
  if (account === null) throw new ServiceError('INVALID_CREDENTIALS')
  return account
}

/** Milliseconds allowed between the password and the first code. */
const PENDING = 10 * 60_000

/** Binds the encrypted secret to the user and the password: another user or password cannot decrypt it. */
const ownerOf = ({ id, passwordHash }: Account) => `pending ${id} ${passwordFingerprint(passwordHash)}`

/** Generates a secret that takes effect once `enableTfa` receives a code of it within a few minutes. */
export const generateTfa =
  (services: AuthServices): Procedure<'generateTfa'> =>
  async ({ actor, input }) => {
    const account = await ownAccount(actor, services)
    if (account.encryptedSecret !== null) throw hasOne()
    if (account.provider === 'default') await checkPassword(account, input.password, services)
    const { projectName } = await services.accounts.settings()
    const secret = newSecret()
    await services.oneTime.put(
      'second-factor',
      account.id,
      services.secretEncryption.encrypt(secret, ownerOf(account)),
      PENDING,
    )
    return { secret, otpauth_url: otpauthUrl(secret, projectName, account.email ?? account.id) }
  }

async function checkPassword(account: Account, given: string | null, { limits, passwords }: AuthServices) {
  if (given === null) throw invalidPayload('"password" is required')
  await limits.guess('password', account.id)
  if (!(await passwords.matches(given, account.passwordHash))) throw new ServiceError('INVALID_CREDENTIALS')
  await limits.guessed('password', account.id)
}

/** The code that is sent here may still be used to log in. */
export const enableTfa =
  (services: AuthServices): Procedure<'enableTfa'> =>
  async ({ actor, input, context: { client } }) => {
    const account = await ownAccount(actor, services)
    const { id } = account
    if (account.encryptedSecret !== null) throw hasOne()
    await services.limits.guess('enrolment', id)
    const pending = await services.oneTime.read('second-factor', id)
    const generated = pending === null ? null : services.secretEncryption.decrypt(pending, ownerOf(account))
    if (generated === null || !isEqualText(input.secret, generated))
      throw invalidPayload('"secret" is not the one that was generated last, or it is too old')
    if (stepOf(input.otp, input.secret, null) === null) throw wrongCode()
    await services.limits.guessed('enrolment', id)
    const encrypted = services.secretEncryption.encrypt(input.secret, id)
    const change = { encryptedSecret: encrypted, session: actor.session ?? null }
    const isDone = await services.accounts.setSecondFactor(id, change, { by: id, origin: client })
    if (!isDone) throw hasOne()
  }

export const disableTfa =
  (services: AuthServices): Procedure<'disableTfa'> =>
  async ({ actor, input, context: { client } }) => {
    const account = await ownAccount(actor, services)
    if (account.encryptedSecret === null) throw invalidPayload('There is no second factor')
    const step = await secondFactor(account, input.otp, 'code', services).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'INVALID_OTP' ? wrongCode() : error
    })
    const { id } = account
    const change = { encryptedSecret: null, session: actor.session ?? null, ...(step === null ? {} : { step }) }
    const isDone = await services.accounts.setSecondFactor(id, change, { by: id, origin: client })
    if (!isDone) throw wrongCode()
  }

/** For administrators, if a user has lost the second factor. */
export const disableTfaOf =
  (services: AuthServices): Procedure<'disableTfaOf'> =>
  async ({ actor, input, context: { client } }) => {
    const caller = await currentActor(actor, services.identity)
    if (!caller.isAdmin) throw forbidden()
    if ((await services.accounts.byId(input.id)) === null) throw forbidden()
    await services.accounts.setSecondFactor(input.id, { encryptedSecret: null }, { by: caller.user, origin: client })
  }
