import type { Collection, ColumnField, Schema } from '../schema/schema.ts'
import type { WriteNode, WriteTree } from './bound-write.ts'
import type { Payload } from './mutation.ts'

/** Information about the caller and the database for binding a payload. */
export interface WriteContext {
  readonly schema: Schema
  readonly tree: WriteTree
  /** Fields that a row with this action may contain; one list for each permission that the row may need. */
  readonly fields: (action: WriteNode['action'], collection: Collection) => readonly ('all' | ReadonlySet<string>)[]
  /** Values for fields that the caller did not send. */
  readonly presets: (action: 'create' | 'update', collection: Collection) => Payload
  /** Whether the caller has at least one permission on a collection. */
  readonly mayUse: (collection: Collection) => boolean
  /** Whether referenced rows of this collection have to be checked for visibility. */
  readonly mustSee: (collection: Collection) => boolean
  /** Converts a payload value to JSON of the column's type; throws if it does not fit. */
  readonly encode: (field: ColumnField, value: unknown, path: readonly string[]) => string
}
