import type { ProxySettings } from '../lib/client-address.ts'
import { asDuration, asFlag, asNames, asProxies, asPublicUrl, asSecret, asText, oneOf, type Rows } from './readers.ts'

/** Settings for login, tokens and sessions. Times are in milliseconds. */
export interface AuthenticationConfig extends ProxySettings {
  readonly environment: string
  readonly publicUrl: string | null
  readonly secret: string | null
  readonly previousSecret: string | null
  readonly adminEmail: string | null
  readonly adminPassword: string | null
  readonly adminToken: string | null
  readonly accessTokenTtl: number
  readonly refreshTokenTtl: number
  readonly refreshCookieName: string
  readonly refreshCookieDomain: string | null
  readonly refreshCookieSecure: boolean | null
  readonly refreshCookieSameSite: string
  readonly sessionTtl: number
  readonly sessionGrace: number
  readonly sessionCookieName: string
  readonly sessionCookieDomain: string | null
  readonly sessionCookieSecure: boolean | null
  readonly sessionCookieSameSite: string
  readonly loginMinimumDuration: number
  readonly registerMinimumDuration: number
  readonly resetTtl: number
  readonly inviteTtl: number
  readonly verificationTtl: number
  readonly resetUrls: readonly string[]
  readonly inviteUrls: readonly string[]
  readonly registerUrls: readonly string[]
}

const MINUTE = 60_000
const DAY = 86_400_000
const asSameSite = (text: string) => oneOf('strict', 'lax', 'none')(text.toLowerCase())
const secureByUrl = 'send the cookie over https only; by default when PUBLIC_URL is https'
const sameSite = 'the SameSite attribute of the cookie: strict, lax or none'

