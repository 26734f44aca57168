import type { SystemCollection } from '@tain/contract/collections'
import { list, sql, table, type Query } from '../sql.ts'
import { declaredRowJson } from './row-json.ts'
import type { ServiceDialect } from './service-dialect.ts'
import type { StoredValue } from './stored-value.ts'

/** Writes of rows whose columns are known only at run time: metadata and the rows of snapshots. */
export interface StoredRowStatements {
  readonly put: (schema: string, table: string, keys: readonly StoredValue[], values: readonly StoredValue[]) => Query
  readonly insert: (schema: string, table: string, values: readonly StoredValue[]) => Query
  /** Updates an existing row; `put` would need a value for every NOT NULL column. */
  readonly update: (
    schema: string,
    table: string,
    keys: readonly StoredValue[],
    values: readonly StoredValue[],
  ) => Query
  readonly remove: (schema: string, table: string, keys: readonly StoredValue[]) => Query
  /** The rows of a table as one JSON array, in key order. */
  readonly rows: (schema: string, table: Pick<SystemCollection, 'name' | 'columns'>) => Query
  /** Columns of all rows of any table, sorted by some of them. */
  readonly cells: (schema: string, table: string, columns: readonly string[], order: readonly string[]) => Query
  readonly count: (schema: string, table: string) => Query
}

export const storedRowStatements = ({ upsert, stored, matches, rowsJson }: ServiceDialect): StoredRowStatements => {
  const insert: StoredRowStatements['insert'] = (schema, name, values) =>
    sql`insert into ${table(schema, name)} (${list(values.map(({ column }) => sql.id(column)))})
      values (${list(values.map(stored))})`
  const matching = (keys: readonly StoredValue[]) => list(keys.map(matches), sql` and `)
  return {
    insert,
    put: (schema, name, keys, values) =>
      upsert(
        insert(schema, name, [...keys, ...values]),
        keys.map(({ column }) => column),
        values.map(({ column }) => column),
      ),
    update: (schema, name, keys, values) => {
      const assignments = values.map((value) => sql`${sql.id(value.column)} = ${stored(value)}`)
      return sql`update ${table(schema, name)} set ${list(assignments)} where ${matching(keys)}`
    },
    remove: (schema, name, keys) => sql`delete from ${table(schema, name)} where ${matching(keys)}`,
    rows: (schema, { name, columns }) => sql`select ${rowsJson(schema, name, declaredRowJson(columns), sql`r.id`)}`,
    count: (schema, name) => sql`select count(*) from ${table(schema, name)}`,
    cells: (schema, name, columns, order) =>
      sql`select ${list(columns.map((column) => sql.id(column)))} from ${table(schema, name)} ${
        order.length === 0 ? sql`` : sql`order by ${list(order.map((column) => sql.id(column)))}`
      }`,
  }
}

/** A value as databases take it that need no casts and store booleans as numbers. */
export const withoutCast = ({ value, kind }: StoredValue) =>
  kind === 'boolean' ? sql`${value === null ? null : value === 'true' || value === 't' ? '1' : '0'}` : sql`${value}`
