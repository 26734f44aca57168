import type { Database } from '../sql/database.ts'
import type { Row, Transaction } from '../sql/driver.ts'
import { createChangeUser, type Link } from './change-user.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'
import type { OneTimeKind } from './one-time.ts'
import type { PermissionStore } from './permission-store.ts'
import type { Cause } from '../changes/change.ts'
import type { UserChanges } from '../changes/user-changes.ts'

/** A user with the secrets that a login is verified against. */
export interface Account {
  readonly id: string
  readonly email: string | null
  readonly passwordHash: string | null
  readonly status: string
  readonly provider: string
  readonly role: string | null
  readonly encryptedSecret: string | null
  /** Time step of the last accepted TOTP code. */
  readonly lastStep: number | null
  readonly permissionVersion: number
}

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly passwordHash: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly role: string | null
  readonly status: string
}

export interface AuthenticationSettings {
  readonly projectName: string
  /** Failed logins before further attempts are delayed; null: no delays. */
  readonly attempts: number | null
  readonly passwordPolicy: string | null
  readonly isRegistrationOpen: boolean
  readonly verifiesEmail: boolean
  readonly registrationRole: string | null
  readonly registrationFilter: unknown
}

export interface NewPassword {
  readonly passwordHash: string | null
  readonly status: string
  /** The single-use link that authorizes the change, if it was made through a link. */
  readonly link?: Link
}

export interface NewSecondFactor {
  /** null removes the second factor. */
  readonly encryptedSecret: string | null
  /** Time step of the code that authorizes the removal. */
  readonly step?: number
  /** The login whose sessions stay open. */
  readonly session?: string | null
}

/**
 * User changes that are not ordinary writes. Each one raises the permission version and returns whether it happened.
 */
export interface Accounts {
  byEmail(email: string): Promise<Account | null>
  byId(id: string): Promise<Account | null>
  settings(): Promise<AuthenticationSettings>
  create(user: NewUser, cause: Cause): Promise<boolean>
  /** Applies only if password and status are still those of `account`. Ends all sessions and clears login delays. */
  setPassword(account: Account, to: NewPassword, cause: Cause): Promise<boolean>
  /** Ends all sessions except those of the login that makes the change. */
  setSecondFactor(id: string, to: NewSecondFactor, cause: Cause): Promise<boolean>
}

export function createAccounts(
  database: Database,
  systemSchema: string,
  permissionStore: PermissionStore,
  userChanges: UserChanges,
): Accounts {
  const { identity, guards, oneTime } = database
  const ask = createServiceStatements(database, systemSchema)

  /** Ends all sessions and clears login delays, because the user has proved their identity. */
  const startAfresh = async (id: string, transaction: Transaction) => {
    await endSessions(id, null, transaction)
    await ask(guards.clearLoginFailures, [JSON.stringify([id])], transaction)
  }

  const endSessions = (id: string, kept: string | null, transaction: Transaction) =>
    ask(guards.endSessions, [JSON.stringify([id]), kept], transaction)

  const change = createChangeUser(database, systemSchema, permissionStore, userChanges)

  return {
    byEmail: async (email) => accountOf((await ask(identity.accountByEmail, [email]))[0]),
    byId: async (id) => accountOf((await ask(identity.accountById, [id]))[0]),
    settings: async () => settingsOf((await ask(identity.authenticationSettings))[0]),
    create: ({ id, email, passwordHash, firstName, lastName, role, status }, cause) => {
      const values = [id, email, passwordHash, firstName, lastName, role, status]
      const delta = { email, password: passwordHash, first_name: firstName, last_name: lastName, role, status }
      return change({ action: 'create', id, statement: identity.createUser, values, delta }, cause)
    },
    setPassword: ({ id, passwordHash: before, status: statusBefore }, { passwordHash, status, link }, cause) => {
      const values = [id, passwordHash, status, before, statusBefore]
      const delta = {
        ...(passwordHash === before ? {} : { password: passwordHash }),
        ...(status === statusBefore ? {} : { status }),
      }
      const afterwards = (transaction: Transaction) => startAfresh(id, transaction)
      const limited = link === undefined ? {} : { link }
      return change(
        { action: 'update', id, statement: identity.setPassword, values, delta, afterwards, ...limited },
        cause,
      )
    },
    setSecondFactor: (id, { encryptedSecret, step, session = null }, cause) => {
      const values = [id, encryptedSecret, step === undefined ? null : String(step)]
      const delta = { tfa_secret: encryptedSecret }
      const afterwards = async (transaction: Transaction) => {
        await endSessions(id, session, transaction)
        await ask(oneTime.remove, ['second-factor' satisfies OneTimeKind, id], transaction)
      }
      return change({ action: 'update', id, statement: identity.setSecondFactor, values, delta, afterwards }, cause)
    },
  }
}

function accountOf(row: Row | undefined): Account | null {
  const [
    id,
    email = null,
    passwordHash = null,
    status,
    provider,
    role = null,
    encryptedSecret = null,
    step,
    permissionVersion,
  ] = row ?? []
  if (typeof id !== 'string') return null
  return {
    id,
    email,
    passwordHash,
    status: status ?? '',
    provider: provider ?? '',
    role,
    encryptedSecret,
    lastStep: step === null || step === undefined ? null : Number(step),
    permissionVersion: Number(permissionVersion),
  }
}

interface StoredSettings {
  readonly project_name: string
  readonly auth_login_attempts: number | null
  readonly auth_password_policy: string | null
  readonly public_registration: boolean
  readonly public_registration_verify_email: boolean
  readonly public_registration_role: string | null
  readonly public_registration_email_filter: unknown
}

/** Same values as the column defaults of service_settings. */
const unset: StoredSettings = {
  project_name: 'Tain',
  auth_login_attempts: 5,
  auth_password_policy: null,
  public_registration: false,
  public_registration_verify_email: true,
  public_registration_role: null,
  public_registration_email_filter: null,
}

function settingsOf(row: Row | undefined): AuthenticationSettings {
  const stored = typeof row?.[0] === 'string' ? (JSON.parse(row[0]) as StoredSettings) : unset
  return {
    projectName: stored.project_name,
    attempts: stored.auth_login_attempts,
    passwordPolicy: stored.auth_password_policy,
    isRegistrationOpen: stored.public_registration,
    verifiesEmail: stored.public_registration_verify_email,
    registrationRole: stored.public_registration_role,
    registrationFilter: stored.public_registration_email_filter,
  }
}