export const authenticationSettings: Rows<AuthenticationConfig> = {
  environment: { name: 'NODE_ENV', fallback: 'development', read: asText, what: 'production makes SECRET required' },
  publicUrl: {
    name: 'PUBLIC_URL',
    fallback: null,
    read: asPublicUrl,
    what: 'address under which users reach the service; links in mails begin with it',
  },
  secret: {
    name: 'SECRET',
    fallback: null,
    read: asSecret,
    what: 'key that signs tokens; without it a new one is generated at each start',
  },
  previousSecret: {
    name: 'SECRET_PREVIOUS',
    fallback: null,
    read: asSecret,
    what: 'previous SECRET; what it signed or encrypted stays valid',
  },
  adminEmail: { name: 'ADMIN_EMAIL', fallback: null, read: asText, what: 'first administrator' },
  adminPassword: { name: 'ADMIN_PASSWORD', fallback: null, read: asText, what: 'password of the first administrator' },
  adminToken: { name: 'ADMIN_TOKEN', fallback: null, read: asText, what: 'static token of the first administrator' },
  accessTokenTtl: {
    name: 'ACCESS_TOKEN_TTL',
    fallback: 15 * MINUTE,
    read: asDuration,
    what: 'lifetime of an access token',
  },
  refreshTokenTtl: {
    name: 'REFRESH_TOKEN_TTL',
    fallback: 7 * DAY,
    read: asDuration,
    what: 'lifetime of a refresh token',
  },
  refreshCookieName: {
    name: 'REFRESH_TOKEN_COOKIE_NAME',
    fallback: 'service_refresh_token',
    read: asText,
    what: 'name of the cookie with the refresh token',
  },
  refreshCookieDomain: {
    name: 'REFRESH_TOKEN_COOKIE_DOMAIN',
    fallback: null,
    read: asText,
    what: 'domain of that cookie',
  },
  refreshCookieSecure: { name: 'REFRESH_TOKEN_COOKIE_SECURE', fallback: null, read: asFlag, what: secureByUrl },
  refreshCookieSameSite: {
    name: 'REFRESH_TOKEN_COOKIE_SAME_SITE',
    fallback: 'lax',
    read: asSameSite,
    what: sameSite,
  },
  sessionTtl: { name: 'SESSION_COOKIE_TTL', fallback: DAY, read: asDuration, what: 'lifetime of a session' },
  sessionGrace: {
    name: 'SESSION_REFRESH_GRACE_PERIOD',
    fallback: 10_000,
    read: asDuration,
    what: 'how long the previous token of a renewed session still works for the same client',
  },
  sessionCookieName: {
    name: 'SESSION_COOKIE_NAME',
    fallback: 'service_session_token',
    read: asText,
    what: 'name of the cookie with the session',
  },
  sessionCookieDomain: { name: 'SESSION_COOKIE_DOMAIN', fallback: null, read: asText, what: 'domain of that cookie' },
  sessionCookieSecure: { name: 'SESSION_COOKIE_SECURE', fallback: null, read: asFlag, what: secureByUrl },
  sessionCookieSameSite: { name: 'SESSION_COOKIE_SAME_SITE', fallback: 'lax', read: asSameSite, what: sameSite },
  loginMinimumDuration: {
    name: 'LOGIN_STALL_TIME',
    fallback: 500,
    read: asDuration,
    what: 'minimum duration of a login or a password request',
  },
  registerMinimumDuration: {
    name: 'REGISTER_STALL_TIME',
    fallback: 750,
    read: asDuration,
    what: 'minimum duration of a registration',
  },
  resetTtl: {
    name: 'PASSWORD_RESET_TOKEN_TTL',
    fallback: DAY,
    read: asDuration,
    what: 'lifetime of a link to set a new password',
  },
  inviteTtl: {
    name: 'USER_INVITE_TOKEN_TTL',
    fallback: 7 * DAY,
    read: asDuration,
    what: 'lifetime of an invitation',
  },
  verificationTtl: {
    name: 'EMAIL_VERIFICATION_TOKEN_TTL',
    fallback: 7 * DAY,
    read: asDuration,
    what: 'lifetime of a link to confirm an e-mail address',
  },
  resetUrls: {
    name: 'PASSWORD_RESET_URL_ALLOW_LIST',
    fallback: [],
    read: asNames,
    what: 'URLs that callers may choose for links to set a new password',
  },
  inviteUrls: {
    name: 'USER_INVITE_URL_ALLOW_LIST',
    fallback: [],
    read: asNames,
    what: 'URLs that callers may choose for invitations',
  },
  registerUrls: {
    name: 'USER_REGISTER_URL_ALLOW_LIST',
    fallback: [],
    read: asNames,
    what: 'URLs that callers may choose for links to confirm an e-mail address',
  },
  trustProxy: {
    name: 'IP_TRUST_PROXY',
    fallback: false,
    read: asProxies,
    what: "whose X-Forwarded-For counts: false, true, how many proxies there are, or the proxies' addresses",
  },
  addressHeader: {
    name: 'IP_CUSTOM_HEADER',
    fallback: null,
    read: (text) => (/^false$/iu.test(text) ? null : text.toLowerCase()),
    what: "header that holds the caller's address; only where a proxy always sets it",
  },
}

/** Problems that depend on several settings. */
export function authenticationProblems(config: AuthenticationConfig & { readonly isReadOnly: boolean }): string[] {
  const problems: string[] = []
  if (config.environment === 'production' && config.secret === null && !config.isReadOnly)
    problems.push('SECRET is not set: in production tokens need a key that lasts (at least 32 random characters)')
  const cookies = [
    ['REFRESH_TOKEN_COOKIE', config.refreshCookieSameSite, config.refreshCookieSecure],
    ['SESSION_COOKIE', config.sessionCookieSameSite, config.sessionCookieSecure],
  ] as const
  for (const [name, sameSite, secure] of cookies)
    if (sameSite === 'none' && secure === false)
      problems.push(`${name}_SAME_SITE is none, and browsers take that only with ${name}_SECURE`)
  return problems
}
