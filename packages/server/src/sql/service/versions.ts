import { sql, table, type Query, type Steps } from '../sql.ts'
import { MIGRATIONS } from './migrations.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Statements on the row that holds the versions. */
export interface VersionStatements {
  /** The names of the migrations that have run. */
  readonly migrations: (schema: string) => Query
  readonly migrated: (schema: string, name: string) => Query
  /** Locks the row. */
  readonly lockVersion: (schema: string) => Query
  readonly version: (schema: string) => Query
  readonly bump: (schema: string) => Steps
  /** Both versions as one text: schema version, a dot, permission version. */
  readonly stamp: (schema: string) => Query
  /** Increments the permission version. */
  readonly bumpPermissions: (schema: string) => Steps
}

const TABLE = 'service_version'

export const versionStatements = ({ locked, updateAll }: ServiceDialect): VersionStatements => {
  const update = (schema: string) => tablesIn(schema).updateTable(TABLE)
  const next = { version: sql<number>`version + 1` }
  return {
    migrations: (schema) => tablesIn(schema).selectFrom(MIGRATIONS).select('name').orderBy('name'),
    migrated: (schema, name) =>
      tablesIn(schema)
        .insertInto(MIGRATIONS)
        .values({ name: sql.lit(name) }),
    lockVersion: (schema) => locked(tablesIn(schema).selectFrom(TABLE).select('version'), 'update'),
    version: (schema) => tablesIn(schema).selectFrom(TABLE).select('version'),
    bump: (schema) => updateAll(update(schema).set(next), table(schema, TABLE), sql`version`),
    stamp: (schema) => tablesIn(schema).selectFrom(TABLE).select('stamp'),
    bumpPermissions: (schema) =>
      updateAll(update(schema).set({ rights: sql`rights + 1` }), table(schema, TABLE), sql`rights`),
  }
}
