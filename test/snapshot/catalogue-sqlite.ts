import type { TestDatabase } from '../lib/databases.ts'

type Query = TestDatabase['query']

const isServed = `t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
  and t.name not like 'service\\_%' escape '\\'`

/** Queries for the schema in the database's own catalogue. Index names and the order of columns are ignored. */
const questions: readonly string[] = [
  `select 'table', '', t.name, t.sql like '%autoincrement%' from sqlite_schema t where ${isServed}`,
  `select 'column', '', t.name, c.name, lower(c.type), c."notnull", c.pk,
      case when lower(c.type) in ('real', 'double precision') then cast(c.dflt_value as real) else c.dflt_value end
    from sqlite_schema t join pragma_table_xinfo(t.name) c where ${isServed}`,
  `select distinct 'index', t.name, i."unique", i.origin = 'pk',
      (select group_concat(quote(p.name) order by p.seqno) from pragma_index_info(i.name) p)
    from sqlite_schema t join pragma_index_list(t.name) i where ${isServed}`,
  `select distinct 'foreign key', t.name, f."table", f.on_update, f.on_delete,
      group_concat(quote(f."from") || ' ' || quote(f."to") order by f.seq)
    from sqlite_schema t join pragma_foreign_key_list(t.name) f where ${isServed} group by t.name, f.id`,
]

async function rowsOf(query: Query, table: string): Promise<string[]> {
  const columns = await query(`select name from pragma_table_info('${table}') where name <> 'id'`)
  const rows = await query(`select ${columns.map(([name]) => `"${name}"`).join(', ')} from ${table}`)
  return rows.map((row) => JSON.stringify([table, ...row]))
}

export async function sqliteCatalogue(query: Query): Promise<readonly string[]> {
  const lines: string[] = []
  for (const question of questions) for (const row of await query(question)) lines.push(JSON.stringify(row))
  for (const kind of ['collections', 'fields', 'relations']) lines.push(...(await rowsOf(query, `service_${kind}`)))
  return lines.toSorted()
}
