import type { Database } from '../sql/database.ts'
import { createServiceStatements, inTransaction } from '../sql/service/run-service-statement.ts'

/** An admitted attempt, or the milliseconds that it has to wait. */
export type Attempt = { readonly failures: number } | { readonly wait: number }

/**
 * Failed logins per account and network, shared by all replicas. Their only effect is to delay further attempts there.
 */
export interface LoginFailures {
  /** Counts an attempt as failed before it is checked, so that concurrent attempts are counted one by one. */
  count(account: string, network: string, free: number): Promise<Attempt>
  /** Reverts the count of an attempt that was not a guess. */
  uncount(account: string, network: string, failures: number): Promise<void>
  clear(account: string, network: string): Promise<void>
}

/** If the row is cleared between the two statements, there is nothing to wait for and the attempt is counted again. */
const MAX_TRIES = 3

export function createLoginFailures(database: Database, systemSchema: string): LoginFailures {
  const { driver, loginFailures: statements } = database
  const ask = createServiceStatements(database, systemSchema)
  return {
    async count(account, network, free) {
      // With no free attempts, delays start at the first failure.
      const values = [account, network, String(Math.max(1, free))]
      for (let tries = 1; ; tries += 1) {
        const [counted] = await inTransaction(driver, (transaction) => ask(statements.count, values, transaction))
        if (counted !== undefined) {
          const failures = Number(counted[0])
          // Each new row triggers the removal of expired ones, so the number of rows is bounded by the attempts of one
          // hour.
          if (failures === 1) await ask(statements.removeExpired)
          return { failures }
        }
        const [waiting] = await ask(statements.wait, [account, network])
        const wait = Number(waiting?.[0] ?? 0)
        if (wait > 0 || tries === MAX_TRIES) return { wait: Math.max(1, wait) }
      }
    },
    async uncount(account, network, failures) {
      await ask(statements.uncount, [account, network, String(failures)])
    },
    async clear(account, network) {
      await ask(statements.clear, [account, network])
    },
  }
}
