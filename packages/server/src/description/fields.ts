import type { Permitted } from '../access/actor.ts'
import type { AliasField, Collection, ColumnField } from '../schema/schema.ts'
import type { Visibility } from '../system/visible-schema.ts'

/** A field that the collection declares, unlike those that are inferred from foreign keys. */
export type OwnField = ColumnField | AliasField

export const ownFields = ({ columns, aliases }: Collection): readonly OwnField[] => [
  ...columns.values(),
  ...aliases.values(),
]

export const noteOf = ({ meta, ...field }: OwnField): string | null => {
  const note = meta?.note ?? ('column' in field ? field.column.comment : null)
  return note === '' ? null : note
}

/** Before its row is written, a singleton is read with its defaults. */
export const isSingleton = ({ meta }: Collection): boolean => meta?.singleton === true

/** The one row of a singleton is changed, and neither created nor deleted. */
export const mayDo = (
  verb: 'create' | 'update' | 'delete',
  collection: Collection,
  { mayWrite }: Visibility,
): boolean => mayWrite(verb, collection) && (verb === 'update' || !isSingleton(collection))

/** Some rows show null: the column allows it, or a permission hides the value there. */
export const mayBeNull = (field: ColumnField, collection: Collection, { isUnmasked }: Visibility): boolean =>
  field.column.isNullable || isSingleton(collection) || !isUnmasked(collection, field.name)

/** The database makes the values of the others, or they hold none. */
export const isWritable = (field: OwnField): boolean =>
  field.kind === 'alias'
    ? field.relation !== null
    : field.column.generationExpression === null && field.column.identity !== 'always'

/** Specials that fill a value in when a row is created. */
const filling = new Set(['uuid', 'date-created', 'user-created', 'role-created'])

/** Nothing but the caller gives the value: not the database, not the metadata, and no preset of a permission. */
export function isNeeded(field: OwnField, collection: Collection, actor: Permitted): boolean {
  if (field.kind === 'alias') return false
  const { isNullable, defaultExpression, hasAutoIncrement } = field.column
  const isFilled =
    isNullable ||
    hasAutoIncrement ||
    (defaultExpression !== null && !/^NULL(::.*)?$/iu.test(defaultExpression)) ||
    field.specials.some((special) => filling.has(special)) ||
    collection.hasInsertTrigger
  return (
    !isFilled &&
    !actor.permissionsFor(collection, 'create').some(({ presets }) => Object.hasOwn(presets ?? {}, field.name))
  )
}

export const has = (fields: 'all' | ReadonlySet<string>, name: string) => fields === 'all' || fields.has(name)
