// The schema of the database and the metadata that the service stores about it, as one string to compare.
import type { TestDatabase } from '../lib/databases.ts'

type Query = TestDatabase['query']

const structure = `
  select format('column %s.%s.%s %s %s %s %s %s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum)) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
  union all select format('table %s %s %s', c.relname, c.relkind, obj_description(c.oid, 'pg_class'))
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
  union all select format('constraint %s %s %s %s', f.conrelid::regclass, f.conname, pg_get_constraintdef(f.oid), f.convalidated)
    from pg_constraint f where f.connamespace = 'public'::regnamespace
  union all select format('index %s %s', pg_get_indexdef(x.indexrelid), x.indisvalid)
    from pg_index x join pg_class i on i.oid = x.indexrelid where i.relnamespace = 'public'::regnamespace`

const kept = ['collections', 'fields', 'relations', 'permissions', 'presets', 'comments']
  .map((table) => `select '${table} ' || (to_jsonb(t) - 'id')::text from tain.service_${table} t`)
  .join(' union all ')

const steps = `select format('step %s %s', kind, name) from tain.service_schema_steps`
const version = `select 'version ' || stamp from tain.service_version`

const all = `select string_agg(line, E'\\n' order by line collate "C") from (${structure} union all ${kept} union all ${steps} union all ${version}) lines`

export const structureOf = async (query: Query): Promise<string> => (await query(all))[0]?.[0] ?? ''

/** The same as a short hash, for frequent checks. */
export const markOf = async (query: Query): Promise<string> => (await query(`select md5((${all}))`))[0]?.[0] ?? ''

/** Contradictions between metadata and schema; empty if there are none. Flags distinguish alias fields. */
const disagreements = `
  select 'a field of no collection: ' || f.collection || '.' || f.field from tain.service_fields f
    where to_regclass(format('public.%I', f.collection)) is null
      and not exists (select from tain.service_collections c where c.collection = f.collection)
  union all
  select 'a field without its column: ' || f.collection || '.' || f.field from tain.service_fields f
    where coalesce(f.special, '') !~ '(^|,)(alias|o2m|m2m|m2a|no-data)(,|$)' and not exists (
      select from pg_attribute a where a.attrelid = to_regclass(format('public.%I', f.collection)) and a.attname = f.field and not a.attisdropped)
  union all
  select 'a relation without its field: ' || r.many_collection || '.' || r.many_field from tain.service_relations r
    where not exists (
      select from pg_attribute a where a.attrelid = to_regclass(format('public.%I', r.many_collection)) and a.attname = r.many_field and not a.attisdropped)
  union all
  select 'a relation to no collection: ' || r.one_collection from tain.service_relations r
    where r.one_collection is not null and r.one_collection !~ '^service_' and to_regclass(format('public.%I', r.one_collection)) is null
  union all
  select 'an unfinished step: ' || s.kind || ' ' || s.name from tain.service_schema_steps s
  union all
  select 'an invalid index: ' || x.indexrelid::regclass from pg_index x where not x.indisvalid
  union all
  select 'an unchecked constraint: ' || f.conname from pg_constraint f where not f.convalidated`

export const disagreementsOf = async (query: Query): Promise<string[]> =>
  (await query(disagreements)).map(([line]) => line ?? '')
