import { list, sql, table, type Query, type Sql } from '../sql.ts'
import { serviceRowJson } from './row-json.ts'
import type { ServiceDialect } from './service-dialect.ts'

/** Each reads all its rows in one statement, so that they match the version. */
export interface MetadataStatements {
  /** Schema version and, as JSON arrays, the rows of collections, fields, relations, names and captured collections. */
  readonly overlay: (schema: string) => Query
  /** Permission version and, as JSON arrays, roles, policies, attachments in the order they apply, permissions. */
  readonly permissions: (schema: string) => Query
}

const byId = sql`r.id`
/** NULL comes last on every database. */
const bySort = (then: Sql): Sql => sql`r.sort is null, r.sort, ${then}`

export const metadataStatements = ({ rowsJson }: ServiceDialect): MetadataStatements => {
  const rows = (schema: string, name: keyof typeof serviceRowJson, order = byId) =>
    rowsJson(schema, name, serviceRowJson[name], order)
  const read = (schema: string, version: Sql, lists: readonly Sql[]) =>
    sql`select ${version}, ${list(lists)} from ${table(schema, 'service_version')}`
  return {
    overlay: (schema) =>
      read(schema, sql`version`, [
        rows(schema, 'service_collections', bySort(sql`r.collection`)),
        rows(schema, 'service_fields', bySort(byId)),
        rows(schema, 'service_relations'),
        rows(schema, 'service_names'),
        rows(schema, 'service_event_interest', sql`r.collection`),
      ]),
    permissions: (schema) =>
      read(schema, sql`rights`, [
        rows(schema, 'service_roles'),
        rows(schema, 'service_policies'),
        rows(schema, 'service_access', bySort(byId)),
        rows(schema, 'service_permissions'),
      ]),
  }
}
