import { hasChildren, mirroredRelation, mirroredSchema } from '../fingerprint.ts'

// the system schema is never served, so it cannot be the default schema
export const schemasText = `
  select nullif(current_schema(), $1), coalesce(json_agg(n.oid::text), '[]')::text
  from pg_catalog.pg_namespace n
  where ${mirroredSchema}`

// column privileges are checked only if the table privilege is missing: the functions check in that order
export const relationsText = `
  select c.oid::text, n.nspname::text, c.relname::text, c.relkind::text,
    case when has_table_privilege(c.oid, 'SELECT') then 'all'
      when has_any_column_privilege(c.oid, 'SELECT') then 'some' else 'none' end,
    has_any_column_privilege(c.oid, 'INSERT')::text,
    has_any_column_privilege(c.oid, 'UPDATE')::text,
    has_table_privilege(c.oid, 'DELETE')::text,
    t.description,
    case when ${hasChildren} then 't' end
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  left join pg_catalog.pg_description t
    on t.objoid = c.oid and t.objsubid = 0 and t.classoid = 'pg_catalog.pg_class'::regclass
  where c.relnamespace = any($1::oid[]) and ${mirroredRelation}
    and c.oid <> all(array(
      select d.objid from pg_catalog.pg_depend d
      where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.classid = 'pg_catalog.pg_class'::regclass
        and d.deptype = 'e'))
  order by n.nspname, c.relname`

// only generation expressions reference other columns; for defaults, passing no table skips the name lookup
export const columnsText = `
  select a.attrelid::text, a.attnum::text, a.attname::text, a.atttypid::text,
    case a.atttypmod when -1 then null else a.atttypmod::text end,
    case when a.attnotnull then 't' end,
    nullif(a.attidentity::text, ''),
    case when a.attgenerated <> '' then 't' end,
    case when a.attrelid = any($2::oid[]) and not has_column_privilege(a.attrelid, a.attnum, 'SELECT') then 't' end,
    pg_get_expr(d.adbin, case when a.attgenerated = '' then 0 else a.attrelid end),
    t.description
  from pg_catalog.pg_attribute a
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_catalog.pg_description t
    on t.objoid = a.attrelid and t.objsubid = a.attnum and t.classoid = 'pg_catalog.pg_class'::regclass
  where a.attrelid = any($1::oid[]) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`

// the operators of the default btree operator class, which is for this very type, and its aggregates
const ownNames = `
  select json_build_object('schema', quote_ident(n.nspname),
    'operators', (
      select json_object_agg((array['<', '<=', '=', '>=', '>'])[a.amopstrategy], quote_ident(s.nspname) || '.' || op.oprname)
      from pg_catalog.pg_opclass o
      join pg_catalog.pg_amop a on a.amopfamily = o.opcfamily
        and a.amoplefttype = o.opcintype and a.amoprighttype = o.opcintype
      join pg_catalog.pg_operator op on op.oid = a.amopopr
      join pg_catalog.pg_namespace s on s.oid = op.oprnamespace
      where o.opcdefault and o.opcmethod = (select am.oid from pg_catalog.pg_am am where am.amname = 'btree')
        and o.opcintype = t.oid and s.nspname <> 'pg_catalog'),
    'aggregates', coalesce((
      select json_agg(p.proname) from pg_catalog.pg_proc p
      where p.prokind = 'a' and p.proname in ('min', 'max') and p.pronamespace = t.typnamespace
        and p.pronargs = 1 and p.proargtypes[0] = t.oid), '[]'))`

// the types in use and the types they are built on: base types of domains, element types of arrays. A type is an array
// if its element type names it as its array type; other types with elements (name, int2vector, point) are not arrays.
export const typesText = `
  with recursive used (oid) as (
    select unnest($1::oid[])
    union
    select part.oid from used
    join pg_catalog.pg_type t on t.oid = used.oid
    join lateral (values (t.typbasetype), (t.typelem)) part (oid) on part.oid <> 0
  )
  select t.oid::text,
    case when n.nspname <> 'pg_catalog' and exists (
      select from pg_catalog.pg_type other
      where other.typname = t.typname and other.typnamespace = 'pg_catalog'::regnamespace)
      then n.nspname || '.' || t.typname else t.typname::text end,
    case n.nspname when 'pg_catalog' then format_type(t.oid, null) else t.typname::text end,
    case n.nspname when 'pg_catalog' then format_type(t.oid, -1)
      else quote_ident(n.nspname) || '.' || quote_ident(t.typname) end,
    case when t.typtype = 'd' then t.typbasetype::text end,
    case when t.typtype = 'd' and t.typtypmod <> -1 then t.typtypmod::text end,
    case when t.typtype = 'd' and t.typnotnull then 't' end,
    case when t.typtype = 'd' then t.typdefault end,
    case when element.typarray = t.oid then element.oid::text end,
    (select json_agg(e.enumlabel order by e.enumsortorder)::text
      from pg_catalog.pg_enum e where t.typtype = 'e' and e.enumtypid = t.oid),
    case when t.typtype in ('e', 'r', 'm') or t.typtype = 'b' and exists (
      select from pg_catalog.pg_opclass o
      join pg_catalog.pg_amop strategy on strategy.amopfamily = o.opcfamily and strategy.amopstrategy = 1
        and strategy.amoplefttype = o.opcintype and strategy.amoprighttype = o.opcintype
      join pg_catalog.pg_operator less on less.oid = strategy.amopopr and less.oprname = '<'
      where o.opcdefault and o.opcmethod = (select am.oid from pg_catalog.pg_am am where am.amname = 'btree')
        and (o.opcintype = t.oid or o.opcintype in (
          select cast_.casttarget from pg_catalog.pg_cast cast_
          where cast_.castsource = t.oid and cast_.castmethod = 'b' and cast_.castcontext = 'i')))
      then 't' end,
    case when t.typtype = 'b' and t.typcategory <> 'A' and n.nspname <> 'pg_catalog' then (${ownNames})::text end
  from used
  join pg_catalog.pg_type t on t.oid = used.oid
  join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  left join pg_catalog.pg_type element on element.oid = t.typelem`

export const indexesText = `
  select i.indrelid::text, i.indkey::text, i.indnkeyatts::text, i.indisprimary::text, i.indisunique::text,
    (i.indpred is null and i.indexprs is null)::text
  from pg_catalog.pg_index i
  where i.indrelid = any($1::oid[]) and i.indisvalid
  order by i.indrelid, i.indisprimary desc, i.indexrelid`

// constraints with a parent are copies that the database makes for partitions, on either side; the service's own tables
// are not among those that are read, so the keys that lead to them bring the names along
export const foreignKeysText = `
  select f.conrelid::text, f.conname::text, array_to_string(f.conkey, ' '), f.confrelid::text,
    array_to_string(f.confkey, ' '), f.confupdtype::text, f.confdeltype::text, own.name,
    (select json_agg(a.attname::text order by k.place)::text
      from unnest(f.confkey) with ordinality as k(number, place)
      join pg_catalog.pg_attribute a on a.attrelid = own.oid and a.attnum = k.number)
  from pg_catalog.pg_constraint f
  left join (select c.oid, c.relname::text as name from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $2) own on own.oid = f.confrelid
  where f.conrelid = any($1::oid[]) and f.contype = 'f' and f.conparentid = 0
  order by f.conrelid, f.conname`
