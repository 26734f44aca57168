import { forbidden } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthenticationConfig } from '../config/authentication.ts'
import { createClientAddress } from '../lib/client-address.ts'

export type CookieKind = 'refresh' | 'session' | 'position'

export interface Cookies {
  read(request: FastifyRequest): Readonly<Record<CookieKind, string | null>>
  /** `lifetime` is in milliseconds. */
  set(reply: FastifyReply, kind: CookieKind, value: string, lifetime: number): void
  clear(reply: FastifyReply, kind: CookieKind): void
}

/** Information about the client, and the cookies stored there. */
export interface Browser {
  readonly publicUrl: string | null
  readonly cookies: Cookies
  addressOf(request: FastifyRequest): string | null
  /** Rejects cross-site requests that carry the service's cookies. */
  checkOrigin(request: FastifyRequest): void
}

export interface BrowserOptions extends AuthenticationConfig {
  /** Origins that may send cookies. */
  readonly origins: readonly string[]
}

export function createBrowser(options: BrowserOptions): Browser {
  const addressOf = createClientAddress(options)
  return {
    publicUrl: options.publicUrl,
    cookies: createCookies(options),
    addressOf: ({ raw }) => addressOf(raw),
    checkOrigin: (request) => {
      if (!safeMethods.has(request.method) && isForeign(request, options)) throw forbidden()
    },
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'SEARCH', 'QUERY'])

/** Clients that are not browsers send neither header and do not send cookies unintentionally. */
function isForeign({ headers }: FastifyRequest, { publicUrl, origins }: BrowserOptions): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isAllowed = origin !== undefined && (origins.includes(origin) || origin === originOf(publicUrl))
  if (isAllowed) return false
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== headers.host)
}

const originOf = (url: string | null) => (url === null ? null : new URL(url).origin)

interface Kept {
  readonly name: string
  readonly options: NonNullable<Parameters<FastifyInstance['serializeCookie']>[2]>
}

function createCookies(config: AuthenticationConfig): Cookies {
  const isSecure = config.publicUrl?.startsWith('https:') === true
  const kept = (name: string, domain: string | null, secure: boolean | null, sameSite: string): Kept => ({
    name,
    options: {
      httpOnly: true,
      path: '/',
      secure: secure ?? (isSecure || sameSite === 'none'),
      sameSite: sameSite as 'lax' | 'strict' | 'none',
      ...(domain === null ? {} : { domain }),
    },
  })
  const sessionKept = (name: string) =>
    kept(name, config.sessionCookieDomain, config.sessionCookieSecure, config.sessionCookieSameSite)
  const kinds: Readonly<Record<CookieKind, Kept>> = {
    refresh: kept(
      config.refreshCookieName,
      config.refreshCookieDomain,
      config.refreshCookieSecure,
      config.refreshCookieSameSite,
    ),
    session: sessionKept(config.sessionCookieName),
    position: sessionKept(`${config.sessionCookieName}_position`),
  }
  const write = (reply: FastifyReply, { name, options }: Kept, value: string, maxAge: number) =>
    void reply.header('set-cookie', reply.server.serializeCookie(name, value, { ...options, maxAge }))
  const none = { refresh: null, session: null, position: null }
  return {
    read({ headers, server }) {
      if (headers.cookie === undefined) return none
      const found = server.parseCookie(headers.cookie)
      const valueOf = (kind: CookieKind) => found[kinds[kind].name] || null
      return { refresh: valueOf('refresh'), session: valueOf('session'), position: valueOf('position') }
    },
    set: (reply, kind, value, lifetime) => write(reply, kinds[kind], value, Math.floor(lifetime / 1000)),
    clear: (reply, kind) => write(reply, kinds[kind], '', 0),
  }
}
