import { isTainError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { dataOf, type Credentials, type Reply, type Send } from './transport.ts'

export interface Tokens {
  readonly access_token?: string
  readonly refresh_token?: string
  /** When they are to be renewed, in milliseconds since 1970: shortly before the access token expires. */
  readonly renew_at: number
}

/** Where tokens are kept. */
export interface TokenStore {
  get(): Tokens | null | Promise<Tokens | null>
  set(tokens: Tokens | null): void | Promise<void>
}

/** `json`: tokens in the store. `cookie`: the refresh token in a cookie. `session`: everything in a cookie. */
export type SessionMode = 'json' | 'cookie' | 'session'

export interface SessionOptions {
  mode?: SessionMode
  /** Memory by default. */
  store?: TokenStore
}

export interface LoginInput {
  readonly email: string
  readonly password: string
  readonly otp?: string
}

export interface Session extends Credentials {
  login(input: LoginInput, options?: CallOptions): Promise<void>
  refresh(options?: CallOptions): Promise<void>
  logout(options?: CallOptions): Promise<void>
}

/** Tokens are renewed this long before they expire, or after nine tenths of a short life. */
const EARLY = 30_000

export function memoryStore(): TokenStore {
  let kept: Tokens | null = null
  return {
    get: () => kept,
    set: (tokens) => {
      kept = tokens
    },
  }
}

/** The tokens in a response of the service, which tells how many milliseconds they live. */
function tokensOf(reply: Reply): Tokens {
  const { expires, ...tokens } = dataOf(reply) as Omit<Tokens, 'renew_at'> & { readonly expires: number }
  return { ...tokens, renew_at: Date.now() + expires - Math.min(EARLY, expires / 10) }
}

const bearer = (tokens: Tokens | null): string | null =>
  tokens?.access_token === undefined ? null : `Bearer ${tokens.access_token}`

const isSame = (one: Tokens | null, other: Tokens | null): boolean =>
  one?.renew_at === other?.renew_at && one?.access_token === other?.access_token

type Post = (path: string, body: object, options?: CallOptions) => Promise<Reply>

const withRefreshToken = (mode: SessionMode, tokens: Tokens | null) =>
  tokens?.refresh_token === undefined ? { mode } : { mode, refresh_token: tokens.refresh_token }

interface Renewal {
  readonly refresh: Session['refresh']
  /** Resolves when no refresh is on its way that could overwrite the tokens. */
  readonly settled: () => Promise<void>
  /** When the last one ended, in milliseconds since 1970. */
  readonly last: () => number
}

/** Renews the tokens: once for all calls that wait for it. */
function createRenewal(mode: SessionMode, store: TokenStore, post: Post): Renewal {
  let renewing: Promise<void> | null = null
  let last = 0
  const renew = async (options?: CallOptions) => {
    const tokens = await store.get()
    try {
      const got = tokensOf(await post('/auth/refresh', withRefreshToken(mode, tokens), options))
      const now = await store.get()
      if (isSame(now, tokens)) await store.set(got)
      // The user has signed out meanwhile. Other tokens are those of another tab, or of a new login: they stay.
      else if (now === null) await post('/auth/logout', withRefreshToken(mode, got), options)
      last = Date.now()
    } catch (error) {
      // Another tab with the same store may have been faster.
      const now = await store.get()
      if (now !== null && !isSame(now, tokens)) return
      if (isTainError(error) && error.status >= 400 && error.status < 500 && error.status !== 429) await store.set(null)
      throw error
    }
  }
  return {
    last: () => last,
    settled: async () => renewing?.catch(() => {}),
    refresh: (options) => {
      renewing ??= renew(options).finally(() => {
        renewing = null
      })
      return renewing
    },
  }
}

/** Signs in with a password, and keeps the tokens fresh. */
export function createSession({ mode = 'json', store = memoryStore() }: SessionOptions, send: () => Send): Session {
  const post: Post = (path, body, options) =>
    send()({ method: 'POST', path, body, isRepeatable: false, isOpen: true }, options)
  const { refresh, settled, last } = createRenewal(mode, store, post)
  const canRenew = (tokens: Tokens | null) => tokens !== null && (mode !== 'json' || tokens.refresh_token !== undefined)

  return {
    sendsCookies: mode !== 'json',
    async header() {
      const tokens = await store.get()
      if (tokens === null || !canRenew(tokens) || Date.now() < tokens.renew_at) return bearer(tokens)
      try {
        await refresh()
      } catch (error) {
        // The tokens are kept unless the service has refused them: they may still be valid for a moment.
        if ((await store.get()) === null) throw error
      }
      return bearer(await store.get())
    },
    renewAt: async () => (await store.get())?.renew_at ?? null,
    async renew(used, began) {
      const tokens = await store.get()
      // Another call, or another tab, has renewed it meanwhile.
      if (tokens !== null && (last() > began || bearer(tokens) !== used)) return true
      if (mode === 'json' && !canRenew(tokens)) return false
      await refresh()
      return true
    },
    async login(input, options) {
      const reply = await post('/auth/login', { ...input, mode }, options)
      await settled()
      await store.set(tokensOf(reply))
    },
    refresh,
    async logout(options) {
      await settled()
      const tokens = await store.get()
      await store.set(null)
      if (mode !== 'json' || tokens !== null) await post('/auth/logout', withRefreshToken(mode, tokens), options)
    },
  }
}

/** A token that does not expire, or a function that gives one. */
export const fixedCredentials = (token: string | (() => string | Promise<string>)): Credentials => ({
  sendsCookies: false,
  header: async () => `Bearer ${typeof token === 'string' ? token : await token()}`,
  renew: async () => false,
  renewAt: async () => null,
})
