import type { WriteContext } from '../../query/bind-write.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Collection, ToOne } from '../../schema/schema.ts'

interface CompositeKey {
  readonly relation: ToOne
  readonly target: Collection
}

/**
 * Keys of several columns of which some were sent by themselves, to rows that the caller has to see. Whole keys of other
 * rows come through the relation, and those rows are checked themselves.
 */
export function compositeKeys({ collection, values }: WriteNode, { schema, mustSee }: WriteContext): CompositeKey[] {
  return [...collection.inferred.values(), ...collection.aliases.values()].flatMap(({ relation }) => {
    if (relation?.kind !== 'one' || relation.columns.length < 2) return []
    if (!relation.columns.some((name) => values.get(name)?.kind === 'given')) return []
    const target = schema.collections.get(relation.to)
    return target === undefined || !mustSee(target) ? [] : [{ relation, target }]
  })
}
