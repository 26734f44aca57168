import type { TestDatabase } from '../lib/databases.ts'
import { mysqlCatalogue } from './catalogue-mysql.ts'
import { sqliteCatalogue } from './catalogue-sqlite.ts'
import { SECOND_SCHEMA } from './structure.ts'

const schemas = `('public', '${SECOND_SCHEMA}')`

/** Queries for the schema in the database's own catalogue, independent of the service. */
const questions: readonly string[] = [
  `select 'column', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
    case when a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' then 'counter'
      else pg_get_expr(d.adbin, d.adrelid) end, col_description(c.oid, a.attnum)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and n.nspname in ${schemas}`,
  `select 'table', n.nspname, c.relname, obj_description(c.oid, 'pg_class')
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname in ${schemas}`,
  `select distinct 'index', n.nspname, c.relname, x.indisprimary::text, x.indisunique::text,
    (select string_agg(a.attname, ',' order by k.place) from unnest(x.indkey) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number)
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${schemas}`,
  `select distinct 'foreign key', f.conrelid::regclass::text, f.confrelid::regclass::text, f.confupdtype::text, f.confdeltype::text,
    (select json_agg(json_build_array(a.attname, b.attname) order by k.place)::text
      from unnest(f.conkey, f.confkey) with ordinality as k(a, b, place)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.a
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.b)
    from pg_constraint f join pg_namespace n on n.oid = f.connamespace where f.contype = 'f' and n.nspname in ${schemas}`,
  `select 'check', conrelid::regclass::text, conname from pg_constraint f join pg_namespace n on n.oid = f.connamespace
    where f.contype = 'c' and n.nspname in ${schemas}`,
  ...['collections', 'fields', 'relations'].map(
    (table) => `select '${table}', (to_jsonb(r) - 'id')::text from tain.service_${table} r`,
  ),
]

/** The same default may be printed in several forms; whitespace between the parts of JSON is insignificant. */
const plainDefault = (text: string, isJson: boolean): string =>
  text
    .replace(/(::[\w ]+(\(\d+(,\s?\d+)?\))?(\[\])?)+$/u, '')
    .replace(/^now\(\)$/u, 'CURRENT_TIMESTAMP')
    .replace(/^'(-?[\d.e+]+)'$/u, '$1')
    .replace(/^(-?\d+\.\d*?)0+$/u, '$1')
    .replace(isJson ? /(?<=[:,]) /gu : /^$/u, '')

/** One line per object, sorted. */
export async function catalogueOf({ dialect, query }: TestDatabase): Promise<readonly string[]> {
  if (dialect === 'mysql') return mysqlCatalogue(query)
  if (dialect === 'sqlite') return sqliteCatalogue(query)
  const lines: string[] = []
  for (const question of questions) {
    for (const row of await query(question)) {
      const isJson = String(row[4]).startsWith('json')
      const cells = row[0] === 'column' && row[6] !== null ? row.with(6, plainDefault(row[6] ?? '', isJson)) : row
      lines.push(JSON.stringify(cells))
    }
  }
  return lines.toSorted()
}
