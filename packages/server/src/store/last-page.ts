import type { Database } from '../sql/database.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'

/** Tracks the page that a user visited last. */
export interface LastPages {
  page(user: string, page: string | null): Promise<void>
}

export function createLastPages(database: Database, systemSchema: string): LastPages {
  const ask = createServiceStatements(database, systemSchema)
  return {
    page: async (user, page) => {
      await ask(database.guards.trackPage, [user, page])
    },
  }
}
