import type { Database } from '../sql/database.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'

export type ProofKind = 'login' | 'session' | 'token'

/** Which of many proofs of callers still hold. */
export type Holding = (kind: ProofKind, keys: readonly string[]) => Promise<ReadonlySet<string>>

/** Longer lists are asked for in parts. */
const MOST_KEYS = 1000

/** `grace`: milliseconds that a replaced session still works. */
export function createHolding(database: Database, systemSchema: string, grace: number): Holding {
  const ask = createServiceStatements(database, systemSchema)
  const { proofs } = database.identity
  return async (kind, keys) => {
    const found = new Set<string>()
    for (let from = 0; from < keys.length; from += MOST_KEYS) {
      const part = JSON.stringify(keys.slice(from, from + MOST_KEYS))
      for (const [key] of await ask(proofs[kind], [part, String(grace)])) if (key != null) found.add(key)
    }
    return found
  }
}
