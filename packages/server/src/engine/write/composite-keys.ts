import type { WriteContext } from '../../query/write-context.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Collection, ToOne } from '../../schema/schema.ts'

interface CompositeKey {
  readonly relation: ToOne
  readonly target: Collection
}

/**
 * Composite foreign keys with individually sent columns, if the caller has to see the referenced row. Complete keys
 * come through the relation, and their rows are checked there.
 */
export function compositeKeys({ collection, values }: WriteNode, { schema, mustSee }: WriteContext): CompositeKey[] {
  return [...collection.inferred.values(), ...collection.aliases.values()].flatMap(({ relation }) => {
    if (relation?.kind !== 'one' || relation.columns.length < 2) return []
    if (!relation.columns.some((name) => values.get(name)?.kind === 'given')) return []
    const target = schema.collections.get(relation.to)
    return target === undefined || !mustSee(target) ? [] : [{ relation, target }]
  })
}
