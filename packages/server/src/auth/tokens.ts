import { ServiceError } from '@tain/contract'
import { decodeJwt, errors, jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { isUuid } from '../lib/uuid.ts'
import type { Keyring } from './keyring.ts'

const ISSUER = 'tain'
const ALGORITHM = 'HS256'

/** Claims of an access token. Permissions are looked up, not taken from the token. */
export interface AccessClaims {
  readonly user: string
  /** The session token, in mode session. */
  readonly session: string | null
  /** The login that the token belongs to and ends with; null: it was not issued at a login. */
  readonly family: string | null
  /** Fingerprint of the password that it was issued for; null: any password. */
  readonly passwordFingerprint: string | null
  /** Milliseconds since 1970. */
  readonly expires: number
}

export interface Tokens {
  sign(claims: JWTPayload, lifetime: number): Promise<string>
  /** Whether the token names us as its issuer; nothing is verified. */
  isOwn(token: string): boolean
  /** The claims of a token that we issued and that has not expired. */
  verify(token: string): Promise<JWTPayload>
  verifyAccess(token: string): Promise<AccessClaims>
}

export function createTokens(keyring: Keyring): Tokens {
  const { active } = keyring

  /** A token names one of our keys or none; its other key headers are ignored. */
  const keyOf = ({ kid }: JWTHeaderParameters) => {
    const key = kid === undefined ? active : keyring.byId(kid)
    if (key === undefined) throw new ServiceError('INVALID_TOKEN')
    return key.signing
  }

  const verify = async (token: string): Promise<JWTPayload> => {
    try {
      const options = { algorithms: [ALGORITHM], issuer: ISSUER, requiredClaims: ['exp', 'iat'] }
      return (await jwtVerify(token, keyOf, options)).payload
    } catch (error) {
      throw new ServiceError(error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'INVALID_TOKEN')
    }
  }

  return {
    verify,
    sign: (claims, lifetime) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: active.id })
        .setIssuer(ISSUER)
        .setIssuedAt()
        .setExpirationTime(Math.floor((Date.now() + lifetime) / 1000))
        .sign(active.signing),
    isOwn(token) {
      try {
        return decodeJwt(token).iss === ISSUER
      } catch {
        return false
      }
    },
    verifyAccess: async (token) => accessClaims(await verify(token)),
  }
}

/** Tokens for other purposes have a scope and lack the access claims, so they are not accepted as access tokens. */
function accessClaims(claims: JWTPayload): AccessClaims {
  const { id, role, app_access: app, admin_access: admin, session, sid, key, exp, scope, aud, share } = claims
  const isAccess =
    isUuid(id) &&
    (role === null || isUuid(role)) &&
    typeof app === 'boolean' &&
    typeof admin === 'boolean' &&
    (session === undefined || typeof session === 'string') &&
    (sid === undefined || isUuid(sid)) &&
    (key === undefined || typeof key === 'string') &&
    scope === undefined &&
    aud === undefined &&
    share === undefined
  if (!isAccess || exp === undefined) throw new ServiceError('INVALID_TOKEN')
  const expires = exp * 1000
  return { user: id, session: session ?? null, family: sid ?? null, passwordFingerprint: key ?? null, expires }
}
