import { ServiceError } from '@tain/contract'
import type { Mutation, Payload } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'

type UpdateEach = Extract<Mutation, { readonly kind: 'update-each' }>

/** Rows that are written together. What is known of a row while it is written takes two kilobytes. */
export const PART = 5000

/**
 * A long list of updates in parts, which run one after another in the same transaction; null: it is written at once. Only
 * rows without nested ones are independent of each other, and only a rollback can undo the parts before one that fails.
 */
export function partsOf(mutation: Mutation, collection: Collection): readonly UpdateEach[] | null {
  if (mutation.kind !== 'update-each' || mutation.items.length <= PART) return null
  if (collection.isSystem || !collection.isTransactional) return null
  const { items } = mutation
  if (!items.every((item) => isFlat(item, collection))) return null
  return Array.from({ length: Math.ceil(items.length / PART) }, (_, at) => ({
    ...mutation,
    items: items.slice(at * PART, (at + 1) * PART),
  }))
}

const isFlat = (item: Payload, { columns }: Collection): boolean =>
  Object.entries(item).every(
    ([name, value]) => typeof value !== 'object' || value === null || columns.get(name)?.relation === null,
  )

/** Errors tell the position of a row in its part; the caller knows the list. */
export function afterRows(error: unknown, before: number): unknown {
  if (!(error instanceof ServiceError) || typeof error.details['row'] !== 'number') return error
  const details = { ...error.details, row: error.details['row'] + before }
  return new ServiceError(error.code, error.message, details, { cause: error })
}
