import { sql, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'
import { passwordFingerprint } from './user-columns.ts'

/** Statements on what the signed links of a user are bound to. */
export interface AssetLinkStatements {
  /** Returns how often the links of the user in parameter 0 were revoked, and the fingerprint of the user's password. */
  readonly linkGeneration: (schema: string) => Query
  /** Revokes the links of the user in parameter 0. */
  readonly revokeLinks: (schema: string) => Query
}

export const assetLinkStatements = (dialect: ServiceDialect): AssetLinkStatements => ({
  linkGeneration: (schema) =>
    tablesIn(schema)
      .selectFrom('service_users as u')
      .select(['u.link_version', passwordFingerprint(dialect)])
      .where('u.id', '=', dialect.uuid(0)),
  revokeLinks: (schema) =>
    tablesIn(schema)
      .updateTable('service_users')
      .set({ link_version: sql`link_version + 1` })
      .where('id', '=', dialect.uuid(0)),
})
