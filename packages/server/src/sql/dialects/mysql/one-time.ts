import { placeholder } from '../../bind.ts'
import type { OneTimeStatements } from '../../one-time.ts'
import { sql, table, type Sql } from '../../sql.ts'

const text = (parameter: number): Sql => placeholder(parameter, String)
const after = (parameter: number): Sql =>
  sql`now(6) + interval cast(${placeholder(parameter, String)} as signed) * 1000 microsecond`

const KEY = sql.id('key')
const values = (schema: string) => table(schema, 'service_one_time')
const isThisOne = sql`kind = ${text(0)} and ${KEY} = ${text(1)}`

export const oneTime: OneTimeStatements = {
  put: (schema) =>
    sql`insert into ${values(schema)} (kind, ${KEY}, content, expires) values (${text(0)}, ${text(1)}, ${text(2)}, ${after(3)})
      on duplicate key update content = values(content), expires = values(expires)`,
  read: (schema) => sql`select content from ${values(schema)} where ${isThisOne} and expires > now(6)`,
  remove: (schema) => sql`delete from ${values(schema)} where ${isThisOne}`,
  claim: (schema) => [
    sql`insert ignore into ${values(schema)} (kind, ${KEY}, expires) values (${text(0)}, ${text(1)}, ${after(2)})`,
    sql`select 1 from dual where row_count() > 0`,
  ],
  removeExpired: (schema) => sql`delete from ${values(schema)} where expires < now(6) limit 1000`,
}
