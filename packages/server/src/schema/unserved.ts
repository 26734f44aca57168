import type { Database } from '../sql/database.ts'
import { DatabaseError, type Row, type Statement } from '../sql/driver.ts'

/** What rights in the database hide without an error, and what the service shows in spite of rules there. */
export interface Unserved {
  /** Tables whose row level security applies to the role of the service: the rows that it hides are missing. */
  readonly subject: readonly string[]
  /** Tables whose row level security does not apply to the role: callers get rows that it would hide. */
  readonly bypassed: readonly string[]
  readonly closedSchemas: readonly ClosedSchema[]
}

/** A schema without USAGE for the role; none of its tables and views is served. */
export interface ClosedSchema {
  readonly name: string
  readonly relations: number
  readonly fix: string
}

const nothing: Unserved = { subject: [], bypassed: [], closedSchemas: [] }

export async function readUnserved(
  { diagnosis }: Pick<Database, 'diagnosis'>,
  systemSchema: string,
  schemas: readonly string[] | null,
  query: (statement: Statement) => Promise<readonly Row[]>,
): Promise<Unserved> {
  if (diagnosis.unserved === null) return nothing
  const rows = await query(diagnosis.unserved(systemSchema, schemas)).catch((error: unknown) => {
    // Engines that speak PostgreSQL's protocol may have no row level security, and no function that tells of it.
    if (error instanceof DatabaseError && error.fault === 'schema-changed') return []
    throw error
  })
  const tablesOf = (kind: string) => rows.flatMap(([of, name]) => (of === kind ? [name ?? ''] : []))
  return {
    subject: tablesOf('subject'),
    bypassed: tablesOf('bypassed'),
    closedSchemas: rows.flatMap(([of, name, count, fix]) =>
      of === 'closed' ? [{ name: name ?? '', relations: Number(count), fix: fix ?? '' }] : [],
    ),
  }
}
