import type { Collection, Schema } from '../schema/schema.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Cause, ChangeAction } from './change.ts'
import type { ChangeSink } from './sink.ts'

/** A change of a user that is not a write of items: a login, an accepted invitation, a new password. */
export interface UserChange {
  readonly action: ChangeAction
  readonly user: string
  /** The new row as JSON, and the changed values; a login or logout has none. */
  readonly row?: string
  readonly delta?: Readonly<Record<string, unknown>>
}

export interface UserChanges {
  readonly report: (change: UserChange, cause: Cause, transaction: Transaction) => Promise<void>
}

/** Reports changes of users that accounts and sessions make with statements of their own. */
export const createUserChanges = (sink: ChangeSink, schema: () => Schema): UserChanges => ({
  report: ({ action, user, row, delta }, cause, transaction) => {
    const after = row ?? null
    const changed = delta === undefined ? null : JSON.stringify(delta)
    const change = { collection: usersIn(schema()), key: [user], action, before: null, after, delta: changed }
    return sink.report([change], cause, transaction)
  },
})

function usersIn({ system }: Schema): Collection {
  const users = system.get('service_users')
  if (users === undefined) throw new TypeError('the service stores no users')
  return users
}
