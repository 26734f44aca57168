import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { kindOf } from '../../model/kind.ts'
import { relationOf, type Relation } from '../../model/relation.ts'
import { templatePaths } from '../../model/template.ts'
import { keyPaths } from '../../model/key.ts'
import { below, pathOf } from '../../model/path.ts'

/** A column of a small table: a field, or what the row is called that it refers to. */
export interface SmallColumn {
  readonly field: Field
  /** The collection that the field refers to, with a display template; null: the value itself is shown. */
  readonly target: Collection | null
  readonly paths: readonly string[]
}

const COLUMNS = 5
const unfit = new Set(['json', 'secret', 'binary', 'rows'])

/** The first fields of a collection that a small table can show, with the key in front. */
export function smallColumns(
  collection: Collection,
  fields: readonly Field[],
  relations: readonly Relation[],
  collections: readonly Collection[],
  omit: string | null,
): readonly SmallColumn[] {
  return fields
    .filter((field) => field.field !== omit && field.meta?.hidden !== true && !unfit.has(kindOf(field)))
    .toSorted((a, b) => Number(collection.key.includes(b.field)) - Number(collection.key.includes(a.field)))
    .slice(0, COLUMNS)
    .map((field) => {
      const relation = relationOf(collection.collection, field.field, relations)
      const target = relation?.kind === 'm2o' ? collections.find((each) => each.collection === relation.to) : undefined
      const template = target?.display_template ?? null
      if (target === undefined || template === null) return { field, target: null, paths: [pathOf(field.field)] }
      const paths = [...new Set([...keyPaths(target), ...templatePaths(template)])]
      return { field, target, paths: paths.map((path) => below(field.field, path)) }
    })
}
