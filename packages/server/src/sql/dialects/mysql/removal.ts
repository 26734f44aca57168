import { constant } from '../../bind.ts'
import { dropTable, type RemovalStatements } from '../../service/removal.ts'
import { list, sql, table } from '../../sql.ts'
import { MARK } from './service-tables.ts'

export const removal: RemovalStatements = {
  inventory: (schema, own) => {
    const names = list(own.map((name) => constant(name)))
    const inSchema = sql`t.table_schema = ${constant(schema)} and t.table_name in (${names})`
    const ours = sql`select t.table_name from information_schema.tables t
      where ${inSchema} and t.table_comment = ${sql.lit(MARK)}`
    const keys = sql`information_schema.key_column_usage k
      where k.referenced_table_schema = ${constant(schema)} and k.referenced_table_name in (${ours})`
    const isOurs = sql`(k.table_schema = ${constant(schema)} and k.table_name in (${ours}))`
    return sql`select 'table', o.table_name, null, null from (${ours}) o
      union all
      select distinct 'reference', k.table_name, k.referenced_table_name, null from ${keys} and ${isOurs}
        and k.table_name <> k.referenced_table_name
      union all
      select distinct 'key', k.table_schema, k.table_name, k.constraint_name from ${keys} and not ${isOurs}
      union all
      select distinct 'dependent', concat('view ', v.table_name), null, null
        from information_schema.views v join (${ours}) o
          on instr(v.view_definition, concat('\`', ${constant(schema)}, '\`.\`', o.table_name, '\`')) > 0
        where v.table_schema = ${constant(schema)}
      union all
      select 'other', concat('table ', t.table_name), null, null from information_schema.tables t
        where ${inSchema} and t.table_comment <> ${sql.lit(MARK)}`
  },
  dropKey: (schema, name, key) => sql`alter table ${table(schema, name)} drop foreign key ${sql.id(key)}`,
  withoutKeys: null,
  dropTable,
  dropSchema: null,
  opening: [],
  closing: [],
  isTransaction: false,
  services: null,
}
