import { placeholder } from '../../bind.ts'
import type { OneTimeStatements } from '../../one-time.ts'
import { sql, table, type Sql } from '../../sql.ts'

const text = (parameter: number): Sql => sql`${placeholder(parameter, String)}::text`
const after = (parameter: number): Sql =>
  sql`now() + ${placeholder(parameter, String)}::bigint * interval '1 millisecond'`

const values = (schema: string) => table(schema, 'service_one_time')
const isThisOne = sql`kind = ${text(0)} and key = ${text(1)}`

export const oneTime: OneTimeStatements = {
  put: (schema) =>
    sql`insert into ${values(schema)} (kind, key, content, expires) values (${text(0)}, ${text(1)}, ${text(2)}, ${after(3)})
      on conflict (kind, key) do update set content = excluded.content, expires = excluded.expires`,
  read: (schema) => sql`select content from ${values(schema)} where ${isThisOne} and expires > now()`,
  remove: (schema) => sql`delete from ${values(schema)} where ${isThisOne}`,
  claim: (schema) =>
    sql`insert into ${values(schema)} (kind, key, expires) values (${text(0)}, ${text(1)}, ${after(2)})
      on conflict (kind, key) do nothing returning 1`,
  removeExpired: (schema) =>
    sql`delete from ${values(schema)} where (kind, key) in (
      select kind, key from ${values(schema)} where expires < now() limit 1000 for update skip locked)`,
}
