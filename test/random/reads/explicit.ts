import type { Deep, Query, Selection } from './ast.ts'
import { anyOf, type Relation, relationOf, tableOf } from '../database/model.ts'
import type { View } from '../rights/view.ts'

/** The same read with all fields named, as GraphQL requires: no `*`, and no lists of bare keys. */
export function explicit(view: View, query: Query): Query {
  const { counts: _, ...rest } = query
  if (query.grouping !== undefined) return rest
  return { ...rest, fields: explicitFields(view, query.collection, query.fields ?? STAR) }
}

const STAR: readonly Selection[] = [{ kind: 'star' }]

const column = (name: string): Selection => ({ kind: 'field', subject: { name } })

type Followed = Extract<Selection, { kind: 'relation' }>

function followed(view: View, relation: Relation, fields: readonly Selection[], deep: Deep = {}): Followed {
  const inner = explicitFields(view, relation.target, fields)
  return { kind: 'relation', field: relation.field, fields: inner, bareToo: false, deep }
}

function explicitFields(view: View, collection: string, fields: readonly Selection[]): Selection[] {
  const isFollowed = fields.some(({ kind }) => kind === 'starstar')
  const hasStar = isFollowed || fields.some(({ kind }) => kind === 'star')
  return [
    ...(hasStar ? starFields(view, collection, isFollowed) : []),
    ...fields.flatMap((field): Selection[] => {
      switch (field.kind) {
        case 'star':
        case 'starstar':
          return []
        case 'field':
          return [field]
        case 'any':
          return [explicitAny(view, collection, field)]
        case 'relation': {
          const relation = relationOf(view.model, collection, field.field)
          if (field.fields === null && relation.kind === 'one') return [field]
          const shown = followed(view, relation, field.fields ?? keyOf(view, relation), field.deep)
          return [field.as === undefined ? shown : { ...shown, as: field.as }]
        }
      }
    }),
  ]
}

const keyOf = ({ model }: View, { target }: Relation): Selection[] => tableOf(model, target).key.map(column)

function starFields(view: View, collection: string, isFollowed: boolean): Selection[] {
  const relations = view.model.relations.get(collection)
  const { columns, lists } = view.star(collection, isFollowed)
  return [
    ...columns.map((name): Selection => {
      const relation = relations?.get(name)
      return isFollowed && relation?.kind === 'one' && relation.isColumn ? followed(view, relation, STAR) : column(name)
    }),
    ...lists.map((relation) => followed(view, relation, isFollowed ? STAR : keyOf(view, relation))),
  ]
}

/** A union contains every member that the caller can read, at least as an object without fields. */
function explicitAny(view: View, collection: string, field: Selection & { kind: 'any' }): Selection {
  const named = field.branches.map(({ target, fields }) => ({ target, fields: explicitFields(view, target, fields) }))
  const others = anyOf(view.model, collection).allowed.filter(
    (target) => view.isReadable(target) && !named.some((branch) => branch.target === target),
  )
  return { ...field, isStrict: true, branches: [...named, ...others.map((target) => ({ target, fields: [] }))] }
}

/** Removes the paths given as strings (sort and group). All remaining names belong to the GraphQL schema. */
export function withoutTexts(whole: Query): Query {
  const { sort: _, grouping, fields, ...query } = whole
  return {
    ...query,
    ...(fields === undefined ? {} : { fields: fields.map(fieldWithoutTexts) }),
    ...(grouping === undefined ? {} : { grouping: { ...grouping, groupBy: [], sort: [] } }),
  }
}

function fieldWithoutTexts(field: Selection): Selection {
  if (field.kind === 'any')
    return {
      ...field,
      branches: field.branches.map(({ target, fields }) => ({ target, fields: fields.map(fieldWithoutTexts) })),
    }
  if (field.kind !== 'relation') return field
  const { sort: _, ...deep } = field.deep
  return { ...field, deep, fields: field.fields?.map(fieldWithoutTexts) ?? null }
}
