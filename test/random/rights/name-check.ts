import type { Deep, Filter, Query, Selection, SortTerm, Subject } from '../reads/ast.ts'
import { anyOf, relationOf, tableOf } from '../database/model.ts'
import type { View } from './view.ts'

/** Whether the caller may use every name of the query at its position. */
export function mayName(view: View, query: Query): boolean {
  const { collection, grouping, fields = [] } = query
  if (!view.isReadable(collection)) return false
  if (!mayShape(view, collection, query)) return false
  if (grouping === undefined) return fields.every((field) => maySelect(view, collection, field))
  const isNamed = (name: string): boolean => name === '*' || view.has(collection, name)
  return (
    grouping.aggregates.every((aggregate) => aggregate.fields.every(isNamed)) &&
    grouping.groupBy.every((term) => mayWalk(view, collection, term))
  )
}

function mayShape(view: View, collection: string, { filter, sort = [] }: Deep): boolean {
  return (
    (filter === undefined || mayFilter(view, collection, filter)) &&
    sort.every((term) => mayWalk(view, collection, term))
  )
}

function mayUse(view: View, collection: string, { name, fn }: Subject): boolean {
  const relation = fn === 'count' ? view.model.relations.get(collection)?.get(name) : undefined
  if (relation === undefined || relation.kind === 'one') return view.has(collection, name)
  return view.canFollow(collection, relation)
}

function mayWalk(view: View, collection: string, { path, subject }: Pick<SortTerm, 'path' | 'subject'>): boolean {
  const [field, ...rest] = path
  if (field === undefined) return mayUse(view, collection, subject)
  const relation = relationOf(view.model, collection, field)
  return view.canFollow(collection, relation) && mayWalk(view, relation.target, { path: rest, subject })
}

function mayFilter(view: View, collection: string, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.items.every((item) => mayFilter(view, collection, item))
    case 'test':
    case 'bare':
      return mayUse(view, collection, filter.subject)
    case 'one':
    case 'some':
    case 'none': {
      const relation = relationOf(view.model, collection, filter.field)
      return view.canFollow(collection, relation) && mayFilter(view, relation.target, filter.filter)
    }
    case 'exists':
      return view.canFollow(collection, relationOf(view.model, collection, filter.field))
    case 'member': {
      const relation = relationOf(view.model, collection, filter.field)
      return view.canFollow(collection, relation) && hasKey(view, relation.target)
    }
    case 'any':
      return mayEnter(view, collection, filter.target) && mayFilter(view, filter.target, filter.filter)
    case 'constant':
      return true
  }
  throw new Error('no such filter')
}

/** Whether the caller may follow a many-to-any field into one of its collections. */
function mayEnter(view: View, collection: string, target: string): boolean {
  const { field, collectionColumn } = anyOf(view.model, collection)
  return view.has(collection, field) && view.has(collection, collectionColumn) && view.isReadable(target)
}

const hasKey = (view: View, collection: string): boolean =>
  tableOf(view.model, collection).key.every((column) => view.has(collection, column))

function maySelect(view: View, collection: string, field: Selection): boolean {
  switch (field.kind) {
    case 'star':
    case 'starstar':
      return true
    case 'field':
      return mayUse(view, collection, field.subject)
    case 'any':
      return field.branches.every(
        ({ target, fields }) =>
          mayEnter(view, collection, target) && fields.every((inner) => maySelect(view, target, inner)),
      )
    case 'relation': {
      const relation = relationOf(view.model, collection, field.field)
      if (relation.kind === 'one' && relation.isColumn && field.fields === null)
        return view.has(collection, field.field)
      if (!view.canFollow(collection, relation) || !mayShape(view, relation.target, field.deep)) return false
      // A list without nested fields shows the keys of its rows.
      if (field.fields === null) return relation.kind === 'one' || hasKey(view, relation.target)
      return field.fields.every((inner) => maySelect(view, relation.target, inner))
    }
  }
  throw new Error('no such selection')
}
