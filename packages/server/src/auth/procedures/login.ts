import { randomUUID } from 'node:crypto'
import { ServiceError } from '@tain/contract'
import type { Account } from '../../engine/accounts.ts'
import { hashToken, passwordMark } from '../authenticate.ts'
import { optional, password, shaped, text, word } from '../input.ts'
import { issue, lifetimeOf, modes, newToken, standingFor, type Holder, type Mode, type SignedIn } from '../issue.ts'
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
    const { accounts, limits, sessions } = services
    await limits.login(client.ip)
    const [account, settings] = await Promise.all([accounts.byEmail(input.email), accounts.settings()])
    await limits.account(account?.id ?? hashToken(input.email.toLowerCase()))
    const candidate = account?.status === 'active' && account.provider === 'default' ? account : null
    // The attempt is counted while the password is checked, and for nobody where there is no account: counting takes no
    // time of its own, and checking the same in either case.
    const [isSuspended, isRight] = await Promise.all([
      accounts.countAttempt(candidate?.id ?? randomUUID(), settings.attempts, client),
      services.passwords.matches(input.password, candidate?.passwordHash ?? null),
    ])
    if (isSuspended && candidate !== null) services.observe({ kind: 'user-suspended', user: candidate.id })
    if (candidate === null || !isRight || isSuspended) throw new ServiceError('INVALID_CREDENTIALS')

    const step = await secondFactor(candidate, input.otp, services)
    const holder = holderOf(candidate)
    const standing = await standingFor(holder, client.ip, services)
    const mode = input.mode ?? 'json'
    const token = newToken()
    const session = {
      user: candidate.id,
      tokenHash: hashToken(token),
      family: randomUUID(),
      lifetime: lifetimeOf(mode, services.config),
      client,
    }
    const { passwordHash, sealedSecret } = candidate
    if (!(await sessions.begin(session, { passwordHash, sealedSecret, step })))
      throw new ServiceError(step === null ? 'INVALID_CREDENTIALS' : 'INVALID_OTP')
    return issue(holder, mode, token, standing, services)
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
  { limits, seal, observe }: AuthServices,
): Promise<number | null> {
  if (sealedSecret === null) return null
  if (code === null) throw new ServiceError('INVALID_OTP')
  await limits.guess('code', id)
  const secret = seal.open(sealedSecret, id)
  if (secret === null) observe({ kind: 'secret-unreadable', user: id })
  const step = secret === null ? null : stepOf(code, secret, lastStep)
  if (step === null) throw new ServiceError('INVALID_OTP')
  await limits.guessed('code', id)
  return step
}
