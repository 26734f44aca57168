import { sql } from '../sql.ts'
import type { IdempotencyStatements } from './idempotency-statements.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

const TABLE = 'service_idempotency'

/** Claims are kept for a day. */
export const isOldClaim = ({ after }: Pick<ServiceDialect, 'after'>) =>
  sql<boolean>`service_idempotency.created < ${after('now', sql.lit(-86_400_000))}`

export const claimInsert = ({ text }: Pick<ServiceDialect, 'text'>, schema: string) =>
  tablesIn(schema)
    .insertInto(TABLE)
    .values({ key: text(0), caller: text(1), request: text(2) })

export const idempotencyStatements = (
  dialect: Pick<ServiceDialect, 'text' | 'integer' | 'now' | 'after'>,
): IdempotencyStatements => {
  const { text, integer, now } = dialect
  return {
    claim: (schema) => sql`${claimInsert(dialect, schema)} on conflict (key, caller) do update
      set request = excluded.request, status = null, body = null, etag = null, created = ${now}
      where ${isOldClaim(dialect)} returning 1`,
    claimed: (schema) =>
      tablesIn(schema)
        .selectFrom(TABLE)
        .select(['request', 'status', 'body', 'etag'])
        .where('key', '=', text(0))
        .where('caller', '=', text(1)),
    answered: (schema) =>
      tablesIn(schema)
        .updateTable(TABLE)
        .set({ status: integer(2), body: sql`nullif(${text(3)}, '')`, etag: sql`nullif(${text(4)}, '')` })
        .where('key', '=', text(0))
        .where('caller', '=', text(1)),
  }
}
