import { ServiceError } from '@tain/contract'
import { decodeJwt, errors, jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { isUuid } from '../lib/uuid.ts'
import type { Keyring } from './keyring.ts'

const ISSUER = 'tain'
const ALGORITHM = 'HS256'

/** What an access token says. Rights are not taken from it: they are looked up. */
export interface AccessClaims {
  readonly user: string
  /** The token of the session that it is, in mode session. */
  readonly session: string | null
  /** The login that it came from: it ends with it. null: it was not made at a login. */
  readonly family: string | null
  /** The password it was given for; null: whatever it is. */
  readonly passwordFingerprint: string | null
  /** Milliseconds since 1970. */
  readonly expires: number
}

export interface Tokens {
  sign(claims: JWTPayload, lifetime: number): Promise<string>
  /** Whether it says to be one of ours; nothing is checked. */
  isOwn(token: string): boolean
  /** The claims of a token that is ours and still good. */
  verify(token: string): Promise<JWTPayload>
  verifyAccess(token: string): Promise<AccessClaims>
}

export function createTokens(keyring: Keyring): Tokens {
  const { active } = keyring

  /** A token names its key among ours or none at all; what else it says about keys means nothing. */
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

/** Tokens for other purposes have a scope and lack rights; neither passes for an access token. */
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
