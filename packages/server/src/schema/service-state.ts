import { run, type Database } from '../sql/database.ts'
import type { Driver, Transaction } from '../sql/driver.ts'

/** What the database has of the service's tables, and what the role may do about it. */
export interface ServiceState {
  readonly exists: boolean
  /** They are those of a build before 0.1.0, or what is left of a removal. */
  readonly isEarlier: boolean
  /** A table with one of their names that is not the service's own. */
  readonly foreign: string | null
  readonly schemaExists: boolean
  readonly mayCreateSchema: boolean
  readonly mayCreateTables: boolean
  readonly mayUseTables: boolean
  /** Names as SQL writes them. */
  readonly database: string
  readonly role: string
  readonly schema: string
}

export async function readServiceState(
  { serviceTables, driver, dialect }: Pick<Database, 'serviceTables' | 'driver' | 'dialect'>,
  systemSchema: string,
  runner: Driver | Transaction = driver,
): Promise<ServiceState> {
  const [row = []] = await run(serviceTables.state(systemSchema), runner, dialect)
  const [exists, mayCreateSchema, database, role, schemaExists, mayCreateTables, schema, mayUseTables, foreign, old] =
    row
  return {
    exists: exists === 'true',
    isEarlier: old === 'true',
    foreign: foreign ?? null,
    schemaExists: schemaExists === 'true',
    mayCreateSchema: mayCreateSchema === 'true',
    mayCreateTables: mayCreateTables === 'true',
    mayUseTables: mayUseTables === 'true',
    database: database ?? '',
    role: role ?? '',
    schema: schema ?? '',
  }
}
