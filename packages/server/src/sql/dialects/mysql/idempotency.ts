import { claimInsert, idempotencyStatements, isOldClaim } from '../../service/idempotency.ts'
import type { IdempotencyStatements } from '../../service/idempotency-statements.ts'
import { tablesIn } from '../../service/query-builder.ts'
import { sql, stepsOf, table } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { createServiceDialect } from './service.ts'

/** An INSERT cannot replace a row under a condition here: an old claim is removed first. */
export const createIdempotency = (server: Server): IdempotencyStatements => {
  const dialect = createServiceDialect(server)
  const { text } = dialect
  return {
    ...idempotencyStatements(dialect),
    claim: (schema) => {
      const isThisOne = sql<boolean>`${sql.id('key')} = ${text(0)} and caller = ${text(1)}`
      const found = { table: table(schema, 'service_idempotency'), key: isThisOne }
      return [
        tablesIn(schema).deleteFrom('service_idempotency').where(isThisOne).where(isOldClaim(dialect)),
        ...stepsOf(dialect.insertNew(claimInsert(dialect, schema), ['key', 'caller'], sql`1`, found)),
      ]
    },
  }
}
