import { runWith, type Database } from '../sql/database.ts'

/** Tracks the page that a user visited last. */
export interface LastPages {
  page(user: string, page: string | null): Promise<void>
}

export const createLastPages = ({ guards, driver, dialect }: Database, systemSchema: string): LastPages => ({
  page: async (user, page) => {
    await runWith(guards.trackPage(systemSchema), [user, page], driver, dialect)
  },
})
