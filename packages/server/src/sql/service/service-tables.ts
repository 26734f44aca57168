import type { Sql } from '../sql.ts'
import type { TableWriter } from './create-table.ts'
import { metadataStatements, type MetadataStatements } from './metadata.ts'
import { writeNames, type WriteNames } from './names.ts'
import { schemaStepStatements, type SchemaStepStatements } from './schema-steps.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { storedRowStatements, type StoredRowStatements } from './stored-rows.ts'
import { versionStatements, type VersionStatements } from './versions.ts'

/** How a database creates and protects the service's own tables; they have their own schema if it supports schemas. */
export interface ServiceSchema {
  readonly writer: TableWriter
  /** Null: locks of the database do not hold for all replicas; the version row is locked instead, once it exists. */
  readonly lock: (schema: string) => Sql | null
  /**
   * Returns: whether the tables exist; whether the role may create a schema; database; role; whether the schema exists;
   * whether the role may use it and create tables in it; schema name; whether the role may use the tables; a table that
   * has one of the service's names but is not the service's own; whether the tables are those of a build before 0.1.0.
   */
  readonly state: (schema: string) => Sql
  readonly createSchema: (schema: string) => Sql
  /** Makes the transaction read from one snapshot. */
  readonly snapshot: Sql
}

/** Statements on the service's own tables. */
export interface ServiceTables extends ServiceSchema, VersionStatements, MetadataStatements, StoredRowStatements {
  readonly steps: SchemaStepStatements
  readonly writeNames: WriteNames
}

export const serviceTablesOf = (schema: ServiceSchema, dialect: ServiceDialect): ServiceTables => ({
  ...schema,
  ...versionStatements(dialect),
  ...metadataStatements(dialect),
  ...storedRowStatements(dialect),
  steps: schemaStepStatements,
  writeNames: writeNames(dialect),
})
