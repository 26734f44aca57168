import type { Database } from '../sql/database.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'

/** What the signed links of users are bound to. */
export interface AssetLinks {
  /** Changes when the user's links are revoked and when the password does; null: there is no such user. */
  readonly generation: (user: string) => Promise<string | null>
  /** Ends all links that the user has made. */
  revoke(user: string): Promise<void>
}

export function createAssetLinks(database: Database, systemSchema: string): AssetLinks {
  const { identity } = database
  const ask = createServiceStatements(database, systemSchema)
  return {
    generation: async (user) => (await ask(identity.linkGeneration, [user]))[0]?.join(' ') ?? null,
    revoke: async (user) => {
      await ask(identity.revokeLinks, [user])
    },
  }
}
