import { createHash, timingSafeEqual } from 'node:crypto'
import { forbidden, ServiceError } from '@tain/contract'
import { LRUCache } from 'lru-cache'
import { administrator, anonymous, effectivePermissionsOf, type Actor } from '../access/actor.ts'
import type { PermissionModel } from '../access/permissions.ts'
import type { Identity, UserRecord } from '../engine/identity.ts'
import type { PermissionStore } from '../engine/permission-store.ts'
import type { Sessions } from '../engine/sessions.ts'
import { pathsIn, type WithPaths } from './paths.ts'
import type { Limits } from './limits.ts'
import type { AccessClaims, Tokens } from './tokens.ts'

/** What a request brings along to say who it is from. */
export interface Credentials {
  readonly token: string | null
  readonly address: string | null
}

export type Authenticate = (credentials: Credentials) => Actor | Promise<Actor>

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Tokens inside session cookies have another hash, so that they are no refresh tokens. */
export const sessionHash = (token: string): string => hashToken(`session ${token}`)

/** The same as the database makes of the stored hash. */
export const passwordFingerprint = (passwordHash: string | null): string => hashToken(passwordHash ?? '').slice(0, 16)

const CACHED = 10_000
const LONGEST_TOKEN = 8192

/** Somebody; it counts under the rights it was made from. */
interface Known {
  readonly actor: Actor
  /** Variables whose values have to be read at each request. */
  readonly paths: ReadonlySet<string>
  /** null: a static token. */
  readonly claims: AccessClaims | null
  readonly checked: Checked
}

/** When its login was last seen open: the time, and how often this process had ended sessions by then. */
interface Checked {
  readonly at: number
  readonly endings: number
}

/** Milliseconds that an access token counts without another look: as long as a logout at another replica may go unseen. */
const RECHECK = 1000

export interface AuthenticateOptions {
  readonly identity: Identity
  readonly permissionStore: PermissionStore
  readonly withPaths: WithPaths
  readonly tokens: Tokens
  readonly sessions: Pick<Sessions, 'endings'>
  readonly limits: Pick<Limits, 'unknownToken'>
  /** Milliseconds that a session which was replaced still works. */
  readonly sessionGrace: number
}

