import { placeholder } from '../../bind.ts'
import type { EventDialect } from '../../service/events.ts'
import { sql, table } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { createServiceDialect } from './service.ts'

const given = (parameter: number) => sql`${placeholder(parameter, String)}`

export const createEventDialect = (server: Server): EventDialect => {
  const service = createServiceDialect(server)
  return {
    ...service,
    integerOf: (text) => sql`cast(${text} as signed)`,
    shownTime: (time) => sql`date_format(${time}, '%Y-%m-%dT%H:%i:%s.%fZ')`,
    sizeOf: (text) => sql`octet_length(${text})`,
    write: (parameter) => given(parameter),
    identity: () => sql`database()`,
    unlessLocked: sql` for update skip locked`,
    sequence: null,
    // A subquery would be run for each row of the outbox.
    clear: (schema) =>
      sql`delete o from ${service.textRows(given(0), ['seq', 'position'])} as x
        straight_join ${table(schema, 'service_outbox')} as o on o.seq = cast(x.seq as signed)`,
    writers: (_, __, among) =>
      sql`select trx_id from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id()${
        among ? sql` and trx_id in ${service.textsIn(0)}` : sql``
      }`,
    untell: null,
  }
}
