import { sql } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

/** Changes whenever the password of a user `u` does, and reveals nothing about it. */
export const passwordFingerprint = ({ sha256 }: ServiceDialect) =>
  sql`substr(${sha256(sql`coalesce(u.password, '')`)}, 1, 16)`.as('password_fingerprint')

/** What every request needs of a user `u`, and the permission version of `v`. */
export const userColumns = (dialect: ServiceDialect) => columnsWith(passwordFingerprint(dialect))

/** The same for the user of a session, which ends with the password: computing the hash takes a third of the statement. */
export const sessionUserColumns = () => columnsWith(sql`null`.as('password_fingerprint'))

const columnsWith = (fingerprint: ReturnType<typeof passwordFingerprint>) =>
  [
    'u.id',
    'u.role',
    'u.status',
    sql`u.tfa_secret is not null`.as('has_second_factor'),
    fingerprint,
    'v.rights',
  ] as const
