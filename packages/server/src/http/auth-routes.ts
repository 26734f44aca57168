import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../auth/issue.ts'
import type { CallContext, Procedure } from '../auth/auth-procedure.ts'
import { atLeast } from '../lib/minimum-duration.ts'
import type { Browser } from './browser.ts'
import { rawQuery } from './token-sources.ts'
import { actorOf, type HttpContext } from './context.ts'
import { sendData, sendJson } from './reply.ts'

const LONGEST_USER_AGENT = 1024

const nobody = { token: null, address: null }

/**
 * Maps authentication procedures to routes. It decides nothing: payloads go in, results become responses and cookies.
 */
export function authRoutes(app: FastifyInstance, context: HttpContext): void {
  const { procedures, browser } = context
  if (procedures === null) return

  const call = async <I, O>(procedure: Procedure<I, O>, payload: unknown, request: FastifyRequest): Promise<O> => {
    const actor = await (procedure.callers === 'users' ? actorOf(request, context) : context.authenticate(nobody))
    const run = async () =>
      procedure.run({ actor, input: procedure.check(payload), context: callContextOf(request, browser) })
    return procedure.minimumDuration === undefined ? run() : atLeast(procedure.minimumDuration, run)
  }

  const signsIn = <I>(url: string, procedure: Procedure<I, SignedIn>) =>
    app.post(url, async (request, reply) => {
      if (usesCookies(request, url)) browser.checkOrigin(request)
      return sendSignedIn(reply, await call(procedure, request.body, request), browser)
    })

  const answers204 = <I>(url: string, procedure: Procedure<I, void>, payloadOf = bodyOf) =>
    app.post(url, async (request, reply) => {
      await call(procedure, payloadOf(request), request)
      return uncached(reply).code(204).send()
    })

  app.get('/auth', async (_, reply) => {
    sendJson(reply, JSON.stringify({ data: [], disableDefault: false }))
    return reply
  })
  signsIn('/auth/login', procedures.login)
  signsIn('/auth/refresh', procedures.refresh)
  app.post('/auth/logout', async (request, reply) => {
    if (usesCookies(request, '/auth/logout')) browser.checkOrigin(request)
    await call(procedures.logout, request.body, request)
    clearCookies(request, reply, browser)
    return uncached(reply).code(204).send()
  })
  answers204('/auth/password/request', procedures.requestPassword)
  answers204('/auth/password/reset', procedures.resetPassword)
  answers204('/users/invite', procedures.invite)
  answers204('/users/invite/accept', procedures.acceptInvite)
  answers204('/users/register', procedures.register)
  app.get('/users/register/verify-email', { config: { dryRun: 'refused' } }, async (request, reply) => {
    const token = new URLSearchParams(rawQuery(request)).get('token') ?? ''
    const user = token === '' ? null : await call(procedures.verifyEmail, { token }, request)
    const place = user === null ? '/admin/login' : `/admin/users/${user}`
    return uncached(reply).redirect(`${browser.publicUrl ?? ''}${place}`)
  })
  app.post('/users/me/tfa/generate', async (request, reply) => {
    sendData(uncached(reply), await call(procedures.generateTfa, request.body, request))
    return reply
  })
  answers204('/users/me/tfa/enable', procedures.enableTfa)
  answers204('/users/me/tfa/disable', procedures.disableTfa)
  answers204('/users/:id/tfa/disable', procedures.disableTfaOf, ({ params }) => params)
  answers204('/server/setup', procedures.setup)
}

const bodyOf = ({ body }: FastifyRequest): unknown => body

const uncached = (reply: FastifyReply) => reply.header('cache-control', 'no-store')

/** Information of a request besides its payload. */
export const callContextOf = (request: FastifyRequest, browser: Browser): CallContext => ({
  client: clientOf(request, browser),
  cookies: browser.cookies.read(request),
})

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

const clientOf = (request: FastifyRequest, browser: Browser) => ({
  ip: browser.addressOf(request),
  userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
  origin: request.headers.origin ?? null,
})

/**
 * Whether the call reads or sets a cookie; such a call must not be cross-site. As in the procedures, null counts as
 * absent.
 */
function usesCookies({ body }: FastifyRequest, url: string): boolean {
  const { mode, refresh_token: token } = (body ?? {}) as { mode?: unknown; refresh_token?: unknown }
  const hasToken = url === '/auth/login' || (token ?? null) !== null
  return (mode ?? (hasToken ? 'json' : 'cookie')) !== 'json'
}

function sendSignedIn(reply: FastifyReply, tokens: SignedIn, browser: Browser): FastifyReply {
  const { mode, accessToken, refreshToken, expires } = tokens
  setCookies(reply, tokens, browser)
  switch (mode) {
    case 'json':
      sendData(reply, { access_token: accessToken, refresh_token: refreshToken, expires })
      return reply
    case 'cookie':
      sendData(reply, { access_token: accessToken, expires })
      return reply
    case 'session':
      sendData(reply, { expires })
      return reply
  }
}
