import type { Database } from '../sql/database.ts'
import { createAsk, inTransaction } from './run-service-statement.ts'

/** An attempt that was admitted, or how many milliseconds it has to wait. */
export type Attempt = { readonly failures: number } | { readonly wait: number }

/** Failed logins of an account at a network, kept for all replicas. They delay further ones there and change nothing else. */
export interface LoginFailures {
  /** Counts an attempt as failed before it is checked, so that attempts at the same time count one by one. */
  count(account: string, network: string, free: number): Promise<Attempt>
  /** Takes back an attempt that was no guess. */
  uncount(account: string, network: string, failures: number): Promise<void>
  clear(account: string, network: string): Promise<void>
}

/** A row that is cleared between two statements leaves nothing to wait for. */
const MAX_TRIES = 3

export function createLoginFailures(database: Database, systemSchema: string): LoginFailures {
  const { driver, loginFailures: statements } = database
  const ask = createAsk(database, systemSchema)
  return {
    async count(account, network, free) {
      // With no free attempts the first failure begins the delays.
      const values = [account, network, String(Math.max(1, free))]
      for (let tries = 1; ; tries += 1) {
        const [counted] = await inTransaction(driver, (transaction) => ask(statements.count, values, transaction))
        if (counted !== undefined) {
          const failures = Number(counted[0])
          // New rows pay for the removal of old ones, so that their number is bounded by the attempts of an hour.
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
