import { ServiceError } from '@tain/contract'
import type { Transaction } from '../../sql/driver.ts'
import type { WriteServices } from './request.ts'
import type { WriteReply } from './write-request.ts'

/** The stored response of an earlier request. */
export interface Replay {
  readonly status: number
  readonly body: string | null
  readonly etag: string | null
  /** Kept whatever its size is, because it tells which writes were refused. */
  readonly isKept?: boolean
}

export interface Claim {
  readonly key: string
  /** Equal for requests with the same method, URL and body. */
  readonly request: string
  readonly caller: string
  readonly keep: (replies: readonly WriteReply[], services: WriteServices, transaction: Transaction) => Promise<void>
}

export const isReplay = (reply: readonly WriteReply[] | Replay): reply is Replay => 'status' in reply

const MAX_BODY = 64 * 1024

/** Claims the key for this transaction. A second request waits for the first and gets its response. */
export async function replayOf(
  { key, request, caller }: Claim,
  { statements, systemSchema }: WriteServices,
  transaction: Transaction,
): Promise<Replay | null> {
  const { dialect } = statements
  const claimed = await statements.run('claim', () => dialect.claim(systemSchema), [key, caller, request], transaction)
  if (claimed.length > 0) return null
  const [row] = await statements.run('claimed', () => dialect.claimed(systemSchema), [key, caller], transaction)
  if (row === undefined || row[0] !== request) {
    throw new ServiceError('UNPROCESSABLE_CONTENT', 'The Idempotency-Key was used for another request.')
  }
  return { status: Number(row[1] ?? 204), body: row[2] ?? null, etag: row[3] ?? null }
}

/** Creates the claim that stores the HTTP response. */
export function createClaim(
  key: string,
  caller: string,
  request: string,
  answer: (replies: readonly WriteReply[]) => Replay,
): Claim {
  return {
    key,
    caller,
    request,
    async keep(replies, { statements, systemSchema }, transaction) {
      const { status, body, etag, isKept = false } = answer(replies)
      const kept = body !== null && !isKept && Buffer.byteLength(body) > MAX_BODY ? null : body
      await statements.run(
        'answered',
        () => statements.dialect.answered(systemSchema),
        [key, caller, String(kept === null && body !== null ? 204 : status), kept ?? '', etag ?? ''],
        transaction,
      )
    },
  }
}
