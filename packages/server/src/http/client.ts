import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallContext, SignedIn } from '../procedure.ts'
import type { Browser } from './browser.ts'

const LONGEST_USER_AGENT = 1024

/** Information of a request besides its payload. */
export const callContextOf = (request: FastifyRequest, browser: Browser): CallContext => ({
  client: clientOf(request, browser),
  cookies: browser.cookies.read(request),
})

const clientOf = (request: FastifyRequest, browser: Browser) => ({
  ip: browser.addressOf(request),
  userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
  origin: request.headers.origin ?? null,
})

export const uncached = (reply: FastifyReply) => reply.header('cache-control', 'no-store')

export function clearCookies(request: FastifyRequest, reply: FastifyReply, { cookies }: Browser): void {
  const kept = cookies.read(request)
  if (kept.refresh !== null) cookies.clear(reply, 'refresh')
  if (kept.session !== null) cookies.clear(reply, 'session')
}

/** Stores in cookies what the mode requires. */
export function setCookies(reply: FastifyReply, tokens: SignedIn, { cookies }: Browser): void {
  uncached(reply)
  if (tokens.mode === 'cookie') cookies.set(reply, 'refresh', tokens.refreshToken, tokens.refreshExpires)
  if (tokens.mode === 'session') cookies.set(reply, 'session', tokens.accessToken, tokens.expires)
}

/**
 * Whether the call reads or sets a cookie; such a call must not be cross-site. As in the procedures, null counts as
 * absent.
 */
export function usesCookies({ body }: FastifyRequest, cookies: 'set' | 'read'): boolean {
  const { mode, refresh_token: token } = (body ?? {}) as { mode?: unknown; refresh_token?: unknown }
  const hasToken = cookies === 'set' || (token ?? null) !== null
  return (mode ?? (hasToken ? 'json' : 'cookie')) !== 'json'
}
