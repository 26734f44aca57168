import type { Failpoints } from '../lib/failpoint.ts'
import type { Observe } from '../observe.ts'
import type { Database } from '../sql/database.ts'
import type { Query } from '../sql/sql.ts'
import type { PruneReferences } from './change.ts'
import type { Lease } from './lease.ts'
import type { SystemCollection } from './system-collection.ts'

export interface SchemaChangerOptions {
  readonly systemSchema: string
  /** The system tables. */
  readonly declared: readonly SystemCollection[]
  readonly failpoints: Failpoints | null
  readonly observe: Observe
  readonly pruneReferences: PruneReferences
}

/** The values that every stage of a change uses. */
export interface ChangeContext extends SchemaChangerOptions {
  readonly database: Database
  /** What this change holds; null: a lock of the database. */
  readonly lease: Lease | null
}

/** The statement that reads all rows of a system table. */
export function serviceRowsOf({ database, systemSchema, declared }: ChangeContext, name: string): Query {
  const table = declared.find((entry) => entry.name === name)
  if (table === undefined) throw new TypeError(`"${name}" is no table of the service`)
  return database.serviceTables.rows(systemSchema, table)
}
