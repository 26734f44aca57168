import { sql, type Query } from '../sql.ts'
import { tablesIn } from './query-builder.ts'

/** An object that a schema change creates before the change is complete. */
export interface SchemaStep {
  readonly kind: string
  readonly schema: string
  readonly table: string
  readonly name: string
}

/** Objects created ahead of a schema change: recorded before their creation, cleared with the change. */
export interface SchemaStepStatements {
  readonly write: (schema: string, rows: readonly SchemaStep[]) => Query
  /** Returns kind, schema, table, name, id; the last one first. */
  readonly list: (schema: string) => Query
  readonly remove: (schema: string, id: string) => Query
  readonly clear: (schema: string) => Query
}

const TABLE = 'service_schema_steps'

export const schemaStepStatements: SchemaStepStatements = {
  write: (schema, rows) =>
    tablesIn(schema)
      .insertInto(TABLE)
      .values(rows.map(({ kind, schema, table, name }) => ({ kind, schema, table, name }))),
  list: (schema) =>
    tablesIn(schema).selectFrom(TABLE).select(['kind', 'schema', 'table', 'name', 'id']).orderBy('id', 'desc'),
  remove: (schema, id) =>
    tablesIn(schema)
      .deleteFrom(TABLE)
      .where('id', '=', sql<number>`${id}`),
  clear: (schema) => tablesIn(schema).deleteFrom(TABLE),
}
