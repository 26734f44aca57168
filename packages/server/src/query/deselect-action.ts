import type { Collection, ToMany } from '../schema/schema.ts'
import type { Removal } from './bound-write.ts'
import type { WriteContext } from './write-context.ts'

/** A child that leaves is deleted if metadata says so, or if its key contains the foreign key (junction rows). */
export function deselectAction(relation: ToMany, to: Collection, { schema }: WriteContext): Removal['action'] {
  const declared = schema.relations.find(
    ({ collection, field }) =>
      collection === to.name && relation.toColumns.length === 1 && field === relation.toColumns[0],
  )
  if (declared?.meta?.one_deselect_action === 'delete') return 'delete'
  const isPartOfKey = relation.toColumns.every((column) => to.key.some(({ name }) => name === column))
  return isPartOfKey ? 'delete' : 'nullify'
}
