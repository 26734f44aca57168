import { dropTable, type RemovalStatements } from '../../service/removal.ts'
import { list, sql } from '../../sql.ts'
import { TRIGGER } from './triggers.ts'

const isPrepared = sql`exists (select 1 from sqlite_schema v join pragma_table_info(v.name) c
  where v.type = 'table' and v.name = 'service_version' and c.name = 'migration')`

export const removal: RemovalStatements = {
  inventory: (_, own) => sql`
    with own as materialized (select name from sqlite_schema where type = 'table' and ${isPrepared}
        and name in (${list(own.map((name) => sql.lit(name)))})),
      keys as materialized (select m.name, f."table" as target from sqlite_schema m join pragma_foreign_key_list(m.name) f
        where m.type = 'table' and lower(f."table") in (select name from own))
    select 'table', name, null, null from own
    union all
    select distinct 'reference', name, lower(target), null from keys
      where name in (select name from own) and name <> lower(target)
    union all
    select distinct 'dependent', 'table ' || name || ', which has a foreign key to ' || lower(target), null, null from keys
      where name not in (select name from own)
    union all
    select distinct 'dependent', m.type || ' ' || m.name, null, null from sqlite_schema m join own o
      on tain_mentions(m.sql, o.name)
      where m.type in ('view', 'trigger') and m.tbl_name not in (select name from own)
        and not (m.type = 'trigger' and m.name glob ${sql.lit(`${TRIGGER}*`)})`,
  dropKey: null,
  dropTable,
  dropSchema: null,
  opening: ['pragma foreign_keys = off;', 'begin immediate;'],
  closing: ['commit;'],
  isTransaction: true,
  services: null,
}
