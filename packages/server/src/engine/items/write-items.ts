import { ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { KeyedQuery } from '../../query/keyed-query.ts'
import type { MutationRoot } from '../../query/mutation.ts'
import type { QueryLimits } from '../../query/parse-query.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { Engine } from '../engine.ts'
import { createClaim, isReplay, type Claim, type Replay } from '../write/idempotency.ts'
import type { Origin } from '../../changes/change.ts'
import type { WriteReply, WriteRequest } from '../write/write-request.ts'
import { rootOf } from '../write/root.ts'
import type { ItemWrite } from './item-write.ts'

/** A request that may arrive twice: the second one gets the response of the first. */
export interface Repeatable {
  readonly key: string
  /** Equal for equal requests. */
  readonly request: string
  readonly answer: (replies: readonly WriteReply[]) => Replay
}

/**
 * The collection, if it exists and is visible to the caller. A read-only collection is refused before the payload is
 * interpreted.
 */
export function writableCollection(root: MutationRoot, actor: Actor, schema: Schema): Collection {
  const collection = rootOf(root, schema, actor)
  if (collection.isReadOnly && actor.may('update', collection))
    throw new ServiceError('UNPROCESSABLE_CONTENT', `The items of "${root.collection}" can only be read.`)
  return collection
}

/** Limits of a query that selects the items to write: without a limit, these are all matches instead of one page. */
export const targetLimits = <T extends QueryLimits>(limits: T): T => ({ ...limits, limitDefault: -1, limitMax: null })

/** `shape` is the query for the items that the response shows. */
export function writeRequest(
  { mutation, shows, ifMatch }: ItemWrite,
  shape: () => KeyedQuery,
  origin: Origin,
): WriteRequest {
  if (shows === 'nothing') return { mutation, read: null, ifMatch, origin }
  const { query, queryKey, values } = shape()
  return { mutation, read: { query, queryKey, values }, ifMatch, origin }
}

/** Runs the writes of one request in one transaction. `isEach`: keeps or refuses each of them by itself. */
export const writeItems = (
  engine: Pick<Engine, 'write'>,
  actor: Actor,
  requests: readonly WriteRequest[],
  { isDryRun, isEach = false }: { readonly isDryRun: boolean; readonly isEach?: boolean },
  repeatable: Repeatable | null,
): Promise<readonly WriteReply[] | Replay> =>
  engine.write(actor, requests, { isDryRun, isEach, claim: claimOf(actor, isDryRun ? null : repeatable) })

/** Runs a write that cannot be repeated. */
export async function writeOne(
  engine: Pick<Engine, 'write'>,
  actor: Actor,
  request: WriteRequest,
  isDryRun: boolean,
): Promise<WriteReply | undefined> {
  const result = await writeItems(engine, actor, [request], { isDryRun }, null)
  return isReplay(result) ? undefined : result[0]
}

/** Keys are separate for every user, and for callers without a user by their permissions. */
const claimOf = ({ user, grantKey }: Actor, repeatable: Repeatable | null): Claim | null =>
  repeatable === null ? null : createClaim(repeatable.key, user ?? grantKey, repeatable.request, repeatable.answer)

/** The items that a response shows; null: it shows none, because the caller may not read all of them or none is left. */
export function shownRows(
  { shows }: Pick<ItemWrite, 'shows'>,
  reply: WriteReply | undefined,
): readonly string[] | null {
  const { rows = [], isHidden = false } = reply ?? {}
  if (shows === 'nothing' || isHidden) return null
  return shows === 'one' && rows[0] === undefined ? null : rows
}

/** The keys that a deletion by query answers with, as JSON; `null` for each that the caller may not read in its row. */
export const deletedKeys = (reply: WriteReply | undefined): readonly string[] => reply?.keys ?? []

/** Runs the work for each write of a batch. A refusal contains the position of its write. */
export const eachOfBatch = <T, R>(entries: readonly T[], work: (entry: T) => R): R[] =>
  entries.map((entry, index) => {
    try {
      return work(entry)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw new ServiceError(error.code, error.message, { ...error.details, operation: index })
    }
  })
