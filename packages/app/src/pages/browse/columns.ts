import { fieldsByName } from '../../filter/words.ts'
import type { Column } from '../../grid/column.ts'
import { whyReadOnly, may, type Collection } from '../../model/collection.ts'
import { isReadOnly, titleOf, type Field } from '../../model/field.ts'
import { kindOf, kindRows, type Kind } from '../../model/kind.ts'
import { isPresentation, relationOf, type Relation } from '../../model/relation.ts'
import type { ShownField } from './view-state.ts'
import { isNested, lastName, pathOf, pathParts } from '../../model/path.ts'

/** More columns than this are chosen by hand. */
const MOST = 16
const LAST = Number.MAX_SAFE_INTEGER

/** The columns that a collection opens with. */
export function openingFields(fields: readonly Field[]): readonly ShownField[] {
  const shown = fields
    .filter((field) => field.meta?.hidden !== true && !isPresentation(field) && !isHeavy(kindOf(field)))
    .toSorted((a, b) => (a.meta?.sort ?? LAST) - (b.meta?.sort ?? LAST))
  return shown.slice(0, MOST).map(({ field }) => ({ path: pathOf(field), width: null }))
}

const isHeavy = (kind: Kind): boolean => kind === 'binary' || kind === 'rows' || kind === 'secret'

/** The order that a collection opens with: its own, else the newest row first. */
export function openingSort({ sort_field: sortField, key }: Collection, fields: readonly Field[]): readonly string[] {
  if (typeof sortField === 'string') return [pathOf(sortField)]
  const [name] = key
  const field = fields.find((each) => each.field === name)
  return key.length === 1 && field !== undefined && kindOf(field) === 'key' ? [`-${pathOf(field.field)}`] : []
}

interface ColumnSources {
  readonly collection: Collection
  readonly collections: readonly Collection[]
  /** The fields of a collection; undefined: not loaded. */
  readonly fieldsOf: (collection: string) => readonly Field[] | undefined
  /** Undefined: not loaded. */
  readonly relations: readonly Relation[] | undefined
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
  const { collection, collections, fieldsOf, relations, language, writable } = sources
  const find = fieldsByName(fieldsOf(collection.collection) ?? [], language)
  return shown.map(({ path, width }) => {
    const found = fieldAt(path, collection.collection, fieldsOf)
    const field = found.field ?? looseField(found.collection, lastName(path))
    const kind = found.field === null && field.type === 'integer' ? 'number' : kindOf(field)
    const related = relatedOf(field, collections)
    const counted = countedRows(path, collection, collections, relations ?? [])
    const label = countedName(path) ?? find(path).label
    return {
      path,
      field,
      kind,
      label,
      width: width ?? openingWidth(kind, label),
      ...(related === null ? {} : { related }),
      ...(counted === null ? {} : { counted }),
      whyReadOnly: whyNotHere(path, found.field, collection, writable),
    }
  })
}

/** A header beside its text: glyph, gaps and padding; and the arrow that keys have, as lists open sorted by them. */
const AROUND = 42
const ARROW = 19
/** The mean width of a letter. */
const LETTER = 6.8
const WIDEST_LABEL = 180

/** As wide as values of the kind usually are, and as the label, unless that is very long. */
const openingWidth = (kind: Kind, label: string): number =>
  Math.max(
    kindRows[kind].width,
    Math.min(WIDEST_LABEL, Math.ceil(AROUND + (kind === 'key' ? ARROW : 0) + label.length * LETTER)),
  )

/** The list that a path counts; null: it is no count. */
export const countedList = (path: string): string | null => /^count\((.+)\)$/u.exec(path)?.[1] ?? null

/** A count in a header: the glyph of the column says that it is a number. */
function countedName(path: string): string | null {
  const name = countedList(path)
  return name === null ? null : titleOf(name)
}

/** Rows of many-to-many relations are those of the table between. A key of several fields is no value to filter by. */
function countedRows(
  path: string,
  { collection, key }: Collection,
  collections: readonly Collection[],
  relations: readonly Relation[],
): NonNullable<Column['counted']> | null {
  const name = countedList(path)
  const found = name === null || key.length !== 1 ? null : relationOf(collection, name, relations)
  if (found === null || (found.kind !== 'o2m' && found.kind !== 'm2m')) return null
  const { collection: from, field } = found.relation
  const target = collections.find((each) => each.collection === from)
  return target !== undefined && may(target, 'read') ? { collection: from, field } : null
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
  if (path.startsWith('count(')) return 'This is a count. Press Enter to see its rows.'
  if (isNested(path)) return 'This belongs to a related row. Open that row to change it.'
  if (field === null) return 'This field is not known.'
  if (field.schema?.is_generated === true) return 'The database computes this value.'
  if (field.schema?.has_auto_increment === true) return 'The database gives this key.'
  if (isReadOnly(field)) return 'This field is read-only.'
  return writable === null || writable.has(field.field) ? null : 'You may not change this field.'
}
