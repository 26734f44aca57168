import type { Collection } from '../../schema/schema.ts'

/** A written row, for activity, revisions and listeners after the commit. */
export interface Change {
  readonly kind: 'create' | 'update' | 'delete'
  readonly collection: Collection
  readonly key: readonly string[]
  /** The whole row after the write, as JSON; null if no revision is kept. */
  readonly snapshot: string | null
  /** The changed values, as JSON. */
  readonly delta: string | null
}
