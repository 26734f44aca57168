import { sql, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Statements by which replicas agree who watches the catalogue. Parameter 0 is the name of the lease. */
export interface WatchStatements {
  /** The schema and permission versions, the holder of the lease, its fence, and the fingerprint last announced. */
  readonly state: (schema: string) => Query
  /** Records the fingerprint of the catalogue, as parameter 1. */
  readonly announce: (schema: string) => Query
}

export const watchStatements = ({ text, clock, upsert }: ServiceDialect): WatchStatements => ({
  state: (schema) =>
    tablesIn(schema)
      .selectFrom('service_version as v')
      .leftJoin('service_locks as l', (join) => join.on('l.name', '=', text(0)))
      .leftJoin('service_watch as w', (join) => join.on('w.name', '=', text(0)))
      .select(['v.stamp', sql<string>`case when l.expires > ${clock} then l.holder end`.as('holder')])
      .select(['l.fence', 'w.fingerprint']),
  announce: (schema) =>
    upsert(
      tablesIn(schema)
        .insertInto('service_watch')
        .values({ name: text(0), fingerprint: text(1) }),
      ['name'],
      ['fingerprint'],
    ),
})
