import { sql, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Which of many proofs of callers still hold. Each takes the keys as a JSON list in parameter 0, and returns those that do. */
export interface ProofStatements {
  readonly login: (schema: string) => Query
  /** Parameter 1: milliseconds that a replaced session still works. */
  readonly session: (schema: string) => Query
  readonly token: (schema: string) => Query
}

export function proofStatements({ uuidsIn, textsIn, integer, now, after }: ServiceDialect): ProofStatements {
  const sessions = (schema: string) =>
    tablesIn(schema)
      .selectFrom('service_sessions as s')
      .innerJoin('service_users as u', 'u.id', 's.user')
      .where('u.status', '=', 'active')
      .where('s.expires', '>', now)
  return {
    login: (schema) => sessions(schema).where('s.family', 'in', uuidsIn(0)).select('s.family').distinct(),
    session: (schema) =>
      sessions(schema)
        .where('s.token', 'in', textsIn(0))
        .where((eb) => eb.or([eb('s.used', 'is', null), eb('s.used', '>', after('now', sql`-${integer(1)}`))]))
        .select('s.token'),
    token: (schema) =>
      tablesIn(schema)
        .selectFrom('service_users as u')
        .where('u.status', '=', 'active')
        .where('u.token', 'in', textsIn(0))
        .select('u.token'),
  }
}
