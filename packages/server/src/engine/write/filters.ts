import type { Actor } from '../../access/actor.ts'
import type { Origin } from '../../changes/change.ts'
import type { Payload } from '../../query/mutation.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { Read } from '../read.ts'
import type { WriteReply, WriteRequest } from './write-request.ts'

/** What is about to happen to a row. */
export type FilteredAction = 'create' | 'update' | 'delete'

/** A row that is about to be written: its caller may write it, and nothing of it is written yet. */
export interface FilteredRow {
  readonly collection: Collection
  readonly action: FilteredAction
  /** null: the database makes the key, or another row of the request has it. */
  readonly key: readonly string[] | null
  /** The values that will be written, as far as they are known; secrets are masked. */
  readonly values: () => Payload
  /** Sets values in place of those that were sent. They are encoded and validated as if they had been sent. */
  readonly set: (values: Payload) => void
}

/** Reads and writes inside the transaction of the write, with every permission. */
export interface Inside {
  readonly list: (read: Read) => Promise<readonly string[]>
  readonly item: (read: Read) => Promise<string>
  readonly write: (request: WriteRequest) => Promise<WriteReply>
}

/** The write that a row belongs to. */
export interface FilterContext {
  readonly actor: Actor
  readonly schema: Schema
  readonly origin: Origin
  readonly isDryRun: boolean
  /** Runs work that may read and write inside the transaction. An error of the database ends the write in any case. */
  readonly inside: <T>(work: (inside: Inside) => Promise<T>) => Promise<T>
}

/** Code beside the service that looks at rows before they are written. */
export interface WriteFilters {
  readonly isFiltered: (collection: Collection) => boolean
  /** Throws to refuse the whole write. */
  readonly apply: (row: FilteredRow, context: FilterContext) => Promise<void>
}

/** The filters of one write. */
export interface Filtering {
  readonly isFiltered: (collection: Collection) => boolean
  /** Lets filters see rows, one after the other. */
  readonly rows: (rows: readonly FilteredRow[]) => Promise<void>
}

export const noFilters: WriteFilters = { isFiltered: () => false, apply: async () => undefined }
