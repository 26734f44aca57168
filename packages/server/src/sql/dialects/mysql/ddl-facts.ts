import type { TableRef } from '../../ddl.ts'
import type { Statement } from '../../driver.ts'
import { quoted } from './names.ts'

const listOf = (tables: readonly TableRef[]): string =>
  JSON.stringify(tables.map(({ schema, table }) => ({ s: schema, t: table })))

/** Estimated rows, bytes, and whether it is a plain table; in the order of the tables. */
export const sizesOf = (tables: readonly TableRef[]): Statement => ({
  text: `select coalesce(i.table_rows, 0), coalesce(i.data_length, 0), if(i.table_type = 'BASE TABLE', 't', 'f')
    from json_table(?, '$[*]' columns (n for ordinality, s varchar(64) path '$.s', t varchar(64) path '$.t')) as x
    left join information_schema.tables i on i.table_schema = x.s and i.table_name = x.t order by x.n`,
  values: [listOf(tables)],
})

/** Those that a change of fields can drop are over whole columns; a unique one is its own constraint. */
export const indexesOf = ({ schema, table }: TableRef): Statement => ({
  text: `select i.index_name, concat('[', group_concat(json_quote(i.column_name) order by i.seq_in_index separator ','), ']'),
      if(min(i.non_unique) = 0, 't', 'f'), if(min(i.non_unique) = 0, 't', 'f'), if(i.index_name = 'PRIMARY', 't', 'f')
    from information_schema.statistics i where i.table_schema = ? and i.table_name = ?
    group by i.index_name order by i.index_name`,
  values: [schema, table],
})

/** Names of indexes belong to their table and those of foreign keys to the schema; they are held apart all the same. */
export const takenNames = (schema: string, names: readonly string[]): Statement => ({
  text: `select x.v from json_table(?, '$[*]' columns (v varchar(64) path '$')) as x
    where x.v in (select i.index_name from information_schema.statistics i where i.table_schema = ?)
      or x.v in (select c.constraint_name from information_schema.table_constraints c where c.constraint_schema = ?)`,
  values: [JSON.stringify(names), schema, schema],
})

/** Views that use the table, or the column, and generated columns that need it. */
export const dependentsOf = ({ schema, table }: TableRef, column: string | null): Statement => {
  const name = column === null ? '' : quoted(column)
  return {
    text: `select (select count(*) from information_schema.views v where v.table_schema = ?
        and locate(?, v.view_definition) > 0 and locate(?, v.view_definition) > 0)
      + (select count(*) from information_schema.columns c where ? <> '' and c.table_schema = ? and c.table_name = ?
        and c.column_name <> ? and locate(?, coalesce(c.generation_expression, '')) > 0)`,
    values: [schema, `${quoted(schema)}.${quoted(table)}`, name, name, schema, table, column ?? '', name],
  }
}
