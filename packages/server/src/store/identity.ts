import { gatheredCalls } from '../lib/gathered-calls.ts'
import { run, type Database } from '../sql/database.ts'
import type { Row } from '../sql/driver.ts'
import { createServiceStatements, inTransaction, isTrue } from '../sql/service/run-service-statement.ts'

/** The user data that every request needs. */
export interface UserRecord {
  readonly id: string
  readonly role: string | null
  readonly status: string
  readonly hasSecondFactor: boolean
  /** Changes whenever the password does; empty for the user of a session, which ends with the password. */
  readonly passwordFingerprint: string
  /** Permission version at the time of the read. */
  readonly permissionVersion: number
}

export interface FirstAdministrator {
  readonly ids: readonly [role: string, policy: string, attachment: string, user: string]
  readonly email: string | null
  readonly passwordHash: string | null
  readonly tokenHash: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
}

/** The state before bootstrap. */
export interface Beginning {
  readonly hasAdministrator: boolean
  readonly permissionVersion: number
}

/** The result of bootstrap: whether an administrator was created, and which values another user already has. */
export interface Begun extends Beginning {
  readonly isMade: boolean
  readonly taken: readonly ('email' | 'token')[]
}

/** Looks up users for authentication: includes secrets and checks no permissions. */
export interface Identity {
  userByToken(tokenHash: string): Promise<UserRecord | null>
  userById(id: string): Promise<UserRecord | null>
  /** The user of a session that is open, or was replaced a moment ago. Requests that meet share a statement. */
  userBySession(tokenHash: string, id: string): Promise<UserRecord | null>
  /** The user of a login that has not ended. */
  userByFamily(family: string, id: string): Promise<UserRecord | null>
  beginning(): Promise<Beginning>
  /**
   * Creates the public policy and, if there is no administrator, the first one. Replicas that start together do it
   * once. If a user already has the email address, that user stays unchanged and no administrator is created. A token
   * that is taken is left out.
   */
  begin(
    publicIds: readonly [policy: string, attachment: string],
    first: (found: Beginning) => Promise<FirstAdministrator | null>,
  ): Promise<Begun>
}

/** `sessionGrace`: milliseconds that a replaced session still works. */
export function createIdentity(database: Database, systemSchema: string, sessionGrace: number): Identity {
  const { driver, dialect, identity, serviceTables } = database
  const ask = createServiceStatements(database, systemSchema)
  const userOfSession = gatheredCalls(async (tokenHashes: readonly string[]) => {
    const rows = await ask(identity.usersBySessions, [JSON.stringify(tokenHashes), String(sessionGrace)])
    return new Map(rows.map((row) => [row.at(-1) ?? '', userOf(row)]))
  })

  return {
    userByToken: async (tokenHash) => userOf((await ask(identity.userByToken, [tokenHash]))[0]),
    userById: async (id) => userOf((await ask(identity.userById, [id]))[0]),
    userBySession: async (tokenHash, id) => {
      const user = await userOfSession(tokenHash)
      return user?.id === id ? user : null
    },
    userByFamily: async (family, id) => userOf((await ask(identity.userByFamily, [family, id]))[0]),
    beginning: async () => beginningOf((await ask(identity.hasAdministrator))[0]),
    begin: (publicIds, first) =>
      inTransaction(driver, async (transaction) => {
        await run(serviceTables.lock(systemSchema) ?? serviceTables.lockVersion(systemSchema), transaction, dialect)
        for (const statement of identity.createPublic(systemSchema)) await ask(() => statement, publicIds, transaction)
        const found = beginningOf((await ask(identity.hasAdministrator, [], transaction))[0])
        const made = found.hasAdministrator ? null : await first(found)
        if (made === null) return { ...found, isMade: false, taken: [] }
        const { ids, email, passwordHash, tokenHash, firstName = null, lastName = null } = made
        const taken = takenOf((await ask(identity.taken, [email, tokenHash], transaction))[0])
        const isLeft = email === null ? !taken.includes('token') : !taken.includes('email')
        if (!isLeft) return { ...found, isMade: false, taken }
        const token = taken.includes('token') ? null : tokenHash
        const values = [...ids, email, passwordHash, token, firstName, lastName]
        for (const statement of identity.createAdministrator(systemSchema))
          await ask(() => statement, values, transaction)
        await run(serviceTables.bumpPermissions(systemSchema), transaction, dialect)
        return { ...found, isMade: true, taken }
      }),
  }
}

const takenOf = ([email, token]: Row = []): Begun['taken'] => [
  ...(isTrue(email) ? (['email'] as const) : []),
  ...(isTrue(token) ? (['token'] as const) : []),
]

const beginningOf = (row: Row | undefined): Beginning => ({
  hasAdministrator: isTrue(row?.[0]),
  permissionVersion: Number(row?.[1]),
})

/** Columns: id, role, status, second factor, password fingerprint, permission version. */
export function userOf(row: Row | undefined): UserRecord | null {
  const [id, role = null, status, hasSecondFactor, passwordFingerprint, permissionVersion] = row ?? []
  if (typeof id !== 'string') return null
  return {
    id,
    role,
    status: status ?? '',
    hasSecondFactor: isTrue(hasSecondFactor),
    passwordFingerprint: passwordFingerprint ?? '',
    permissionVersion: Number(permissionVersion),
  }
}
