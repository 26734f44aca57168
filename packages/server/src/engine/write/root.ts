import type { Actor } from '../../access/actor.ts'
import type { MutationRoot } from '../../query/mutation.ts'
import { rootCollection } from '../../query/resolve.ts'
import type { Collection, Schema } from '../../schema/schema.ts'

/** The collection of a write; throws unless the caller has at least one permission on it. */
export const rootOf = ({ collection, isSystem = false }: MutationRoot, schema: Schema, actor: Actor): Collection => {
  const visibility = { collection: actor.mayUse, field: () => true }
  return rootCollection(collection, isSystem, { schema, visibility, at: 'root', limitDefault: 0 })
}
