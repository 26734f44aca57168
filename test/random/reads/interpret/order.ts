import type { Page, SortTerm } from '../ast.ts'
import { subjectType, subjectValue, type ValueType } from './evaluate.ts'
import { type Cell, isComparable, type Model, relationOf, type Row, tableOf } from '../../database/model.ts'
import { compareCells } from '../../database/values.ts'
import type { World } from './world.ts'

export const DEFAULT_LIMIT = 100

/** Sorts by the terms, then by the key, or by all columns if the table has no key. */
export function sortRows(world: World, collection: string, rows: readonly Row[], terms: readonly SortTerm[]): Row[] {
  const types = terms.map((term) => termType(world.model, collection, term))
  const values = new Map(
    rows.map((row) => [row, terms.map((term) => termValue(world, collection, term.path, term, row))]),
  )
  return [...rows].sort((a, b) => {
    for (const [index, term] of terms.entries()) {
      const order = compareCells(types[index]!, values.get(a)![index]!, values.get(b)![index]!)
      if (order !== 0) return term.desc ? -order : order
    }
    return compareByKey(world, collection, a, b)
  })
}

function compareByKey(world: World, collection: string, a: Row, b: Row): number {
  const { columns } = tableOf(world.model, collection)
  for (const name of world.tieBreakers(collection)) {
    const column = columns.find((candidate) => candidate.name === name)!
    if (!isComparable(column.type)) continue
    const [left, right] = [world.tieCell(collection, a, name), world.tieCell(collection, b, name)]
    const order = compareCells(column, left, right)
    if (order !== 0) return order
  }
  return 0
}

export function termType(model: Model, collection: string, term: Pick<SortTerm, 'path' | 'subject'>): ValueType {
  let here = collection
  for (const field of term.path) here = relationOf(model, here, field).target
  return subjectType(model, here, term.subject)
}

/** Over a to-many step, returns the value that comes first in the sort direction. */
export function termValue(
  world: World,
  collection: string,
  path: readonly string[],
  term: Pick<SortTerm, 'subject' | 'path'> & { readonly desc?: boolean },
  row: Row | null,
): Cell {
  const [field, ...rest] = path
  if (field === undefined) return subjectValue(world, collection, term.subject, row)
  if (row === null) return null
  const relation = relationOf(world.model, collection, field)
  const ends = world.related(collection, relation, row, null) ?? []
  if (relation.kind === 'one') return termValue(world, relation.target, rest, term, ends[0] ?? null)
  const type = termType(world.model, relation.target, { path: rest, subject: term.subject })
  const values = ends.map((end) => termValue(world, relation.target, rest, term, end))
  const direction = term.desc === true ? -1 : 1
  return values.sort((a, b) => direction * compareCells(type, a, b))[0] ?? null
}

export function pageOf<T>(list: readonly T[], { limit = DEFAULT_LIMIT, offset = 0, page }: Page): readonly T[] {
  if (limit === -1) return list.slice(offset)
  const start = page === undefined || page === 0 ? offset : (page - 1) * limit
  return list.slice(start, start + limit)
}
