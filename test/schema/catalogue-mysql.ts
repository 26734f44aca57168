// The same as catalogue.ts, for MariaDB. Rows are compared as well, because a schema change moves them away and back.
import type { TestDatabase } from '../lib/databases.ts'

type Query = TestDatabase['query']

const kept = ['collections', 'fields', 'relations', 'permissions', 'presets', 'comments']

const names = async (query: Query, text: string): Promise<string[]> => (await query(text)).map(([name]) => name ?? '')

const columnsOf = (query: Query, table: string) =>
  names(
    query,
    `select column_name from information_schema.columns where table_schema = database() and table_name = '${table}'
      order by ordinal_position`,
  )

async function rowsOf(query: Query, table: string): Promise<string[]> {
  const columns = (await columnsOf(query, table)).filter((name) => name !== 'id' || !table.startsWith('service_'))
  const rows = await query(`select ${columns.map((name) => `\`${name}\``).join(', ')} from \`${table}\``)
  return rows.map((row) => `row of ${table} ${JSON.stringify(row)}`)
}

/** Schema, rows and metadata as one string to compare. */
export async function mysqlStructure(query: Query, withRows = true): Promise<string> {
  const tables = await names(
    query,
    `select table_name from information_schema.tables where table_schema = database()
      and (table_name not like 'service\\_%' or table_name like 'service\\_gone%')`,
  )
  const lines: string[] = []
  for (const table of tables) {
    const [row] = await query(`show create table \`${table}\``)
    lines.push(...(row?.[1] ?? '').split('\n').map((line) => `${table}: ${line.trim().replace(/,$/u, '')}`))
    // The order of columns is part of the schema.
    lines.push(`${table} has ${(await columnsOf(query, table)).join(', ')}`)
  }
  for (const table of [...(withRows ? tables : []), ...kept.map((name) => `service_${name}`), 'service_schema_steps'])
    lines.push(...(await rowsOf(query, table)))
  const [version] = await query('select stamp from service_version')
  return [...lines.toSorted(), `version ${version?.[0]}`].join('\n')
}

const aliases = `'(^|,)(alias|o2m|m2m|m2a|no-data)(,|$)'`
const hasColumn = (table: string, column: string) => `exists (select 1 from information_schema.columns c
  where c.table_schema = database() and c.table_name = ${table} and c.column_name = ${column})`
const hasTable = (table: string) => `exists (select 1 from information_schema.tables t
  where t.table_schema = database() and t.table_name = ${table})`

const disagreements = `
  select concat('a field of no collection: ', f.collection, '.', f.field) from service_fields f
    where not ${hasTable('f.collection')} and not exists (select 1 from service_collections c where c.collection = f.collection)
  union all
  select concat('a field without its column: ', f.collection, '.', f.field) from service_fields f
    where coalesce(f.special, '') not regexp ${aliases} and not ${hasColumn('f.collection', 'f.field')}
  union all
  select concat('a relation without its field: ', r.many_collection, '.', r.many_field) from service_relations r
    where not ${hasColumn('r.many_collection', 'r.many_field')}
  union all
  select concat('a relation to no collection: ', r.one_collection) from service_relations r
    where r.one_collection is not null and not ${hasTable('r.one_collection')}
  union all
  select concat('an unfinished step: ', s.name) from service_schema_steps s
  union all
  select concat('put away and left: ', c.table_name, '.', c.column_name) from information_schema.columns c
    where c.table_schema = database() and (c.table_name like 'service\\_gone%' or c.column_name like 'service\\_gone%')`

export const mysqlDisagreements = async (query: Query): Promise<string[]> =>
  (await query(disagreements)).map(([line]) => line ?? '')
