import type { MetaKind } from '@tain/contract'
import type { Sql } from './sql.ts'

/** A stored value by its column; JSON kinds as JSON text. */
export interface StoredValue {
  readonly column: string
  readonly kind: MetaKind
  readonly value: string | null
}

/** The statements on the service's own tables, in their own schema where the database has schemas. */
export interface ServiceTables {
  readonly lock: (schema: string) => Sql
  /** Whether the tables are there; whether the role may create a schema; database, role; whether the schema is there, may be filled, its name; whether the tables may be used. */
  readonly exists: (schema: string) => Sql
  readonly createSchema: (schema: string) => Sql
  readonly create: (schema: string) => readonly Sql[]
  readonly migration: (schema: string) => Sql
  readonly migrations: (schema: string) => readonly (readonly Sql[])[]
  readonly migrated: (schema: string, step: number) => Sql
  /** Version and, as JSON lists, the rows of collections, fields and relations. */
  readonly overlay: (schema: string) => Sql
  readonly version: (schema: string) => Sql
  readonly bump: (schema: string) => Sql
  readonly put: (schema: string, table: string, keys: readonly StoredValue[], values: readonly StoredValue[]) => Sql
  readonly remove: (schema: string, table: string, keys: readonly StoredValue[]) => Sql
  /** Makes the transaction see one moment. */
  readonly snapshot: Sql
}
