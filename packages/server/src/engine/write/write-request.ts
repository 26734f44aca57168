import type { ServiceError } from '@tain/contract'
import type { Origin } from '../../changes/change.ts'
import type { Mutation } from '../../query/mutation.ts'
import type { Read } from '../read.ts'

/** A write, the query for its response, and its precondition. */
export interface WriteRequest {
  readonly mutation: Mutation
  /** The query that shapes the response; null: the response contains no rows. */
  readonly read: Omit<Read, 'collection' | 'key' | 'meta' | 'cursor'> | null
  /** Row versions that the caller accepts (`If-Match`); only with a single key. */
  readonly ifMatch: readonly string[] | null
  readonly origin: Origin
}

export interface WriteReply {
  /** Items as JSON texts, in the order they were sent. */
  readonly rows: readonly string[]
  /** Whether the write affected rows that the response does not show, or may have. */
  readonly isHidden: boolean
  /** The same items with secrets that this response alone shows. Never stored. */
  readonly revealed?: readonly string[]
  readonly rowVersion: string | null
  /** Keys of the rows that a query selected for deletion, as JSON; `null` for each that the caller may not read. */
  readonly keys?: readonly string[]
  /** Why nothing was written; only if each write is kept or refused by itself. */
  readonly refusal?: readonly ServiceError[]
}
