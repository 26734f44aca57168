import type { Database } from '../sql/database.ts'
import { createAsk } from './run-service-statement.ts'

/** Values that count once and for a while, the same for all replicas. */
export interface OneTimeValues {
  put(kind: OneTimeKind, key: string, content: string, lifetime: number): Promise<void>
  read(kind: OneTimeKind, key: string): Promise<string | null>
}

/** A second factor that was generated and not shown a code of yet, by user; a link of a mail that was used, by its id. */
export type OneTimeKind = 'second-factor' | 'link'

export function createOneTimeValues(database: Database, systemSchema: string): OneTimeValues {
  const { oneTime } = database
  const ask = createAsk(database, systemSchema)
  return {
    async put(kind, key, content, lifetime) {
      await ask(oneTime.put, [kind, key, content, String(lifetime)])
      await ask(oneTime.removeExpired)
    },
    read: async (kind, key) => (await ask(oneTime.read, [kind, key]))[0]?.[0] ?? null,
  }
}
