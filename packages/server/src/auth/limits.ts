import { isIPv6 } from 'node:net'
import { ServiceError } from '@tain/contract'
import { createMemoryLimiter, type Allowance, type Limiter } from '../cluster/limiter.ts'
import type { Config } from '../config.ts'

/** How often callers may do what. Each throws REQUESTS_EXCEEDED when it was too often, unless it says otherwise. */
export interface Limits {
  /** Any request; null when requests are not limited. */
  readonly request: ((address: string | null) => Promise<Allowance>) | null
  login(address: string | null): Promise<void>
  /** By the account that was found, or by the address that was tried: never by what only the caller chooses. */
  account(account: string): Promise<void>
  registration(address: string | null): Promise<void>
  passwordRequest(address: string | null): Promise<void>
  /** Whether the account may be sent one more mail; whoever asked does not learn it. */
  mayMail(account: string): Promise<boolean>
  /** Guesses of one kind of secret; those of one kind never pay for another. */
  guess(kind: GuessKind, account: string): Promise<void>
  guessed(kind: GuessKind, account: string): Promise<void>
}

/** The code of a second factor, the first code of a new one, the password of somebody who is signed in already. */
export type GuessKind = 'code' | 'enrolment' | 'password'

const MINUTE = 60
const GUESSES = { points: 5, seconds: 5 * MINUTE }
const MAILS = { points: 5, seconds: 15 * MINUTE }

export function createLimits(config: Config): Limits {
  const perAddress = config.isRateLimited
    ? createMemoryLimiter({ name: 'request', points: config.ratePoints, seconds: config.rateDuration })
    : null
  const together = config.isGloballyLimited
    ? createMemoryLimiter({ name: 'all', points: config.globalRatePoints, seconds: config.globalRateDuration })
    : null
  const perMinute = (name: string, points: number) => createMemoryLimiter({ name, points, seconds: MINUTE })
  const logins = perMinute('login', config.loginRatePoints)
  const passwordRequests = perMinute('password', config.loginRatePoints)
  const accounts = perMinute('account', config.accountRatePoints)
  const registrations = perMinute('registration', config.registrationRatePoints)
  const guesses = createMemoryLimiter({ name: 'guess', ...GUESSES })
  const mails = createMemoryLimiter({ name: 'mail', ...MAILS })

  return {
    request:
      perAddress === null && together === null
        ? null
        : async (address) => {
            const all = together === null ? null : await take(together, 'all')
            return perAddress === null ? (all ?? never()) : take(perAddress, networkOf(address))
          },
    login: async (address) => void (await take(logins, networkOf(address))),
    account: async (account) => void (await take(accounts, account)),
    registration: async (address) => void (await take(registrations, networkOf(address))),
    passwordRequest: async (address) => void (await take(passwordRequests, networkOf(address))),
    mayMail: async (account) => !(await mails.consume(account)).isExceeded,
    guess: async (kind, account) => void (await take(guesses, `${kind} ${account}`)),
    guessed: (kind, account) => guesses.restore(`${kind} ${account}`),
  }
}

const never = (): never => {
  throw new TypeError('neither limit is set')
}

/** Whoever has one IPv6 address usually has all of its network. */
export function networkOf(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? 'unknown'
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')]
  return all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/u, ''))
    .join(':')
}

async function take(limiter: Limiter, key: string): Promise<Allowance> {
  const allowance = await limiter.consume(key)
  if (!allowance.isExceeded) return allowance
  const reset = new Date(Date.now() + allowance.wait)
  throw new ServiceError('REQUESTS_EXCEEDED', `Too many requests. Try again after ${reset.toISOString()}.`, {
    limit: allowance.limit,
    reset: reset.toISOString(),
  })
}
