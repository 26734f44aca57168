import type { TestDatabase } from '../lib/databases.ts'

type Query = TestDatabase['query']

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** The server's definition of a table, without generated names of indexes and keys. */
async function linesOf(query: Query, table: string): Promise<string[]> {
  const [row] = await query(`show create table ${quoted(table)}`)
  // Names may contain line breaks.
  const [, ...lines] = (row?.[1] ?? '').match(/(?:`(?:[^`]|``)*`|'(?:[^'\\]|''|\\[^])*'|[^\n`'])+/gu) ?? []
  return lines.map((line) => {
    const text = line.trim().replace(/,$/u, '')
    const column = /^`((?:[^`]|``)+)` (.*)$/su.exec(text)
    if (column !== null) return JSON.stringify(['column', '', table, column[1]?.replaceAll('``', '`'), column[2]])
    if (text.startsWith(')')) return JSON.stringify(['table', '', table, text.replace(/ AUTO_INCREMENT=\d+/u, '')])
    return JSON.stringify(['part', table, text.replace(/^((?:UNIQUE )?KEY|CONSTRAINT) `(?:[^`]|``)+`/u, '$1')])
  })
}

async function rowsOf(query: Query, table: string): Promise<string[]> {
  const columns = await query(
    `select column_name from information_schema.columns where table_schema = database() and table_name = '${table}' and column_name <> 'id'`,
  )
  const rows = await query(`select ${columns.map(([name]) => quoted(name ?? '')).join(', ')} from ${table}`)
  return rows.map((row) => JSON.stringify([table, ...row]))
}

export async function mysqlCatalogue(query: Query): Promise<readonly string[]> {
  const tables = await query(
    `select table_name from information_schema.tables where table_schema = database()
      and (table_name not like 'service\\_%' or table_name like 'service\\_gone%')`,
  )
  const lines: string[] = []
  for (const [table] of tables) lines.push(...(await linesOf(query, table ?? '')))
  for (const kind of ['collections', 'fields', 'relations']) lines.push(...(await rowsOf(query, `service_${kind}`)))
  // Two indexes on the same columns are equivalent to one.
  return [...new Set(lines)].toSorted()
}
