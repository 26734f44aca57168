import { randomUUID } from 'node:crypto'
import { ServiceError } from '@tain/contract'
import type { Account } from '../../engine/accounts.ts'
import { beginAttempt } from '../attempts.ts'
import { passwordMark } from '../authenticate.ts'
import { optional, password, shaped, text, word } from '../input.ts'
import {
  issue,
  lifetimeOf,
  modes,
  newToken,
  storedHash,
  standingFor,
  type Holder,
  type Mode,
  type SignedIn,
} from '../issue.ts'
import type { GuessKind } from '../limits.ts'
import type { AuthServices, Procedure } from '../procedure.ts'
import { stepOf } from '../totp.ts'

export interface LoginInput {
  readonly email: string
  readonly password: string
  readonly otp: string | null
  readonly mode: Mode | null
}

/** Every refusal reads the same and takes the same time, whatever the reason. */
export const login = (services: AuthServices): Procedure<LoginInput, SignedIn> => ({
  callers: 'anybody',
  stall: services.config.loginStall,
  check: shaped<LoginInput>({ email: text, password, otp: optional(text), mode: optional(word(...modes)) }),
  async run({ input, context: { client } }) {
    const { accounts, keyring, limits, sessions } = services
    await limits.login(client.ip)
    const [account, settings] = await Promise.all([accounts.byEmail(input.email), accounts.settings()])
    // The text is kept in a form that only this service can make: some type their password where the address belongs.
    const key = account?.id ?? keyring.derive('unknown account', input.email.toLowerCase())
    await limits.account(key, client.ip)
    const attempt = await beginAttempt({ account: key, address: client.ip, free: settings.attempts }, services)
    if (account !== null && attempt.failures === settings.attempts)
      services.observe({ kind: 'login-delayed', user: account.id, failures: attempt.failures })
    const candidate = account?.status === 'active' && account.provider === 'default' ? account : null
    const isRight = await services.passwords.matches(input.password, candidate?.passwordHash ?? null)
    if (candidate === null || !isRight) throw new ServiceError('INVALID_CREDENTIALS')

    // Clients ask without a code to learn whether one is needed.
    if (candidate.sealedSecret !== null && input.otp === null) await attempt.withdrawn()
    const step = await secondFactor(candidate, input.otp, 'login code', services)
    const holder = holderOf(candidate)
    const standing = await standingFor(holder, client.ip, services)
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
    const { passwordHash, sealedSecret } = candidate
    if (!(await sessions.begin(session, { passwordHash, sealedSecret, step })))
      throw new ServiceError(step === null ? 'INVALID_CREDENTIALS' : 'INVALID_OTP')
    await attempt.succeeded()
    return issue(holder, { mode, refreshToken, family }, standing, services)
  },
})

const holderOf = ({ id, role, sealedSecret, passwordHash, rights }: Account): Holder => ({
  id,
  role,
  rights,
  hasSecondFactor: sealedSecret !== null,
  passwordMark: passwordMark(passwordHash),
})

/** The step of the second factor that was shown; null when the account has none. */
export async function secondFactor(
  { id, sealedSecret, lastStep }: Account,
  code: string | null,
  kind: GuessKind,
  { limits, seal, observe }: AuthServices,
): Promise<number | null> {
  if (sealedSecret === null) return null
  if (code === null) throw new ServiceError('INVALID_OTP')
  await limits.guess(kind, id)
  const secret = seal.open(sealedSecret, id)
  if (secret === null) observe({ kind: 'secret-unreadable', user: id })
  const step = secret === null ? null : stepOf(code, secret, lastStep)
  if (step === null) throw new ServiceError('INVALID_OTP')
  await limits.guessed(kind, id)
  return step
}
