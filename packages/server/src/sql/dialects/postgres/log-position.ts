import { DatabaseError, type Row, type Statement } from '../../driver.ts'
import type { Around } from './wire.ts'

/** Begins the row that tells a position, and the error of a standby that has not reached one. */
const MARK = 'tain position'

/**
 * Where the log of the primary stands. The position for inserting, not the one that is on disk: with
 * `synchronous_commit=off` a commit is answered before it is on disk.
 */
export const POSITION: Statement = {
  text: `select '${MARK}', pg_catalog.pg_current_wal_insert_lsn()::text`,
  values: [],
}

const COMMIT: Statement = { text: 'commit', values: [] }

/** A commit that has succeeded stays one if the position cannot be told. */
export const afterCommit: Around = { before: [COMMIT], after: [], isLastOptional: true }
export const thenCommit: Around = { before: [], after: [COMMIT, POSITION], isLastOptional: true }

/** The rows without the position, which is null if the server did not tell it. */
export function takePosition(rows: readonly Row[]): readonly [rows: readonly Row[], position: string | null] {
  const last = rows.at(-1)
  return last?.[0] === MARK && last.length === 2 ? [rows.slice(0, -1), last[1] ?? null] : [rows, null]
}

/**
 * Lets the next statement of the message run only on a standby that has replayed the log up to a position. It is a
 * statement of its own: the snapshot of a statement is older than any value that the statement itself computes, so a
 * check inside of it could succeed by a commit that its snapshot does not contain. It returns no row; the failing cast
 * is what stops the message.
 */
export const afterReplayOf = (position: string): Around => ({
  before: [
    {
      text: `select where case
          when pg_catalog.pg_is_in_recovery() and pg_catalog.pg_last_wal_replay_lsn() >= $1::pg_catalog.pg_lsn then false
          else ('${MARK} ' || coalesce(pg_catalog.pg_last_wal_replay_lsn()::text, 'none'))::integer = 0 end`,
      values: [position],
    },
  ],
  after: [],
  isLastOptional: false,
})

export function failBehind(error: unknown): never {
  if (error instanceof DatabaseError && error.message.includes(MARK))
    throw new DatabaseError('behind', 'the server has not replayed the log so far', error.databaseCode, {
      cause: error,
    })
  throw error
}
