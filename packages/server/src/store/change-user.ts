import type { Cause } from '../changes/change.ts'
import type { UserChanges } from '../changes/user-changes.ts'
import type { Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Steps } from '../sql/sql.ts'
import type { OneTimeKind } from './one-time.ts'
import type { PermissionStore } from './permission-store.ts'
import { createServiceStatements, inTransaction } from '../sql/service/run-service-statement.ts'

/** A single-use link in an email. Once used, its id is stored until the link would have expired. */
export interface Link {
  readonly id: string
  /** Lifetime in milliseconds, counted from its creation. */
  readonly lifetime: number
}

/** A statement on the row of one user, and the work that belongs to it. */
export interface UserUpdate {
  readonly action: 'create' | 'update'
  readonly id: string
  readonly statement: (schema: string) => Steps
  readonly values: readonly (string | null)[]
  readonly delta: Readonly<Record<string, unknown>>
  /** A link that must not have been used before. */
  readonly link?: Link
  /** Runs after the row update. A concurrent login waits for the row lock and then sees the new values. */
  readonly afterwards?: (transaction: Transaction) => Promise<unknown>
}

/** Changes a user and raises the permission version. Returns whether the change happened. */
export type ChangeUser = (update: UserUpdate, cause: Cause) => Promise<boolean>

export function createChangeUser(
  database: Database,
  systemSchema: string,
  permissionStore: PermissionStore,
  userChanges: UserChanges,
): ChangeUser {
  const { driver, guards, oneTime, serviceTables } = database
  const ask = createServiceStatements(database, systemSchema)

  const isUnused = async ({ id, lifetime }: Link, transaction: Transaction) => {
    await ask(oneTime.removeExpired, [], transaction)
    return (await ask(oneTime.claim, ['link' satisfies OneTimeKind, id, String(lifetime)], transaction)).length > 0
  }

  /** Returns the new permission version; null if there was nothing to do. */
  const change = async (
    { action, id, statement, values, delta, link, afterwards }: UserUpdate,
    cause: Cause,
    transaction: Transaction,
  ): Promise<number | null> => {
    // Same lock order as every other permission change, to avoid deadlocks.
    await ask(guards.lockPermissions, [], transaction)
    if (link !== undefined && !(await isUnused(link, transaction))) return null
    const [found] = await ask(statement, values, transaction)
    const row = found?.[0]
    if (typeof row !== 'string') return null
    await afterwards?.(transaction)
    await userChanges.report({ action, user: id, row, delta }, cause, transaction)
    return Number((await ask(serviceTables.bumpPermissions, [], transaction))[0]?.[0])
  }

  return async (update, cause) => {
    const version = await inTransaction(driver, (transaction) => change(update, cause, transaction))
    // The next request to this process must start with the new permissions.
    if (version !== null) await permissionStore.atLeast(version)
    return version !== null
  }
}
