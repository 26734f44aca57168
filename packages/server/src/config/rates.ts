import { asFlag, asNumber, oneOf, type Rows } from './readers.ts'

/** Rate limits. */
export interface RateConfig {
  readonly isRateLimited: boolean
  readonly ratePoints: number
  readonly rateDuration: number
  readonly rateStore: 'auto' | 'memory' | 'redis'
  readonly isGloballyLimited: boolean
  readonly globalRatePoints: number
  readonly globalRateDuration: number
  readonly loginRatePoints: number
  readonly accountRatePoints: number
  readonly registrationRatePoints: number
  readonly tokenRatePoints: number
}

export const rateSettings: Rows<RateConfig> = {
  isRateLimited: { name: 'RATE_LIMITER_ENABLED', fallback: false, read: asFlag, what: 'limit requests per address' },
  ratePoints: {
    name: 'RATE_LIMITER_POINTS',
    fallback: 50,
    read: asNumber(1),
    what: 'requests per address in the period',
  },
  rateDuration: { name: 'RATE_LIMITER_DURATION', fallback: 1, read: asNumber(1), what: 'the period in seconds' },
  rateStore: {
    name: 'RATE_LIMITER_STORE',
    fallback: 'auto',
    read: oneOf('auto', 'memory', 'redis'),
    what: 'where all limits are counted; memory: per process; auto: in Redis if REDIS_URL is set',
  },
  isGloballyLimited: {
    name: 'RATE_LIMITER_GLOBAL_ENABLED',
    fallback: false,
    read: asFlag,
    what: 'limit the requests of all addresses together',
  },
  globalRatePoints: {
    name: 'RATE_LIMITER_GLOBAL_POINTS',
    fallback: 1000,
    read: asNumber(1),
    what: 'requests of all addresses in the period',
  },
  globalRateDuration: {
    name: 'RATE_LIMITER_GLOBAL_DURATION',
    fallback: 1,
    read: asNumber(1),
    what: 'the period in seconds',
  },
  loginRatePoints: {
    name: 'RATE_LIMITER_LOGIN_POINTS',
    fallback: 300,
    read: asNumber(1),
    what: 'logins and password requests of one address per minute',
  },
  accountRatePoints: {
    name: 'RATE_LIMITER_ACCOUNT_POINTS',
    fallback: 50,
    read: asNumber(1),
    what: 'logins to one account per minute from one address or IPv6 /48',
  },
  registrationRatePoints: {
    name: 'RATE_LIMITER_REGISTRATION_POINTS',
    fallback: 5,
    read: asNumber(1),
    what: 'registrations of one address per minute',
  },
  tokenRatePoints: {
    name: 'RATE_LIMITER_TOKEN_POINTS',
    fallback: 300,
    read: asNumber(1),
    what: 'unknown tokens of one address or IPv6 /48 per minute; above that only tokens in use are accepted from there',
  },
}
