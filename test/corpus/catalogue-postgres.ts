// Reads tables, columns and keys from pg_catalog.
import type { Client } from 'pg'
import type { Column, ForeignKey, Table } from './model.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const DEFAULT_SCHEMA = 'public'
export const own = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'tain')`

const tablesQuery = `
  select c.oid::text as oid, n.nspname as schema, c.relname as name, c.relkind::text as kind, c.relispartition as is_partition,
    exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e') as is_extension
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${own} order by n.nspname, c.relname`

const columnsQuery = `
  select a.attrelid::text as oid, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    case when coalesce(base.typtype, type.typtype) = 'c' then 'record' else coalesce(base.typname, type.typname) end as base, coalesce(base.typtype, type.typtype) = 'e' as is_enum,
    case when element.typtype = 'c' then 'record' else coalesce(element_base.typname, element.typname) end as element, not (a.attnotnull or type.typnotnull) as is_nullable,
    a.attgenerated <> '' as is_generated, a.attidentity::text as identity, pg_get_expr(d.adbin, d.adrelid) as default_value
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_type type on type.oid = a.atttypid
    left join pg_type base on base.oid = type.typbasetype and type.typtype = 'd'
    left join pg_type element on element.oid = coalesce(base.typelem, type.typelem)
      and coalesce(base.typcategory, type.typcategory) = 'A'
    left join pg_type element_base on element_base.oid = element.typbasetype and element.typtype = 'd'
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f') and ${own}
  order by a.attrelid, a.attnum`

const names = (table: string, numbers: string) => `(select json_agg(a.attname order by u.place)
  from unnest(${numbers}) with ordinality u (number, place) join pg_attribute a on a.attrelid = ${table} and a.attnum = u.number)`

/** Skips foreign keys that a partition inherits; they belong to its parent. */
const keysQuery = `
  select k.conrelid::text as oid, k.contype::text as kind, k.confrelid::text as target,
    ${names('k.conrelid', 'k.conkey')} as columns, ${names('k.confrelid', 'k.confkey')} as target_columns
  from pg_constraint k where k.contype in ('p', 'f', 'u') and k.conrelid > 0 and (k.contype <> 'f' or k.conparentid = 0)
  order by k.conrelid, k.conname`

interface TableRow {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly kind: string
  readonly is_partition: boolean
  readonly is_extension: boolean
}

interface ColumnRow {
  readonly oid: string
  readonly name: string
  readonly type: string
  readonly base: string
  readonly is_enum: boolean
  readonly element: string | null
  readonly is_nullable: boolean
  readonly is_generated: boolean
  readonly identity: string
  readonly default_value: string | null
}

interface KeyRow {
  readonly oid: string
  readonly kind: 'p' | 'f' | 'u'
  readonly target: string
  readonly columns: readonly string[]
  readonly target_columns: readonly string[] | null
}

const tableOf = (row: TableRow) => ({
  schema: row.schema,
  name: row.name,
  collection: row.schema === DEFAULT_SCHEMA ? row.name : `${row.schema}.${row.name}`,
  sql: `${quote(row.schema)}.${quote(row.name)}`,
  kind: row.kind === 'r' || row.kind === 'p' ? ('table' as const) : ('view' as const),
  isHidden: row.is_partition || row.is_extension,
  isTransactional: true,
  isAlterable: true,
  columns: [] as Column[],
  key: [] as readonly string[],
  uniques: [] as (readonly string[])[],
  foreignKeys: [] as ForeignKey[],
})

const identityOf = (row: ColumnRow): Column['identity'] => {
  if (row.identity === 'a') return 'always'
  return row.identity === 'd' || row.default_value?.startsWith('nextval(') === true ? 'default' : null
}

export async function readTables(client: Client): Promise<readonly Table[]> {
  const byOid = new Map<string, Mutable<ReturnType<typeof tableOf>>>()
  for (const row of (await client.query<TableRow>(tablesQuery)).rows) byOid.set(row.oid, tableOf(row))
  for (const row of (await client.query<ColumnRow>(columnsQuery)).rows)
    byOid.get(row.oid)?.columns.push({
      name: row.name,
      type: row.type,
      base: row.base,
      element: row.element,
      isEnum: row.is_enum,
      isNullable: row.is_nullable,
      isGenerated: row.is_generated,
      identity: identityOf(row),
    })
  for (const row of (await client.query<KeyRow>(keysQuery)).rows) {
    const table = byOid.get(row.oid)
    const to = byOid.get(row.target)
    if (table === undefined) continue
    if (row.kind === 'p') table.key = row.columns
    else if (row.kind === 'u') table.uniques.push(row.columns)
    else if (to !== undefined) table.foreignKeys.push({ columns: row.columns, to, toColumns: row.target_columns ?? [] })
  }
  return [...byOid.values()]
}

/** One line for each observable property of the schema. */
export const structureQuery = `
  select format('column %s.%s %s %s %s %s %s %s', c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid), a.attstorage, a.attacl, col_description(c.oid, a.attnum))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped and ${own}
  union all select format('constraint %s %s %s %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid), k.convalidated)
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace where k.conrelid > 0 and ${own}
  union all select format('index %s %s', pg_get_indexdef(x.indexrelid), x.indisvalid)
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace where ${own}
  union all select format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and ${own}
  union all select format('rule %s', pg_get_ruledef(r.oid))
    from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace where ${own}
  union all select format('relation %s %s %s %s %s %s', c.oid::regclass, c.relkind, c.relacl, c.relrowsecurity, c.reloptions,
      obj_description(c.oid, 'pg_class'))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${own}
  union all select format('function %s', p.oid::regprocedure)
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${own}
  order by 1`
