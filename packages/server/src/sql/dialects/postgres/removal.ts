import { constant } from '../../bind.ts'
import { dropTable, type RemovalStatements } from '../../service/removal.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import { FUNCTION } from './triggers.ts'

/** Without its version row, a schema of this name is not the service's. */
const ownTables = (schema: string, own: readonly string[]): Sql =>
  sql`select c.oid, c.relname from pg_catalog.pg_class c join schema_row n on n.oid = c.relnamespace
      where c.relkind = 'r' and c.relname in (${list(own.map((name) => constant(name)))})
        and exists (select from pg_catalog.pg_class v join pg_catalog.pg_attribute a on a.attrelid = v.oid
          where v.relnamespace = n.oid and v.relname = 'service_version' and a.attname = 'stamp')`

/** Normal dependencies on the tables, except those of parts of the tables themselves and of foreign keys. */
const dependents = sql`
  select distinct 'dependent', case when r.oid is null then pg_catalog.pg_describe_object(d.classid, d.objid, 0)
      else pg_catalog.pg_describe_object('pg_catalog.pg_class'::regclass, r.ev_class, 0) end, null, null
    from pg_catalog.pg_depend d
    left join pg_catalog.pg_rewrite r on d.classid = 'pg_catalog.pg_rewrite'::regclass and r.oid = d.objid
    left join pg_catalog.pg_constraint k on d.classid = 'pg_catalog.pg_constraint'::regclass and k.oid = d.objid
    left join pg_catalog.pg_attrdef f on d.classid = 'pg_catalog.pg_attrdef'::regclass and f.oid = d.objid
    left join pg_catalog.pg_trigger t on d.classid = 'pg_catalog.pg_trigger'::regclass and t.oid = d.objid
    left join pg_catalog.pg_policy p on d.classid = 'pg_catalog.pg_policy'::regclass and p.oid = d.objid
    left join pg_catalog.pg_index i on d.classid = 'pg_catalog.pg_class'::regclass and i.indexrelid = d.objid
    where d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid in (select oid from own) and d.deptype = 'n'
      and k.contype is distinct from 'f'
      and coalesce(r.ev_class, k.conrelid, f.adrelid, t.tgrelid, p.polrelid, i.indrelid, 0) not in (select oid from own)`

/** Sequences of the service's columns depend on them. Functions of triggers are dropped with the triggers. */
const others = sql`
  select 'other', pg_catalog.pg_describe_object(d.classid, d.objid, 0), null, null
    from pg_catalog.pg_depend d join schema_row n on d.refobjid = n.oid
    where d.refclassid = 'pg_catalog.pg_namespace'::regclass and d.deptype = 'n' and exists (select from own)
      and not (d.classid = 'pg_catalog.pg_proc'::regclass
        and exists (select from pg_catalog.pg_proc p where p.oid = d.objid and p.proname like ${sql.lit(`${FUNCTION}%`)}))
      and not (d.classid = 'pg_catalog.pg_class'::regclass and (d.objid in (select oid from own)
        or exists (select from pg_catalog.pg_depend s where s.classid = d.classid and s.objid = d.objid
          and s.refclassid = d.classid and s.refobjid in (select oid from own) and s.deptype in ('a', 'i'))))`

export const removal: RemovalStatements = {
  inventory: (schema, own) => sql`
    with schema_row as (select n.* from pg_catalog.pg_namespace n where n.nspname = ${constant(schema)}::text),
      own as (${ownTables(schema, own)})
    select 'table', relname::text, null::text, null::text from own
    union all
    select distinct 'reference', a.relname::text, b.relname::text, null from pg_catalog.pg_constraint k
      join own a on a.oid = k.conrelid join own b on b.oid = k.confrelid where k.contype = 'f' and a.oid <> b.oid
    union all
    select 'key', n.nspname::text, c.relname::text, k.conname::text from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and k.conparentid = 0 and k.confrelid in (select oid from own)
        and k.conrelid not in (select oid from own)
    union all ${dependents} union all ${others}
    union all
    select 'schema', null, null, null from schema_row n where n.nspname <> 'public' and exists (select from own)
      and pg_catalog.pg_has_role(n.nspowner, 'USAGE')
    order by 1, 2, 3, 4`,
  dropKey: (schema, name, key) => sql`alter table ${table(schema, name)} drop constraint ${sql.id(key)}`,
  withoutKeys: null,
  dropTable,
  dropSchema: (schema) => sql`drop schema ${sql.id(schema)}`,
  opening: ['begin;'],
  closing: ['commit;'],
  isTransaction: true,
  services: sql`select count(*) from pg_catalog.pg_stat_activity
    where datname = current_database() and application_name = 'tain' and pid <> pg_backend_pid()`,
}
