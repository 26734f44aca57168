import type { Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { RunServiceStatement } from './run-service-statement.ts'
import { MASK } from './mask.ts'
import type { Origin } from './write/record.ts'

export interface UserEvent {
  readonly action: 'create' | 'update' | 'login' | 'logout'
  readonly user: string
  /** The user who did it; null: an unauthenticated caller. */
  readonly by: string | null
  /** The new row as JSON, and the changed values; without them no revision is stored. */
  readonly row?: string
  readonly delta?: Readonly<Record<string, unknown>>
}

const secrets = ['password', 'token', 'tfa_secret', 'auth_data']

function masked(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hidden = secrets.filter((name) => values[name] !== undefined && values[name] !== null)
  return { ...values, ...Object.fromEntries(hidden.map((name) => [name, MASK])) }
}

/** Records user events outside of ordinary writes as activity and revisions. */
export function createRecordUser({ dialect }: Database, ask: RunServiceStatement) {
  return async ({ action, user, by, row, delta }: UserEvent, origin: Origin, transaction: Transaction) => {
    const revision =
      row === undefined
        ? {}
        : {
            data: masked(JSON.parse(row) as Record<string, unknown>),
            delta: delta === undefined ? null : masked(delta),
          }
    const change = { action, collection: 'service_users', item: user, ...revision }
    const values = [JSON.stringify([change]), by ?? '', origin.ip ?? '', origin.userAgent ?? '']
    await ask(dialect.recordChanges, values, transaction)
  }
}
