import type { TableRef } from '../../ddl.ts'
import type { Statement } from '../../driver.ts'
import { quoted } from './names.ts'

/**
 * Estimated rows, bytes, and whether it is a plain table, in the order of the given tables. Each table is queried by a
 * literal name: for any other condition the server opens all tables of all databases.
 */
export const sizesOf = (tables: readonly TableRef[]): Statement => {
  const parts = tables.map(
    (_, place) => `select ${place} as n, coalesce(max(i.table_rows), 0) as c, coalesce(max(i.data_length), 0) as b,
      if(max(i.table_type) = 'BASE TABLE', 't', 'f') as p
      from information_schema.tables i where i.table_schema = ? and i.table_name = ?`,
  )
  return {
    text: `select x.c, x.b, x.p from (${parts.join(' union all ')}) as x order by x.n`,
    values: tables.flatMap(({ schema, table }) => [schema, table]),
  }
}

/** A field change can drop only indexes over whole columns. A unique index is its own constraint. */
export const indexesOf = ({ schema, table }: TableRef): Statement => ({
  text: `select i.index_name, concat('[', group_concat(json_quote(i.column_name) order by i.seq_in_index separator ','), ']'),
      if(min(i.non_unique) = 0, 't', 'f'), if(min(i.non_unique) = 0, 't', 'f'), if(i.index_name = 'PRIMARY', 't', 'f')
    from information_schema.statistics i where i.table_schema = ? and i.table_name = ?
    group by i.index_name order by i.index_name`,
  values: [schema, table],
})

/** Index names are unique per table and foreign key names per schema. This check treats both as unique per schema. */
export const takenNames = (schema: string, names: readonly string[]): Statement => ({
  text: `select x.v from json_table(?, '$[*]' columns (v varchar(64) path '$')) as x
    join (select i.index_name as name from information_schema.statistics i where i.table_schema = ?
      union select c.constraint_name from information_schema.table_constraints c where c.table_schema = ?) as taken
      on taken.name = x.v`,
  values: [JSON.stringify(names), schema, schema],
})

/** Views that use the table or the column, and generated columns that need it. */
export const dependentsOf = ({ schema, table }: TableRef, column: string | null): Statement => {
  const name = column === null ? '' : quoted(column)
  const place = `${quoted(schema)}.${quoted(table)}`
  return {
    text: `select (select count(*) from information_schema.views v where v.table_schema = ?
        and locate(?, v.view_definition) > 0 and locate(?, v.view_definition) > 0)
      + (select count(*) from information_schema.columns c where ? <> '' and c.table_schema = ? and c.table_name = ?
        and c.column_name <> ? and locate(?, coalesce(c.generation_expression, '')) > 0),
      (select group_concat(v.table_name separator ', ') from information_schema.views v where v.table_schema = ?
        and locate(?, v.view_definition) > 0 and locate(?, v.view_definition) > 0)`,
    values: [schema, place, name, name, schema, table, column ?? '', name, schema, place, name],
  }
}

/** The catalogue shows grants to the user, not those of an enabled role. With a role, the statement itself decides. */
export const mayNotAlter = ({ schema, table }: TableRef): Statement => {
  const granted = `privilege_type = 'ALTER' and grantee = x.grantee`
  return {
    text: `select if(current_role() is not null
        or exists (select 1 from information_schema.user_privileges where ${granted})
        or exists (select 1 from information_schema.schema_privileges where ${granted} and ? like table_schema)
        or exists (select 1 from information_schema.table_privileges where ${granted} and table_schema = ? and table_name = ?),
      0, 1)
      from (select concat(quote(substring_index(current_user(), '@', 1)), '@', quote(substring_index(current_user(), '@', -1)))
        as grantee) as x`,
    values: [schema, schema, table],
  }
}
