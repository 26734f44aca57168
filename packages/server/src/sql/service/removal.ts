import type { Statement } from '../driver.ts'
import { sql, table, type Query } from '../sql.ts'

/**
 * Statements that find and drop the service's own objects. An inventory has one row per fact; its first value says
 * which:
 *
 * - `table`, name: a table of the service.
 * - `reference`, table, other table: a foreign key between two of them.
 * - `key`, schema, table, name: a foreign key of another table that refers to one of them.
 * - `dependent`, description: another object that would break.
 * - `other`, description: an object in the service's schema that the service did not create.
 * - `schema`: the schema can be dropped once it is empty.
 */
export interface RemovalStatements {
  readonly inventory: (schema: string, own: readonly string[]) => Query
  /** null if foreign keys are part of a table's definition. */
  readonly dropKey: ((schema: string, table: string, name: string) => Query) | null
  /** Makes the table anew without them; a `key` of the inventory then has, in place of a name, what the table is made of. */
  readonly withoutKeys: ((table: string, parts: string) => readonly Statement[]) | null
  readonly dropTable: (schema: string, table: string) => Query
  /** null if the tables share a schema with the user's. */
  readonly dropSchema: ((schema: string) => Query) | null
  /** Lines around the statements of a script, which make it one transaction where the database can. */
  readonly opening: readonly string[]
  readonly closing: readonly string[]
  /** Whether a failure undoes all statements. */
  readonly isTransaction: boolean
  /** Counts the connections of running services; null if the server does not tell. */
  readonly services: Query | null
}

export const dropTable: RemovalStatements['dropTable'] = (schema, name) => sql`drop table ${table(schema, name)}`

export const countRows = (schema: string, name: string): Query => sql`select count(*) from ${table(schema, name)}`
