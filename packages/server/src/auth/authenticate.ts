import { createHash, timingSafeEqual } from 'node:crypto'
import { forbidden, ServiceError } from '@tain/contract'
import { LRUCache } from 'lru-cache'
import { administrator, anonymous, effectivePermissionsOf, type Actor } from '../access/actor.ts'
import type { PermissionModel } from '../access/permissions.ts'
import type { Identity, UserRecord } from '../store/identity.ts'
import type { PermissionStore } from '../store/permission-store.ts'
import type { Sessions } from '../store/sessions.ts'
import { pathsIn, type WithPaths } from './paths.ts'
import type { Limits } from './limits.ts'
import type { AccessClaims, Tokens } from './tokens.ts'

/** The token and IP address of a request. */
export interface Credentials {
  readonly token: string | null
  readonly address: string | null
}

export type Authenticate = (credentials: Credentials) => Actor | Promise<Actor>

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Tokens in session cookies are hashed differently, so that they cannot be used as refresh tokens. */
export const sessionHash = (token: string): string => hashToken(`session ${token}`)

/** Equals the fingerprint that the database computes from the stored hash. */
export const passwordFingerprint = (passwordHash: string | null): string => hashToken(passwordHash ?? '').slice(0, 16)

const CACHED = 10_000
const LONGEST_TOKEN = 8192

/** A cached actor, valid for the permission version that it was built from. */
interface Known {
  readonly actor: Actor
  /** Variables whose values have to be read at each request. */
  readonly paths: ReadonlySet<string>
  /** null: a static token, or no token. */
  readonly claims: AccessClaims | null
  readonly checked: Checked
}

/** When the login was last seen active: the time, and how often this process had ended sessions by then. */
interface Checked {
  readonly at: number
  readonly endings: number
}

/** Milliseconds until an access token is checked again; a logout on another replica may go unnoticed this long. */
const RECHECK = 1000

export interface AuthenticateOptions {
  readonly identity: Identity
  readonly permissionStore: PermissionStore
  readonly withPaths: WithPaths
  readonly tokens: Tokens
  readonly sessions: Pick<Sessions, 'endings'>
  readonly limits: Pick<Limits, 'unknownToken'>
}

/** Finds the actor of a token. No token means the public; an unknown token is rejected, not ignored. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { permissionStore: store, withPaths, tokens, sessions } = options
  const cache = new LRUCache<string, Known>({ max: CACHED })
  const userUnder = createUserUnder(options)

  const authenticate = async (credentials: Credentials, least = 0): Promise<Actor> => {
    const { actor, paths } = await lookUp(credentials, least)
    return withPaths(actor, paths)
  }

  const isSeen = ({ claims, checked }: Known) =>
    claims === null ||
    claims.family === null ||
    (checked.endings === sessions.endings() && Date.now() - checked.at < RECHECK)

  /** The cached actor, if it is still valid under these permissions; null: it has to be looked up again. */
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
    const claims = token === null ? null : await claimsOf(token, known?.claims ?? null, tokens)
    // Taken before the lookup, so that sessions that end meanwhile are checked again.
    const checked = { at: Date.now(), endings: sessions.endings() }
    const { user, current } =
      token === null ? { user: null, current: permissionModel } : await userUnder({ ...credentials, token }, claims)
    const isSame =
      known !== undefined &&
      known.actor.permissionVersion === current.version &&
      known.actor.user === (user?.id ?? null)
    const made = { ...(isSame ? known : knownOf({ user, claims, credentials, current }, authenticate)), checked }
    cache.set(key, made)
    return made
  }

  return (credentials) => {
    const known = atHand(credentials, store.atHand())
    return known === null || known.paths.size > 0 ? authenticate(credentials) : known.actor
  }
}

function claimsOf(
  token: string,
  known: AccessClaims | null,
  tokens: Tokens,
): Promise<AccessClaims> | AccessClaims | null {
  if (token.length > LONGEST_TOKEN) throw new ServiceError('INVALID_CREDENTIALS')
  if (known !== null && !hasExpired(known)) return known
  return tokens.isOwn(token) ? tokens.verifyAccess(token) : null
}

