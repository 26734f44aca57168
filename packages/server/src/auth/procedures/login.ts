import { randomUUID } from 'node:crypto'
import { ServiceError } from '@tain/contract'
import type { Account } from '../../store/accounts.ts'
import { beginAttempt } from '../login-attempts.ts'
import { passwordFingerprint } from '../authenticate.ts'
import { issue, lifetimeOf, newToken, storedHash, effectivePermissionsFor, type Holder } from '../issue.ts'
import type { GuessKind } from '../limits.ts'
import type { Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'
import { stepOf } from '../totp.ts'

/** All refusals read the same and take the same time, regardless of the reason. */
export const login =
  (services: AuthServices): Procedure<'login'> =>
  async ({ input, context: { client } }) => {
    const { accounts, keyring, limits, sessions } = services
    await limits.login(client.ip)
    const [account, settings] = await Promise.all([accounts.byEmail(input.email), accounts.settings()])
    // Only an HMAC of an unknown address is stored, because users sometimes type their password into the address field.
    const key = account?.id ?? keyring.derive('unknown account', input.email.toLowerCase())
    await limits.account(key, client.ip)
    const attempt = await beginAttempt({ account: key, address: client.ip, free: settings.attempts }, services)
    if (account !== null && attempt.failures === settings.attempts)
      services.observe({ kind: 'login-delayed', user: account.id, failures: attempt.failures })
    const candidate = account?.status === 'active' && account.provider === 'default' ? account : null
    const isRight = await services.passwords.matches(input.password, candidate?.passwordHash ?? null)
    if (candidate === null || !isRight) throw new ServiceError('INVALID_CREDENTIALS')

    // Clients send no code to find out whether one is needed.
    if (candidate.encryptedSecret !== null && input.otp === null) await attempt.withdrawn()
    const step = await secondFactor(candidate, input.otp, 'login code', services)
    const holder = holderOf(candidate)
    const effective = await effectivePermissionsFor(holder, client.ip, services)
    const mode = input.mode ?? 'json'
    const refreshToken = newToken()
    const family = randomUUID()
    const session = {
      user: candidate.id,
      tokenHash: storedHash(mode, refreshToken),
      family,
      lifetime: lifetimeOf(mode, services.config),
      client,
    }
    const { passwordHash, encryptedSecret } = candidate
    if (!(await sessions.begin(session, { passwordHash, encryptedSecret, step })))
      throw new ServiceError(step === null ? 'INVALID_CREDENTIALS' : 'INVALID_OTP')
    await attempt.succeeded()
    return issue(holder, { mode, refreshToken, family }, effective, services)
  }

const holderOf = ({ id, role, encryptedSecret, passwordHash, permissionVersion }: Account): Holder => ({
  id,
  role,
  permissionVersion,
  hasSecondFactor: encryptedSecret !== null,
  passwordFingerprint: passwordFingerprint(passwordHash),
})

/** The time step of the given code; null if the account has no second factor. */
export async function secondFactor(
  { id, encryptedSecret, lastStep }: Account,
  code: string | null,
  kind: GuessKind,
  { limits, secretEncryption, observe }: AuthServices,
): Promise<number | null> {
  if (encryptedSecret === null) return null
  if (code === null) throw new ServiceError('INVALID_OTP')
  await limits.guess(kind, id)
  const secret = secretEncryption.decrypt(encryptedSecret, id)
  if (secret === null) observe({ kind: 'secret-unreadable', user: id })
  const step = secret === null ? null : stepOf(code, secret, lastStep)
  if (step === null) throw new ServiceError('INVALID_OTP')
  await limits.guessed(kind, id)
  return step
}
