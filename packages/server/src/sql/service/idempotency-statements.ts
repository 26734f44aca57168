import type { Query, Steps } from '../sql.ts'

/** Statements on idempotency keys. Parameters 0 and 1 are always the key and the caller. */
export interface IdempotencyStatements {
  /**
   * Claims a key; no row if it is claimed already. A second claim waits until the first transaction has ended. Parameter
   * 2: the request.
   */
  readonly claim: (schema: string) => Steps
  /** Returns request, status, body and etag. */
  readonly claimed: (schema: string) => Query
  /** Stores the response. Parameters 2 to 4: status, body, etag; empty texts for none. */
  readonly answered: (schema: string) => Query
}