type TokenCredentials = Credentials & { readonly token: string }

/** The user of a token, and the permissions at the same version. */
type UserUnder = (
  credentials: TokenCredentials,
  claims: AccessClaims | null,
) => Promise<{ user: UserRecord; current: PermissionModel }>

function createUserUnder({ identity, permissionStore, limits }: AuthenticateOptions): UserUnder {
  /** Counts unknown tokens by address. After too many, tokens are not looked up, so further guesses reveal nothing. */
  const userByToken = async (token: string, address: string | null): Promise<UserRecord | null> => {
    await limits.unknownToken.check(address)
    const user = await identity.userByToken(hashToken(token))
    if (user === null) await limits.unknownToken.count(address)
    return user
  }

  const userOf = async ({ token, address }: TokenCredentials, claims: AccessClaims | null): Promise<UserRecord> => {
    const user = await (claims === null
      ? userByToken(token, address)
      : claims.session !== null
        ? identity.userBySession(sessionHash(claims.session), claims.user)
        : claims.family !== null
          ? identity.userByFamily(claims.family, claims.user)
          : identity.userById(claims.user))
    if (user?.status !== 'active') throw new ServiceError('INVALID_CREDENTIALS')
    const fingerprint = claims?.passwordFingerprint ?? null
    if (fingerprint !== null && fingerprint !== user.passwordFingerprint) throw new ServiceError('INVALID_CREDENTIALS')
    return user
  }

  return async (credentials, claims) => {
    for (;;) {
      const user = await userOf(credentials, claims)
      // A user read at an older version may have changed since.
      const current = await permissionStore.atLeast(user.permissionVersion)
      if (current.version === user.permissionVersion) return { user, current }
    }
  }
}

/** A user whose token was accepted, or the public. */
interface Accepted {
  readonly user: UserRecord | null
  readonly claims: AccessClaims | null
  readonly credentials: Credentials
  readonly current: PermissionModel
}

function knownOf(
  { user, claims, credentials, current }: Accepted,
  authenticate: (credentials: Credentials, least: number) => Promise<Actor>,
): Omit<Known, 'checked'> {
  const holder = { user: user?.id ?? null, role: user?.role ?? null, address: credentials.address }
  const { isExcluded, permissions, ...effective } = effectivePermissionsOf(holder, current)
  if (user !== null && isExcluded) throw new ServiceError('INVALID_IP')
  const lacksSecondFactor = effective.enforcesTfa && user?.hasSecondFactor === false
  const actor: Actor = {
    ...effective,
    user: holder.user,
    role: holder.role,
    session: claims?.family ?? null,
    lacksSecondFactor,
    permissionVersion: current.version,
    paths: new Map(),
    renew: async (version) => {
      const renewed = await authenticate(credentials, version)
      // A caller that already lacked it is using an operation that allows this.
      if (renewed.lacksSecondFactor && !lacksSecondFactor) throw lackOfSecondFactor()
      return renewed
    },
  }
  return { actor, paths: pathsIn(permissions), claims }
}

const keyOf = ({ address, token }: Credentials): string => `${address ?? ''} ${token ?? ''}`

export const lackOfSecondFactor = () =>
  forbidden('Your role asks for a second factor. Set one up under /users/me/tfa first.')

/**
 * Whether the cached actor stays valid as long as the permission version. A session can end without a new version. A
 * caller that lacks a second factor is refused before any statement could report a new version.
 */
const isLasting = ({ actor, claims }: Known) =>
  (claims === null || claims.session === null) && !actor.lacksSecondFactor && !hasExpired(claims)

const hasExpired = (claims: AccessClaims | null) => claims !== null && claims.expires <= Date.now()

/** Without its own tables the service knows one caller: the holder of the token that it was started with. */
export function createBareAuthenticate(adminToken: string | null): Authenticate {
  const admin = adminToken === null ? null : Buffer.from(adminToken)
  return async ({ token }) => {
    if (token === null) return anonymous
    const given = Buffer.from(token)
    if (admin !== null && given.length === admin.length && timingSafeEqual(given, admin)) return administrator
    throw new ServiceError('INVALID_CREDENTIALS')
  }
}
