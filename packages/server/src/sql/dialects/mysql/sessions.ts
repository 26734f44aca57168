import type { ServiceDialect } from '../../service/service-dialect.ts'
import type { SessionStatements } from '../../service/sessions.ts'
import { sql, table } from '../../sql.ts'
import type { Server } from './capabilities.ts'

/** A DELETE cannot select from its own table here, and returns rows only on some servers. */
export const endInSteps = (server: Server, { text }: ServiceDialect): Pick<SessionStatements, 'end'> => ({
  end: (schema) => {
    const sessions = table(schema, 'service_sessions')
    const user = sql.id('user')
    const ofFamily = sql`from ${sessions} where family = @tain_family`
    const family = sql`select t.family into @tain_family from (select 1) as one
      left join ${sessions} as t on t.token = ${text(0)}`
    return server.can.hasReturning
      ? [family, sql`delete ${ofFamily} returning ${user}`]
      : [family, sql`select ${user} ${ofFamily} for update`, sql`delete ${ofFamily}`]
  },
})
