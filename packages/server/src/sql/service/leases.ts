import { sql, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/**
 * Statements on leases: locks that are rows, so that they hold on every node of a cluster and through any pooler.
 * Parameters 0 and 1 are always the name and the holder. Times are those of the database.
 */
export interface LeaseStatements {
  /** Creates the row of a lease that was never taken. */
  readonly declare: (schema: string) => Query
  /** Takes a lease that is free or has run out. Parameter 2: its milliseconds. */
  readonly take: (schema: string) => Query
  /** The fence of a lease that the holder has; it grows each time the lease is taken. */
  readonly read: (schema: string) => Query
  /** Keeps a lease. Parameters 2 and 3: its milliseconds, its fence. */
  readonly renew: (schema: string) => Query
  /** Parameter 2: the fence. */
  readonly release: (schema: string) => Query
}

const TABLE = 'service_locks'

export const leaseStatements = (dialect: ServiceDialect): LeaseStatements => {
  const { text, integer, clock, after } = dialect
  const [name, holder] = [text(0), text(1)]
  const lease = (schema: string) => tablesIn(schema).updateTable(TABLE).where('name', '=', name)
  return {
    declare: (schema) =>
      dialect.upsert(
        tablesIn(schema)
          .insertInto(TABLE)
          .values({ name, fence: sql.lit(0) }),
        ['name'],
        [],
      ),
    take: (schema) =>
      lease(schema)
        .set({ holder, fence: sql<number>`fence + 1`, expires: after('clock', integer(2)) })
        .where((row) => row.or([row('holder', 'is', null), row('expires', '<', clock)])),
    read: (schema) =>
      tablesIn(schema)
        .selectFrom(TABLE)
        .select('fence')
        .where('name', '=', name)
        .where('holder', '=', holder)
        .where('expires', '>', clock),
    renew: (schema) =>
      lease(schema)
        .set({ expires: after('clock', integer(2)) })
        .where('holder', '=', holder)
        .where('fence', '=', integer(3)),
    release: (schema) =>
      lease(schema)
        .set({ holder: sql<null>`null` })
        .where('holder', '=', holder)
        .where('fence', '=', integer(2)),
  }
}
