import { randomBytes } from 'node:crypto'
import { ServiceError } from '@tain/contract'
import { effectivePermissionsOf } from '../access/actor.ts'
import type { SignedIn } from '../procedure.ts'
import { hashToken, sessionHash } from './authenticate.ts'
import type { AuthServices } from './auth-services.ts'

export type Mode = SignedIn['mode']

export interface Holder {
  readonly id: string
  readonly role: string | null
  readonly hasSecondFactor: boolean
  readonly passwordFingerprint: string
  readonly permissionVersion: number
}

/** 64 random characters. */
export const newToken = (): string => randomBytes(48).toString('base64url')

export const lifetimeOf = (mode: Mode, { sessionTtl, refreshTokenTtl }: AuthServices['config']): number =>
  mode === 'session' ? sessionTtl : refreshTokenTtl

/** Effective permissions of a user who logs in; throws INVALID_IP if no policy of the user applies to the address. */
export async function effectivePermissionsFor(
  { id, role, permissionVersion }: Holder,
  address: string | null,
  services: AuthServices,
) {
  const effective = effectivePermissionsOf(
    { user: id, role, address },
    await services.permissionStore.atLeast(permissionVersion),
  )
  if (effective.isExcluded) throw new ServiceError('INVALID_IP')
  return effective
}

export interface IssuedSession {
  readonly mode: Mode
  readonly refreshToken: string
  /** Identifies the login; all sessions of a login share it. */
  readonly family: string
}

/** The hash under which a token is stored. */
export const storedHash = (mode: Mode, token: string): string =>
  mode === 'session' ? sessionHash(token) : hashToken(token)

/** Creates the access token of a session; it ends with the session. */
export async function issue(
  holder: Holder,
  { mode, refreshToken, family }: IssuedSession,
  effective: Awaited<ReturnType<typeof effectivePermissionsFor>>,
  { tokens, config }: AuthServices,
): Promise<SignedIn> {
  const expires = mode === 'session' ? config.sessionTtl : config.accessTokenTtl
  const claims = {
    id: holder.id,
    role: holder.role,
    app_access: effective.hasAppAccess,
    admin_access: effective.isAdmin,
    sid: family,
    ...(mode === 'session' ? { session: refreshToken } : { key: holder.passwordFingerprint }),
    ...(effective.enforcesTfa && !holder.hasSecondFactor ? { enforce_tfa: true } : {}),
  }
  const accessToken = await tokens.sign(claims, expires)
  return { mode, accessToken, refreshToken, expires, refreshExpires: lifetimeOf(mode, config) }
}
