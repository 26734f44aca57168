import { runWith, type Database } from '../sql/database.ts'

/** What users leave behind without asking for it. */
export interface Traces {
  page(user: string, page: string | null): Promise<void>
}

export const createTraces = ({ guards, driver, dialect }: Database, systemSchema: string): Traces => ({
  page: async (user, page) => {
    await runWith(guards.trackPage(systemSchema), [user, page], driver, dialect)
  },
})
