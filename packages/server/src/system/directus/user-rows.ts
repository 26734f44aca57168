import type { SnapshotRow } from '@tain/contract'
import { users } from '@tain/contract/collections'
import { hashToken } from '../../auth/authenticate.ts'
import type { SecretEncryption } from '../../auth/secret-encryption.ts'
import { isUsableHash } from '../../lib/argon2.ts'
import { isEmailAddress } from '../../lib/email-address.ts'
import { statuses } from '../guards/users.ts'
import type { Finding, FindingKind } from './findings.ts'
import { mapRows, named, type Mapped, type Outcome } from './outcome.ts'
import type { Source } from './source.ts'
import { systemRow } from './system-rows.ts'
import type { TextRow } from './values.ts'

/** Values of a user that are stored in another form. */
export interface UserContext {
  /** null: no secret is set, so nothing could be decrypted later. */
  readonly encryption: SecretEncryption | null
  /** Roles that exist once the migration is done. */
  readonly roles: ReadonlySet<unknown>
}

const base32 = /^[A-Z2-7]{16,}=*$/iu

/** Columns that are not taken as they are. */
const out = ['avatar', 'last_access', 'auth_data']

export const userRows = (source: Source, context: UserContext): Mapped<SnapshotRow> =>
  mapRows(source.rows('directus_users'), named('email'), (row) => userRow(row, context), 'user')

function userRow(text: TextRow, { encryption, roles }: UserContext): Outcome<SnapshotRow> {
  const row = systemRow({ ...text, password: null, token: null, tfa_secret: null }, users, out)
  const { id, email, status, role, provider } = row
  const what = String(email ?? id)
  const findings: Finding[] = []
  const report = (kind: FindingKind, why: string) => findings.push({ kind, what, why })
  if (typeof email === 'string' && !isEmailAddress(email)) {
    report('user', 'The email address is invalid.')
    return { row: null, findings }
  }
  const { password = null, token = null, tfa_secret: secret = null } = text
  const isKnownHash = password === null || isUsableHash(password)
  if (!isKnownHash) report('user-password', 'It is no argon2id hash.')
  const isKnownStatus = statuses.some((each) => each === status)
  if (!isKnownStatus) report('user-status', `There is no status "${String(status)}".`)
  const hasRole = role === null || roles.has(role)
  if (!hasRole) report('user-status', `There is no role ${JSON.stringify(role)}.`)
  const isReadable = secret === null || (encryption !== null && base32.test(secret))
  if (!isReadable)
    report('user-second-factor', encryption === null ? 'SECRET is not set.' : 'The secret is not in base32.')
  if (provider !== 'default') report('user-provider', `The provider is "${String(provider)}".`)
  return {
    row: {
      ...row,
      password: isKnownHash ? password : null,
      token: token === null || token === '' ? null : hashToken(token),
      tfa_secret: secret === null || !isReadable ? null : (encryption?.encrypt(secret, String(id)) ?? null),
      role: hasRole ? role : null,
      status: isKnownStatus && hasRole && isReadable ? status : 'suspended',
    },
    findings,
  }
}
