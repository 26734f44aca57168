import { sql, table, type Query } from '../sql.ts'
import { accountStatements, type AccountStatements } from './accounts.ts'
import { assetLinkStatements, type AssetLinkStatements } from './asset-links.ts'
import { bootstrapStatements, type BootstrapStatements } from './bootstrap.ts'
import { proofStatements, type ProofStatements } from './proofs.ts'
import type { RowJson } from './row-json.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { userStatements, type UserStatements } from './users.ts'

/** Internal statements on users. They read values that no request can read. */
export interface IdentityStatements
  extends UserStatements, AccountStatements, AssetLinkStatements, BootstrapStatements {
  /** The project's authentication settings as one JSON object; no row if none were ever set. */
  readonly authenticationSettings: (schema: string) => Query
  readonly proofs: ProofStatements
}

/** The columns of service_settings that concern authentication. */
const authentication: RowJson = {
  project_name: 'text',
  auth_login_attempts: 'plain',
  auth_password_policy: 'text',
  public_registration: 'boolean',
  public_registration_verify_email: 'boolean',
  public_registration_role: 'text',
  public_registration_email_filter: 'json',
}

export const identityStatements = (dialect: ServiceDialect): IdentityStatements => ({
  ...userStatements(dialect),
  ...accountStatements(dialect),
  ...assetLinkStatements(dialect),
  ...bootstrapStatements(dialect),
  proofs: proofStatements(dialect),
  authenticationSettings: (schema) =>
    sql`select ${dialect.rowJson('service_settings', authentication)} from ${table(schema, 'service_settings')}
      order by id limit 1`,
})
