import type { Collection } from '../model/collection.ts'
import type { Field } from '../model/field.ts'
import { isLongText } from '../interfaces/choose-interface.ts'
import { kindOf, type Kind } from '../model/kind.ts'
import { relationOf, type FieldRelation, type Relation } from '../model/relation.ts'

/** A field as a form shows it: with its relation, and the fields inside it if it is a group. */
export interface FormField {
  readonly field: Field
  readonly relation: FieldRelation | null
  readonly children: readonly FormField[]
}

export const widths = ['half', 'half-left', 'half-right', 'half-space', 'full', 'fill'] as const
export type Width = (typeof widths)[number]

const kindWidths: Readonly<Record<Kind, Width>> = {
  key: 'half',
  text: 'half',
  number: 'half',
  boolean: 'half',
  date: 'half',
  moment: 'half',
  time: 'half',
  choice: 'half',
  json: 'full',
  list: 'full',
  secret: 'half',
  relation: 'full',
  rows: 'full',
  binary: 'full',
  other: 'half',
}

/** How much of the form's two columns a field takes. Long text gets both unless its metadata says otherwise. */
export function widthOf(field: Field): Width {
  const given = widths.find((width) => width === field.meta?.width)
  if (given !== undefined) return given
  return isLongText(field) && kindOf(field) === 'text' ? 'full' : kindWidths[kindOf(field)]
}

export const isGroup = (field: Field): boolean =>
  field.type === 'alias' &&
  ((field.meta?.special ?? []).includes('group') || (field.meta?.interface ?? '').startsWith('group-'))

/**
 * The fields of a form in their order, in groups. Lists of related rows appear without being declared, except a
 * junction whose far side is listed already.
 */
export function formFields(
  collection: Pick<Collection, 'collection'>,
  fields: readonly Field[],
  relations: readonly Relation[],
  isVisible: (collection: string) => boolean,
): readonly FormField[] {
  const name = collection.collection
  const declared = new Set(fields.map(({ field }) => field))
  const lists = relations.flatMap((relation) => {
    const field = relation.related_collection === name ? (relation.meta?.one_field ?? null) : null
    if (field === null || declared.has(field)) return []
    declared.add(field)
    return [listField(name, field)]
  })
  const all = [...fields, ...lists].map((field) => ({
    field,
    relation: relationOf(name, field.field, relations),
    children: [],
  }))
  const junctions = new Set(all.flatMap(({ relation }) => (relation?.kind === 'm2m' ? [relation.junction] : [])))
  const shown = all.filter(({ field, relation }) => {
    if (relation === null) return true
    if (relation.kind === 'm2a') return relation.junction !== null || field.meta !== null
    if (relation.kind === 'o2m' && field.meta === null && junctions.has(relation.to)) return false
    return relation.kind === 'm2o' || isVisible(relation.to)
  })
  return nested(shown.toSorted(byOrder))
}

/** A list of related rows that no metadata describes. */
const listField = (collection: string, field: string): Field => ({
  collection,
  field,
  type: 'alias',
  schema: null,
  meta: null,
})

/** By `sort`; fields without one follow in the order of the columns, lists at the end. */
function byOrder(a: FormField, b: FormField): number {
  const [left, right] = [a.field.meta?.sort ?? null, b.field.meta?.sort ?? null]
  if (left !== null && right !== null) return left - right
  if (left === null && right === null) return Number(isUndeclared(a)) - Number(isUndeclared(b))
  return left === null ? 1 : -1
}

const isUndeclared = ({ field }: FormField): boolean => field.type === 'alias' && field.meta === null

/** Puts fields into their groups. A group that is missing, or inside itself, leaves its fields at the top. */
function nested(fields: readonly FormField[]): readonly FormField[] {
  const groups = new Map(fields.filter(({ field }) => isGroup(field)).map((each) => [each.field.field, each]))
  const parentOf = ({ field }: FormField): string | null => {
    const group = field.meta?.group ?? null
    return group !== null && groups.has(group) && !isInside(group, field.field, groups) ? group : null
  }
  const under = (parent: string | null): readonly FormField[] =>
    fields
      .filter((each) => parentOf(each) === parent)
      .map((each) => (isGroup(each.field) ? { ...each, children: under(each.field.field) } : each))
  return under(null)
}

function isInside(group: string, field: string, groups: ReadonlyMap<string, FormField>): boolean {
  const seen = new Set<string>()
  let at: string | null = group
  while (at !== null && !seen.has(at)) {
    if (at === field) return true
    seen.add(at)
    at = groups.get(at)?.field.meta?.group ?? null
  }
  return at !== null
}

/** All fields of a form, groups and what is in them. */
export const flatFields = (fields: readonly FormField[]): readonly FormField[] =>
  fields.flatMap((each) => [each, ...flatFields(each.children)])
