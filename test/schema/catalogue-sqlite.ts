// The same as catalogue.ts, for SQLite.
import type { TestDatabase } from '../lib/databases.ts'

type Query = TestDatabase['query']

const kept = ['collections', 'fields', 'relations', 'permissions', 'presets', 'comments']

async function rowsOf(query: Query, table: string): Promise<string[]> {
  const columns = await query(`select name from pragma_table_info('${table}') where name <> 'id'`)
  const rows = await query(`select ${columns.map(([name]) => `"${name}"`).join(', ')} from ${table}`)
  return rows.map((row) => `row of ${table} ${JSON.stringify(row)}`)
}

/** Schema and metadata as one string to compare. */
export async function sqliteStructure(query: Query): Promise<string> {
  const objects = await query(`select type, name, sql from sqlite_schema where name not like 'service\\_%' escape '\\'`)
  const lines = objects.map((row) => JSON.stringify(row))
  for (const table of kept) lines.push(...(await rowsOf(query, `service_${table}`)))
  const [version] = await query('select stamp from service_version')
  return [...lines.toSorted(), `version ${version?.[0]}`].join('\n')
}

const isAlias = ['alias', 'o2m', 'm2m', 'm2a', 'no-data']
  .map((word) => `',' || coalesce(f.special, '') || ',' like '%,${word},%'`)
  .join(' or ')
const hasTable = (table: string) =>
  `exists (select 1 from sqlite_schema t where t.type in ('table', 'view') and t.name = ${table} collate nocase)`
const hasColumn = (table: string, column: string) =>
  `exists (select 1 from pragma_table_xinfo(${table}) c where c.name = ${column} collate nocase)`

const disagreements = `
  select 'a field of no collection: ' || f.collection || '.' || f.field from service_fields f
    where not ${hasTable('f.collection')} and not exists (select 1 from service_collections c where c.collection = f.collection)
  union all
  select 'a field without its column: ' || f.collection || '.' || f.field from service_fields f
    where not (${isAlias}) and not ${hasColumn('f.collection', 'f.field')}
  union all
  select 'a relation without its field: ' || r.many_collection || '.' || r.many_field from service_relations r
    where not ${hasColumn('r.many_collection', 'r.many_field')}
  union all
  select 'a relation to no collection: ' || r.one_collection from service_relations r
    where r.one_collection is not null and not ${hasTable('r.one_collection')}
  union all
  select 'a table that was being made: ' || t.name from sqlite_schema t where t.name like 'tain\\_new\\_%' escape '\\'`

export async function sqliteDisagreements(query: Query): Promise<string[]> {
  const [found, broken, damaged] = [
    await query(disagreements),
    await query('pragma foreign_key_check'),
    await query('pragma integrity_check'),
  ]
  return [
    ...found.map(([line]) => line ?? ''),
    ...broken.map((row) => `a row that refers to nothing: ${row.join(' ')}`),
    ...damaged.flatMap(([line]) => (line === 'ok' ? [] : [`a damage: ${line}`])),
  ]
}
