import { sql } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

/** What every request needs of a user `u`, and the permission version of `v`. */
export const userColumns = ({ sha256 }: ServiceDialect) =>
  [
    'u.id',
    'u.role',
    'u.status',
    sql`u.tfa_secret is not null`.as('has_second_factor'),
    // Changes whenever the password does, and reveals nothing about it.
    sql`substr(${sha256(sql`coalesce(u.password, '')`)}, 1, 16)`.as('password_fingerprint'),
    'v.rights',
  ] as const
