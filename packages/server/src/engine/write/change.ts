import type { Collection } from '../../schema/schema.ts'

/** A row that was written, for activity, revisions and whoever listens after the commit. */
export interface Change {
  readonly kind: 'create' | 'update' | 'delete'
  readonly collection: Collection
  readonly key: readonly string[]
  /** The whole row after the write, as JSON; null where no revision is kept. */
  readonly snapshot: string | null
  /** What was changed, as JSON. */
  readonly delta: string | null
}
