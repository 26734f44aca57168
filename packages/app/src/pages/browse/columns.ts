import { pathParts } from '../../filter/tree.ts'
import { fieldsByName } from '../../filter/words.ts'
import type { Column } from '../../grid/column.ts'
import { whyReadOnly, may, type Collection } from '../../model/collection.ts'
import { isReadOnly, titleOf, type Field } from '../../model/field.ts'
import { kindOf, kindRows, type Kind } from '../../model/kind.ts'
import { isPresentation } from '../../model/relation.ts'
import type { ShownField } from './view-state.ts'

/** More columns than this are chosen by hand. */
const MOST = 16
const LAST = Number.MAX_SAFE_INTEGER

/** The columns that a collection opens with. */
export function openingFields(fields: readonly Field[]): readonly ShownField[] {
  const shown = fields
    .filter((field) => field.meta?.hidden !== true && !isPresentation(field) && !isHeavy(kindOf(field)))
    .toSorted((a, b) => (a.meta?.sort ?? LAST) - (b.meta?.sort ?? LAST))
  return shown.slice(0, MOST).map(({ field }) => ({ path: field, width: null }))
}

const isHeavy = (kind: Kind): boolean => kind === 'binary' || kind === 'rows' || kind === 'secret'

/** The order that a collection opens with: its own, else the newest row first. */
export function openingSort({ sort_field: sortField, key }: Collection, fields: readonly Field[]): readonly string[] {
  if (typeof sortField === 'string') return [sortField]
  const [name] = key
  const field = fields.find((each) => each.field === name)
  return key.length === 1 && field !== undefined && kindOf(field) === 'key' ? [`-${field.field}`] : []
}

interface ColumnSources {
  readonly collection: Collection
  readonly collections: readonly Collection[]
  /** The fields of a collection; undefined: not loaded. */
  readonly fieldsOf: (collection: string) => readonly Field[] | undefined
  readonly language: string
  /** The fields that the caller may change; null: all. */
  readonly writable: ReadonlySet<string> | null
}

/** A field that is not known yet, or is computed: shown as it comes. */
const looseField = (collection: string, name: string): Field => ({
  collection,
  field: name,
  type: name.startsWith('count(') ? 'integer' : 'unknown',
  schema: null,
  meta: null,
})

/** The collection and the field at the end of a path. */
export function fieldAt(
  path: string,
  collection: string,
  fieldsOf: ColumnSources['fieldsOf'],
): { readonly collection: string; readonly field: Field | null } {
  const parts = pathParts(path)
  let at = collection
  for (const [index, part] of parts.entries()) {
    const field = fieldsOf(at)?.find((each) => each.field === part) ?? null
    if (index === parts.length - 1) return { collection: at, field }
    const next = field?.schema?.foreign_key_table
    if (typeof next !== 'string') return { collection: at, field: null }
    at = next
  }
  return { collection: at, field: null }
}

export function columnsOf(shown: readonly ShownField[], sources: ColumnSources): readonly Column[] {
  const { collection, collections, fieldsOf, language, writable } = sources
  const find = fieldsByName(fieldsOf(collection.collection) ?? [], language)
  return shown.map(({ path, width }) => {
    const found = fieldAt(path, collection.collection, fieldsOf)
    const field = found.field ?? looseField(found.collection, pathParts(path).at(-1) ?? path)
    const kind = found.field === null && field.type === 'integer' ? 'number' : kindOf(field)
    const related = relatedOf(field, collections)
    return {
      path,
      field,
      kind,
      label: countedName(path) ?? find(path).label,
      width: width ?? kindRows[kind].width,
      ...(related === null ? {} : { related }),
      whyReadOnly: whyNotHere(path, found.field, collection, writable),
    }
  })
}

/** A count in a header: the glyph of the column says that it is a number. */
function countedName(path: string): string | null {
  const name = /^count\((\w+)\)$/u.exec(path)?.[1]
  return name === undefined ? null : titleOf(name)
}

function relatedOf(field: Field, collections: readonly Collection[]): NonNullable<Column['related']> | null {
  const name = field.schema?.foreign_key_table
  const target = collections.find((each) => each.collection === name)
  if (target === undefined || !may(target, 'read')) return null
  return { collection: target.collection, template: target.display_template ?? '', key: target.key }
}

function whyNotHere(
  path: string,
  field: Field | null,
  collection: Collection,
  writable: ReadonlySet<string> | null,
): string | null {
  const reason = whyReadOnly(collection)
  if (reason !== null) return reason
  if (!may(collection, 'update')) return 'You may not change rows here.'
  if (path.startsWith('count(')) return 'This is a count. Open the row to change the related rows.'
  if (pathParts(path).length > 1) return 'This belongs to a related row. Open that row to change it.'
  if (field === null) return 'This field is not known.'
  if (field.schema?.is_generated === true) return 'The database computes this value.'
  if (field.schema?.has_auto_increment === true) return 'The database gives this key.'
  if (isReadOnly(field)) return 'This field is read-only.'
  return writable === null || writable.has(field.field) ? null : 'You may not change this field.'
}
