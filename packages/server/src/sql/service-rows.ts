import type { ServiceTables, StoredValue } from './service-tables.ts'
import { list, sql, type Sql } from './sql.ts'

type Words = Pick<ServiceTables, 'insert' | 'update' | 'remove' | 'steps'>

/** Writes to the service's own tables, for databases where values need no casts and booleans are stored as numbers. */
export const serviceRowStatements = (table: (schema: string, name: string) => Sql): Words => ({
  insert: (schema, name, values) =>
    sql`insert into ${table(schema, name)} (${list(values.map(({ column }) => sql.id(column)))})
      values (${list(values.map(storedSql))})`,
  update: (schema, name, keys, values) => {
    const assignments = values.map((value) => sql`${sql.id(value.column)} = ${storedSql(value)}`)
    return sql`update ${table(schema, name)} set ${list(assignments)} where ${matching(keys)}`
  },
  remove: (schema, name, keys) => sql`delete from ${table(schema, name)} where ${matching(keys)}`,
  steps: {
    write: (schema, rows) => {
      const values = rows.map((row) => sql`(${row.kind}, ${row.schema}, ${row.table}, ${row.name})`)
      return sql`insert into ${table(schema, 'service_schema_steps')} (kind, ${sql.id('schema')}, ${sql.id('table')}, name) values ${list(values)}`
    },
    list: (schema) =>
      sql`select kind, ${sql.id('schema')}, ${sql.id('table')}, name, id from ${table(schema, 'service_schema_steps')} order by id desc`,
    remove: (schema, id) => sql`delete from ${table(schema, 'service_schema_steps')} where id = ${id}`,
    clear: (schema) => sql`delete from ${table(schema, 'service_schema_steps')}`,
  },
})

export const storedSql = ({ value, kind }: StoredValue): Sql =>
  kind === 'boolean' ? sql`${value === null ? null : value === 'true' || value === 't' ? '1' : '0'}` : sql`${value}`

const matching = (keys: readonly StoredValue[]): Sql =>
  list(
    keys.map((key) => sql`${sql.id(key.column)} = ${storedSql(key)}`),
    sql` and `,
  )
