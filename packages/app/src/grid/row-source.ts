import type { Collection } from '../model/collection.ts'
import type { Row } from '../model/key.ts'

export interface SourceQuery {
  readonly collection: Collection
  readonly fields: readonly string[]
  readonly filter: unknown
  readonly search: string
  /** Paths, with a minus in front: downwards. */
  readonly sort: readonly string[]
}

/** What a source knows by now. Another object whenever something changed. */
export interface SourceSnapshot {
  readonly state: 'loading' | 'ready' | 'failed'
  readonly error: unknown
  /** Whether everything is being read anew. What is shown stays until then. */
  readonly isReloading: boolean
  /** How many rows there are, as far as known. */
  readonly total: number
  /** Whether `total` is counted, not estimated. */
  readonly isExact: boolean
  /** Whether the numbers of the rows in view are estimated, as after a jump. */
  readonly isPlaceEstimated: boolean
  /** By how many rows everything in view was moved since the beginning, to put it where it belongs. */
  readonly shift: number
  /** How long the last answer took; null: none yet. */
  readonly milliseconds: number | null
  /** When the rows were read, as `Date.now()`. */
  readonly readAt: number | null
}

/** The rows of a view, loaded as they are looked at. */
export interface RowSource {
  readonly query: SourceQuery
  readonly subscribe: (listen: () => void) => () => void
  readonly snapshot: () => SourceSnapshot
  /** A row by its place, with what was changed since; undefined: not loaded. */
  readonly row: (index: number) => Row | undefined
  readonly etag: (index: number) => string | null
  readonly key: (index: number) => string | null
  /** A loaded row by its key. */
  readonly rowOf: (key: string) => Row | undefined
  readonly indexOf: (key: string) => number | null
  /** The keys of all loaded rows, in their order. */
  readonly loadedKeys: () => readonly string[]
  /** Says which rows are in view, and how many pass in a second (negative: upwards). Loads what is missing. */
  readonly view: (first: number, last: number, speed: number) => void
  /** Counts all rows of the view. */
  readonly countExactly: (signal?: AbortSignal) => Promise<number>
  /** Reads everything anew, keeping the rows shown until the answer is there. */
  readonly reload: () => void
  /** Ends the reading that nothing is shown for yet. */
  readonly stop: (reason: unknown) => void
  /** Shows a changed row in its place. Without an ETag the change is not confirmed yet, and kept over what is read. */
  readonly put: (key: string, change: Row, etag: string | null) => void
  /** Ends what is being loaded. */
  readonly dispose: () => void
}

/** Long values are cut to this many characters: a cell shows no more. */
export const CUT = 200
