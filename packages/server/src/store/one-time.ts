import type { Database } from '../sql/database.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'

/** Single-use values that expire, shared by all replicas. */
export interface OneTimeValues {
  put(kind: OneTimeKind, key: string, content: string, lifetime: number): Promise<void>
  read(kind: OneTimeKind, key: string): Promise<string | null>
}

/**
 * `second-factor`: a generated second factor that no code has confirmed yet, by user. `link`: a used email link, by its
 * id.
 */
export type OneTimeKind = 'second-factor' | 'link'

export function createOneTimeValues(database: Database, systemSchema: string): OneTimeValues {
  const { oneTime } = database
  const ask = createServiceStatements(database, systemSchema)
  return {
    async put(kind, key, content, lifetime) {
      await ask(oneTime.put, [kind, key, content, String(lifetime)])
      await ask(oneTime.removeExpired)
    },
    read: async (kind, key) => (await ask(oneTime.read, [kind, key]))[0]?.[0] ?? null,
  }
}
