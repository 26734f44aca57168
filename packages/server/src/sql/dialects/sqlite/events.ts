import { placeholder } from '../../bind.ts'
import type { EventDialect } from '../../service/events.ts'
import { sql, table } from '../../sql.ts'
import { transactionName } from './own-transactions.ts'
import { serviceDialect } from './service.ts'

const given = (parameter: number) => sql`${placeholder(parameter, String)}`

export const eventDialect: EventDialect = {
  ...serviceDialect,
  integerOf: (text) => sql`cast(${text} as integer)`,
  shownTime: (time) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${time})`,
  sizeOf: (text) => sql`length(${text})`,
  write: (parameter) => given(parameter),
  identity: () => sql`'file'`,
  // No other transaction writes at the same time.
  unlessLocked: sql``,
  sequence: null,
  clear: (schema) =>
    sql`delete from ${table(schema, 'service_outbox')} where seq in
      (select cast(value ->> '$.seq' as integer) from json_each(${given(0)}))`,
  writers: () => null,
  untell: (schema, rows) =>
    sql`delete from ${table(schema, 'service_outbox')} where write = 'o' || ${transactionName}
      and (collection, item) in (select x.collection, x.item from ${rows} as x)`,
}
