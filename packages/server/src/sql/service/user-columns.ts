import { sql } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

/** Changes whenever the password of a user `u` does, and reveals nothing about it. */
export const passwordFingerprint = ({ sha256 }: ServiceDialect) =>
  sql`substr(${sha256(sql`coalesce(u.password, '')`)}, 1, 16)`.as('password_fingerprint')

/** What every request needs of a user `u`, and the permission version of `v`. */
export const userColumns = (dialect: ServiceDialect) =>
  [
    'u.id',
    'u.role',
    'u.status',
    sql`u.tfa_secret is not null`.as('has_second_factor'),
    passwordFingerprint(dialect),
    'v.rights',
  ] as const
