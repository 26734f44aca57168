import type { Field } from './field.ts'

/** A relation as `GET /relations` describes it: `collection.field` refers to a row of `related_collection`. */
export interface Relation {
  readonly collection: string
  readonly field: string
  /** Null: rows of several collections. */
  readonly related_collection: string | null
  readonly schema: { readonly on_delete: string; readonly constraint_name: string } | null
  readonly meta: {
    readonly one_field: string | null
    readonly one_collection_field: string | null
    readonly one_allowed_collections: readonly string[] | null
    readonly junction_field: string | null
    readonly sort_field: string | null
    readonly one_deselect_action: string | null
  } | null
}

export type RelationKind = 'm2o' | 'o2m' | 'm2m' | 'm2a'

/** How a field refers to other rows. `junction` is the table between, for m2m. */
export type FieldRelation =
  | { readonly kind: 'm2o'; readonly to: string; readonly relation: Relation }
  | { readonly kind: 'o2m'; readonly to: string; readonly relation: Relation }
  | {
      readonly kind: 'm2m'
      readonly to: string
      readonly relation: Relation
      readonly junction: string
      readonly far: Relation
    }
  | { readonly kind: 'm2a'; readonly relation: Relation; readonly junction: string | null }

/** The relation of a field, if it has one. */
export function relationOf(collection: string, field: string, relations: readonly Relation[]): FieldRelation | null {
  const own = relations.find((each) => each.collection === collection && each.field === field)
  if (own !== undefined)
    return own.related_collection === null
      ? { kind: 'm2a', relation: own, junction: null }
      : { kind: 'm2o', to: own.related_collection, relation: own }
  const back = relations.find((each) => each.related_collection === collection && each.meta?.one_field === field)
  if (back === undefined) return null
  const junctionField = back.meta?.junction_field ?? null
  if (junctionField === null) return { kind: 'o2m', to: back.collection, relation: back }
  const far = relations.find((each) => each.collection === back.collection && each.field === junctionField)
  if (far === undefined) return { kind: 'o2m', to: back.collection, relation: back }
  if (far.related_collection === null) return { kind: 'm2a', relation: far, junction: back.collection }
  return { kind: 'm2m', to: far.related_collection, relation: back, junction: back.collection, far }
}

/** What refers to a collection from elsewhere, whether or not a field shows it. */
export const relationsTo = (collection: string, relations: readonly Relation[]): readonly Relation[] =>
  relations.filter((each) => each.related_collection === collection)

/** Aliases that hold no rows of their own: groups, dividers, notices. */
export const isPresentation = (field: Field): boolean => {
  const special = field.meta?.special ?? []
  return field.type === 'alias' && (special.includes('no-data') || special.includes('group'))
}