/** A token → who carries it. No token is the public; a token nobody knows is refused rather than ignored. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { identity, permissionStore: store, withPaths, tokens, sessions, limits, sessionGrace } = options
  const cache = new LRUCache<string, Known>({ max: CACHED })

  const authenticate = async (credentials: Credentials, least = 0): Promise<Actor> => {
    const { actor, paths } = await lookUp(credentials, least)
    return withPaths(actor, paths)
  }

  /** Somebody who was looked up under the newest rights; null: that has to be done again. */
  const isSeen = ({ claims, checked }: Known) =>
    claims === null ||
    claims.family === null ||
    (checked.endings === sessions.endings() && Date.now() - checked.at < RECHECK)

  const atHand = (credentials: Credentials, permissionModel: PermissionModel | null): Known | null => {
    const known = cache.get(keyOf(credentials))
    return known !== undefined &&
      known.actor.permissionVersion === permissionModel?.version &&
      isLasting(known) &&
      isSeen(known)
      ? known
      : null
  }

  const lookUp = async (credentials: Credentials, least: number): Promise<Known> => {
    const permissionModel = await store.atLeast(least)
    const lasting = atHand(credentials, permissionModel)
    if (lasting !== null) return lasting
    const key = keyOf(credentials)
    const known = cache.get(key)
    const { token } = credentials
    const claims = token === null ? null : await claimsOf(token, known?.claims ?? null)
    // From before the look: what ends meanwhile is looked at again.
    const checked = { at: Date.now(), endings: sessions.endings() }
    const { user, current } =
      token === null ? { user: null, current: permissionModel } : await userUnder({ ...credentials, token }, claims)
    const isSame =
      known !== undefined &&
      known.actor.permissionVersion === current.version &&
      known.actor.user === (user?.id ?? null)
    const made = { ...(isSame ? known : knownOf(user, claims, credentials, current)), checked }
    cache.set(key, made)
    return made
  }

  const claimsOf = (token: string, known: AccessClaims | null): Promise<AccessClaims> | AccessClaims | null => {
    if (token.length > LONGEST_TOKEN) throw new ServiceError('INVALID_CREDENTIALS')
    if (known !== null && !hasExpired(known)) return known
    return tokens.isOwn(token) ? tokens.verifyAccess(token) : null
  }

  /** A user and the rights of the same moment: what was read under older ones may be no longer so. */
  const userUnder = async (
    credentials: Credentials & { readonly token: string },
    claims: AccessClaims | null,
  ): Promise<{ user: UserRecord; current: PermissionModel }> => {
    for (;;) {
      const user = await userOf(credentials, claims)
      const current = await store.atLeast(user.permissionVersion)
      if (current.version === user.permissionVersion) return { user, current }
    }
  }

  /** Guesses are counted by address; whoever has made too many learns nothing about the next one either. */
  const userByToken = async (token: string, address: string | null): Promise<UserRecord | null> => {
    await limits.unknownToken.check(address)
    const user = await identity.userByToken(hashToken(token))
    if (user === null) await limits.unknownToken.count(address)
    return user
  }

  const userOf = async (
    { token, address }: Credentials & { readonly token: string },
    claims: AccessClaims | null,
  ): Promise<UserRecord> => {
    const user = await (claims === null
      ? userByToken(token, address)
      : claims.session !== null
        ? identity.userBySession(sessionHash(claims.session), claims.user, sessionGrace)
        : claims.family !== null
          ? identity.userByFamily(claims.family, claims.user)
          : identity.userById(claims.user))
    if (user?.status !== 'active') throw new ServiceError('INVALID_CREDENTIALS')
    const fingerprint = claims?.passwordFingerprint ?? null
    if (fingerprint !== null && fingerprint !== user.passwordFingerprint) throw new ServiceError('INVALID_CREDENTIALS')
    return user
  }

  const knownOf = (
    user: UserRecord | null,
    claims: AccessClaims | null,
    credentials: Credentials,
    permissionModel: PermissionModel,
  ): Omit<Known, 'checked'> => {
    const holder = { user: user?.id ?? null, role: user?.role ?? null, address: credentials.address }
    const { isExcluded, permissions, ...effective } = effectivePermissionsOf(holder, permissionModel)
    if (user !== null && isExcluded) throw new ServiceError('INVALID_IP')
    const lacksSecondFactor = effective.enforcesTfa && user?.hasSecondFactor === false
    const actor: Actor = {
      ...effective,
      user: holder.user,
      role: holder.role,
      session: claims?.family ?? null,
      lacksSecondFactor,
      permissionVersion: permissionModel.version,
      paths: new Map(),
      renew: async (version) => {
        const renewed = await authenticate(credentials, version)
        // Whoever lacked it before is where that is allowed.
        if (renewed.lacksSecondFactor && !lacksSecondFactor) throw lackOfSecondFactor()
        return renewed
      },
    }
    return { actor, paths: pathsIn(permissions), claims }
  }

  return (credentials) => {
    const known = atHand(credentials, store.atHand())
    return known === null || known.paths.size > 0 ? authenticate(credentials) : known.actor
  }
}

const keyOf = ({ address, token }: Credentials): string => `${address ?? ''} ${token ?? ''}`

export const lackOfSecondFactor = () =>
  forbidden('Your role asks for a second factor. Set one up under /users/me/tfa first.')

/**
 * Whether it lasts as long as the rights do. A session can end without a change of them, and who lacks a second factor is
 * refused before any statement could tell that the rights have changed.
 */
const isLasting = ({ actor, claims }: Known) =>
  (claims === null || claims.session === null) && !actor.lacksSecondFactor && !hasExpired(claims)

const hasExpired = (claims: AccessClaims | null) => claims !== null && claims.expires <= Date.now()

/** Without tables of its own the service knows one caller: whoever has the token it was started with. */
export function createBareAuthenticate(adminToken: string | null): Authenticate {
  const admin = adminToken === null ? null : Buffer.from(adminToken)
  return async ({ token }) => {
    if (token === null) return anonymous
    const given = Buffer.from(token)
    if (admin !== null && given.length === admin.length && timingSafeEqual(given, admin)) return administrator
    throw new ServiceError('INVALID_CREDENTIALS')
  }
}
