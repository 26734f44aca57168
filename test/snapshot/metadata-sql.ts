import { quoted, type MetaRow } from './structure.ts'

function valueSql(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'string' ? quoted(value) : quoted(JSON.stringify(value))
}

function rowSql({ table, values }: MetaRow, name: (text: string) => string, schema: string): string {
  const entries = Object.entries(values).map(([column, value]) => [
    name(column),
    column === 'display_options' && typeof value === 'string' ? quoted(JSON.stringify(value)) : valueSql(value),
  ])
  return `insert into ${schema}${table} (${entries.map(([column]) => column).join(', ')}) values (${entries.map(([, value]) => value).join(', ')})`
}

/** Replaces the metadata and increments the version, so that the service reloads. */
export const metadataSql = (rows: readonly MetaRow[], name: (text: string) => string, schema: string): string[] => [
  ...['service_collections', 'service_fields', 'service_relations'].map((table) => `delete from ${schema}${table}`),
  ...rows.map((row) => rowSql(row, name, schema)),
  `update ${schema}service_version set version = version + 1`,
]
