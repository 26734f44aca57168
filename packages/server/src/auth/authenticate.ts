import { timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@tain/contract'
import { administrator, anonymous, type Actor } from '../access/actor.ts'

export type Authenticate = (token: string | null) => Actor

/** A token → who carries it. No token is the public; a token nobody knows is refused rather than ignored. */
export function createAuthenticate(adminToken: string | null): Authenticate {
  const admin = adminToken === null ? null : Buffer.from(adminToken)
  return (token) => {
    if (token === null) return anonymous
    const given = Buffer.from(token)
    if (admin !== null && given.length === admin.length && timingSafeEqual(given, admin)) return administrator
    throw new ServiceError('INVALID_CREDENTIALS')
  }
}
