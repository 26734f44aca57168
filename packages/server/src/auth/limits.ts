import { isIPv6 } from 'node:net'
import { ServiceError } from '@tain/contract'
import type { Allowance, CreateLimiter, Limiter } from '../cluster/limiter.ts'
import type { Config } from '../config.ts'
import { networkOf, siteOf } from './networks.ts'

/** Rate limits. Each method throws REQUESTS_EXCEEDED when its limit is exceeded, unless stated otherwise. */
export interface Limits {
  /** Any request; null when requests are not limited. */
  readonly request: ((address: string | null) => Promise<Allowance>) | null
  login(address: string | null): Promise<void>
  /** `check` throws once an address has sent too many unknown tokens; further tokens are then not looked up. */
  unknownToken: { check(address: string | null): Promise<void>; count(address: string | null): Promise<void> }
  /** Per account, or placeholder for an unknown one, and per address, so callers elsewhere are not affected. */
  account(account: string, address: string | null): Promise<void>
  registration(address: string | null): Promise<void>
  passwordRequest(address: string | null): Promise<void>
  /** Whether the account may be sent another mail; the caller does not learn the result. */
  mayMail(account: string): Promise<boolean>
  /** Counts guesses of one kind of secret; each kind has a separate limit. */
  guess(kind: GuessKind, account: string): Promise<void>
  guessed(kind: GuessKind, account: string): Promise<void>
}

const MINUTE = 60

/**
 * Guesses per account in five minutes. A login code requires the right password and is delayed per network, so a single
 * network never reaches this limit.
 */
const guesses = {
  'login code': 50,
  /** For users who are logged in: the code, the first code of a new second factor, the password. */
  code: 5,
  enrolment: 5,
  password: 5,
} as const

export type GuessKind = keyof typeof guesses

const MAILS = { points: 5, seconds: 15 * MINUTE }

/** An IPv6 site (/48) has this many times the limit of a single network. */
const SITE_FACTOR = 16

export function createLimits(config: Config, createLimiter: CreateLimiter): Limits {
  const perNetwork = createPerNetwork(createLimiter)
  const perAddress = config.isRateLimited ? perNetwork('request', config.ratePoints, config.rateDuration) : null
  const together = config.isGloballyLimited
    ? createLimiter({ name: 'all', points: config.globalRatePoints, seconds: config.globalRateDuration })
    : null
  const logins = perNetwork('login', config.loginRatePoints)
  const unknownTokens = createLimiter({ name: 'token', points: config.tokenRatePoints, seconds: MINUTE })
  const passwordRequests = perNetwork('password', config.loginRatePoints)
  const registrations = perNetwork('registration', config.registrationRatePoints)
  const accounts = createLimiter({ name: 'account', points: config.accountRatePoints, seconds: MINUTE })
  const mails = createLimiter({ name: 'mail', ...MAILS })
  const guessLimiter = (kind: GuessKind) =>
    createLimiter({ name: `guess ${kind}`, points: guesses[kind], seconds: 5 * MINUTE })
  const guessing: Readonly<Record<GuessKind, Limiter>> = {
    'login code': guessLimiter('login code'),
    code: guessLimiter('code'),
    enrolment: guessLimiter('enrolment'),
    password: guessLimiter('password'),
  }

  return {
    request:
      perAddress === null && together === null
        ? null
        : async (address) => {
            const all = together === null ? null : await take(together, 'all')
            return perAddress === null ? (all ?? never()) : perAddress(address)
          },
    login: async (address) => void (await logins(address)),
    unknownToken: {
      check: async (address) => void refuseExceeded(await unknownTokens.look(siteOf(address))),
      count: async (address) => void (await unknownTokens.consume(siteOf(address))),
    },
    account: async (account, address) => void (await take(accounts, `${account} ${siteOf(address)}`)),
    registration: async (address) => void (await registrations(address)),
    passwordRequest: async (address) => void (await passwordRequests(address)),
    mayMail: async (account) => !(await mails.consume(account)).isExceeded,
    guess: async (kind, account) => void (await take(guessing[kind], account)),
    guessed: (kind, account) => guessing[kind].restore(account),
  }
}

/** Counts per network. The networks of an IPv6 site are also counted together, since one caller may have them all. */
const createPerNetwork =
  (createLimiter: CreateLimiter) =>
  (name: string, points: number, seconds = MINUTE): ((address: string | null) => Promise<Allowance>) => {
    const networks = createLimiter({ name, points, seconds })
    const sites = createLimiter({ name: `${name} site`, points: points * SITE_FACTOR, seconds })
    return async (address) => {
      if (address !== null && isIPv6(address)) await take(sites, siteOf(address))
      return take(networks, networkOf(address))
    }
  }

const never = (): never => {
  throw new TypeError('neither limit is set')
}

const take = async (limiter: Limiter, key: string): Promise<Allowance> => refuseExceeded(await limiter.consume(key))

function refuseExceeded(allowance: Allowance): Allowance {
  if (!allowance.isExceeded) return allowance
  const reset = new Date(Date.now() + allowance.wait)
  throw new ServiceError('REQUESTS_EXCEEDED', `Too many requests. Try again after ${reset.toISOString()}.`, {
    limit: allowance.limit,
    reset: reset.toISOString(),
  })
}
