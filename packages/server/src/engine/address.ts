import type { Collection } from '../schema/schema.ts'

/** The collection that a request addresses. */
export interface CollectionAddress {
  readonly collection: string
  /** True if `collection` is the declared name of a system collection. */
  readonly isSystem: boolean
}

/** System collections are addressed by their declared name, which is the name of their table. */
export const addressOf = ({ name, table, isSystem }: Collection): CollectionAddress => ({
  collection: isSystem ? table : name,
  isSystem,
})
