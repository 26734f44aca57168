import { dropTable, type RemovalStatements } from '../../service/removal.ts'
import { list, sql } from '../../sql.ts'
import { SCHEMA } from './scope.ts'
import { TRIGGER } from './triggers.ts'
import { withoutKeys } from './without-keys.ts'

const isPrepared = sql`exists (select 1 from sqlite_schema v join pragma_table_xinfo(v.name) c
  where v.type = 'table' and v.name = 'service_version' and c.name = 'stamp')`

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
    select 'key', ${sql.lit(SCHEMA)}, m.name, json_object('text', m.sql,
        'targets', (select json_group_array(distinct lower(k.target)) from keys k where k.name = m.name),
        'columns', (select json_group_array(c.name) from pragma_table_xinfo(m.name) c where c.hidden = 0),
        'objects', (select json_group_array(o.sql) from (select o.sql from sqlite_schema o
          where lower(o.tbl_name) = lower(m.name) and o.type in ('index', 'trigger') and o.sql is not null
            and not (o.type = 'trigger' and o.name glob ${sql.lit(`${TRIGGER}*`)}) order by o.rowid) o))
      from sqlite_schema m where m.type = 'table' and m.name in (select name from keys)
        and m.name not in (select name from own)
    union all
    select distinct 'dependent', m.type || ' ' || m.name, null, null from sqlite_schema m join own o
      on tain_mentions(m.sql, o.name)
      where m.type in ('view', 'trigger') and m.tbl_name not in (select name from own)
        and not (m.type = 'trigger' and m.name glob ${sql.lit(`${TRIGGER}*`)})`,
  dropKey: null,
  withoutKeys,
  dropTable,
  dropSchema: null,
  opening: ['pragma foreign_keys = off;', 'pragma legacy_alter_table = on;', 'begin immediate;'],
  closing: ['commit;'],
  isTransaction: true,
  services: null,
}
