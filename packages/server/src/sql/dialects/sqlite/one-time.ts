import { placeholder } from '../../bind.ts'
import type { OneTimeStatements } from '../../one-time.ts'
import { sql, table, type Sql } from '../../sql.ts'
import { SCHEMA } from './scope.ts'
import { now } from './service-tables.ts'

const text = (parameter: number): Sql => placeholder(parameter, String)
const after = (parameter: number): Sql =>
  sql`strftime('%Y-%m-%d %H:%M:%f', 'now', (cast(${placeholder(parameter, String)} as integer) / 1000.0) || ' seconds')`

const values = table(SCHEMA, 'service_one_time')
const isThisOne = sql`kind = ${text(0)} and key = ${text(1)}`

export const oneTime: OneTimeStatements = {
  put: () =>
    sql`insert into ${values} (kind, key, content, expires) values (${text(0)}, ${text(1)}, ${text(2)}, ${after(3)})
      on conflict (kind, key) do update set content = excluded.content, expires = excluded.expires`,
  read: () => sql`select content from ${values} where ${isThisOne} and expires > ${now}`,
  remove: () => sql`delete from ${values} where ${isThisOne}`,
  claim: () =>
    sql`insert into ${values} (kind, key, expires) values (${text(0)}, ${text(1)}, ${after(2)})
      on conflict (kind, key) do nothing returning 1`,
  removeExpired: () =>
    sql`delete from ${values} where rowid in (select rowid from ${values} where expires < ${now} limit 1000)`,
}
