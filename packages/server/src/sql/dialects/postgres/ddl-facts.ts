import type { TableRef } from '../../ddl.ts'
import type { Statement } from '../../driver.ts'

const tableJoin = `pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace`

/**
 * Estimated rows, bytes, and whether it is a plain table, in the order of the tables. The size of a partitioned table
 * is the sum of its partitions.
 */
export const sizesOf = (tables: readonly TableRef[]): Statement => ({
  text: `
    select coalesce(sum(greatest(p.reltuples, 0))::bigint, 0)::text, coalesce(sum(pg_table_size(p.oid)), 0)::text,
      coalesce(bool_or(c.relkind = 'r'), false)
    from unnest($1::text[], $2::text[]) with ordinality as t(schema, name, place)
    left join (${tableJoin}) on n.nspname = t.schema and c.relname = t.name
    left join lateral (
      select c.oid, c.reltuples where c.relkind <> 'p'
      union all
      select x.oid, x.reltuples from pg_catalog.pg_partition_tree(case when c.relkind = 'p' then c.oid end) tree
        join pg_catalog.pg_class x on x.oid = tree.relid where tree.isleaf
    ) p on true
    group by t.place order by t.place`,
  values: [tables.map(({ schema }) => schema), tables.map(({ table }) => table)],
})

/** Only the indexes that a field change can drop: over plain columns, without a condition. */
export const indexesOf = ({ schema, table }: TableRef): Statement => ({
  text: `
    select i.relname, (
        select json_agg(a.attname order by k.place) from unnest(x.indkey[0:x.indnkeyatts - 1]) with ordinality as k(number, place)
        join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number)::text,
      x.indisunique, f.oid is not null, x.indisprimary
    from ${tableJoin} join pg_catalog.pg_index x on x.indrelid = c.oid
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    left join pg_catalog.pg_constraint f on f.conindid = x.indexrelid and f.contype in ('p', 'u', 'x')
    where n.nspname = $1 and c.relname = $2 and x.indpred is null and x.indexprs is null
    order by i.relname`,
  values: [schema, table],
})

/**
 * All relations of a schema share one namespace. Constraint names must be unique only within their table, but are kept
 * unique in the schema as well.
 */
export const takenNames = (schema: string, names: readonly string[]): Statement => ({
  text: `
    select c.relname from ${tableJoin} where n.nspname = $1 and c.relname = any($2::name[])
    union select f.conname from pg_catalog.pg_constraint f join pg_catalog.pg_namespace n on n.oid = f.connamespace
    where n.nspname = $1 and f.conname = any($2::name[])`,
  values: [schema, names],
})

/** Views that use the table, or the column. */
export const dependentsOf = ({ schema, table }: TableRef, column: string | null): Statement => ({
  text: `
    select count(distinct r.ev_class), string_agg(distinct r.ev_class::regclass::text, ', ') from ${tableJoin}
    join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = c.oid
      and d.classid = 'pg_catalog.pg_rewrite'::regclass
    join pg_catalog.pg_rewrite r on r.oid = d.objid and r.ev_class <> c.oid
    where n.nspname = $1 and c.relname = $2 and ($3::text is null or d.refobjsubid = (
      select a.attnum from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = $3))`,
  values: [schema, table, column],
})

/** Only the owner, or a member of the owning role, may alter a table. */
export const mayNotAlter = ({ schema, table }: TableRef): Statement => ({
  text: `
    select count(*) from ${tableJoin}
    where n.nspname = $1 and c.relname = $2 and not pg_has_role(c.relowner, 'USAGE')`,
  values: [schema, table],
})
