import type { Selection } from '../ast.ts'
import type { AnyRelation, Cell, Model, Relation, Row } from '../../database/model.ts'
import { tableOf } from '../../database/model.ts'
import { toText } from '../../database/values.ts'

/** The expansion of `*`: columns, and lists that are shown as keys. */
export interface Star {
  readonly columns: readonly string[]
  readonly lists: readonly Relation[]
}

/**
 * The rows as one caller sees them; the interpreter's only source of data. `shown` is the selection at a position. It
 * is null where nothing is selected: in conditions, counts, and paths of sorts and groups.
 */
export interface World {
  readonly model: Model
  /** Whether the collection exists. */
  knows(collection: string): boolean
  rows(collection: string, shown: readonly Selection[] | null): readonly Row[]
  cell(collection: string, row: Row, column: string): Cell
  /** Null if the relation itself is not visible from this row. */
  related(collection: string, relation: Relation, row: Row, shown: readonly Selection[] | null): readonly Row[] | null
  /** Whether a many-to-any field can be followed from this row. */
  seesAny(collection: string, any: AnyRelation, row: Row): boolean
  /** The row that a many-to-any field references, if it belongs to that collection. */
  anyTarget(
    collection: string,
    any: AnyRelation,
    target: string,
    row: Row,
    shown: readonly Selection[] | null,
  ): Row | null
  /** `isFollowed`: to-one fields show the referenced row instead of their value. */
  star(collection: string, isFollowed: boolean): Star
  /** Columns that decide the order of rows that are otherwise equal. */
  tieBreakers(collection: string): readonly string[]
  /** The value that decides the order; it may be hidden. */
  tieCell(collection: string, row: Row, column: string): Cell
}

const indexes = new WeakMap<Model, Map<string, Map<string, Row[]>>>()

/** Indexes the rows of a table by the values of some columns; skips rows with a NULL among them. */
function indexOf(model: Model, collection: string, columns: readonly string[]): Map<string, Row[]> {
  const ofModel = indexes.get(model) ?? new Map<string, Map<string, Row[]>>()
  indexes.set(model, ofModel)
  const name = JSON.stringify([collection, columns])
  const known = ofModel.get(name)
  if (known !== undefined) return known
  const index = new Map<string, Row[]>()
  for (const row of model.rows.get(collection)!) {
    const key = keyText(row, columns)
    if (key === null) continue
    const same = index.get(key)
    if (same === undefined) index.set(key, [row])
    else same.push(row)
  }
  ofModel.set(name, index)
  return index
}

function keyText(row: Row, columns: readonly string[]): string | null {
  const cells = columns.map((name) => row.get(name) ?? null)
  return cells.includes(null) ? null : JSON.stringify(cells.map(String))
}

/** A row at the other end, with the junction row that leads there. */
export interface End {
  readonly row: Row
  readonly bridge: Row | null
}

/** The stored rows at the other end; at most one for a to-one relation. */
export function storedEnds(model: Model, relation: Relation, row: Row): readonly End[] {
  const key = keyText(row, relation.link.near)
  if (key === null) return []
  if (relation.kind !== 'through') {
    const rows = indexOf(model, relation.target, relation.link.far).get(key) ?? []
    return rows.map((end) => ({ row: end, bridge: null }))
  }
  const bridges = indexOf(model, relation.junction, relation.link.far).get(key) ?? []
  const targets = indexOf(model, relation.target, relation.onward.far)
  return bridges.flatMap((bridge) =>
    (targets.get(keyText(bridge, relation.onward.near)!) ?? []).map((end) => ({ row: end, bridge })),
  )
}

/**
 * The stored row that a many-to-any field references: its value is a key of the collection that the other column names.
 */
export function storedTarget(model: Model, any: AnyRelation, target: string, row: Row): Row | null {
  const item = row.get(any.field) ?? null
  if (row.get(any.collectionColumn) !== target || item === null || !any.allowed.includes(target)) return null
  const { key, columns } = tableOf(model, target)
  const type = columns.find(({ name }) => name === key[0])!.type
  const found = model.rows.get(target)!.find((candidate) => toText(type, candidate.get(key[0]!)!) === item)
  return found ?? null
}

const starOf = (model: Model, collection: string): Star => ({
  columns: tableOf(model, collection).columns.map(({ name }) => name),
  lists: [...model.relations.get(collection)!.values()].filter(
    (relation) => relation.kind === 'many' && relation.isDeclared === true,
  ),
})

/** A table without a key is ordered by all its columns. */
export function tieBreakersOf(model: Model, collection: string): readonly string[] {
  const { key, columns } = tableOf(model, collection)
  return key.length > 0 ? key : columns.map(({ name }) => name)
}

/** Nothing is hidden. */
export function plainWorld(model: Model): World {
  return {
    model,
    knows: (collection) => model.tables.has(collection),
    rows: (collection) => model.rows.get(collection)!,
    cell: (_collection, row, column) => row.get(column) ?? null,
    related: (_collection, relation, row) => storedEnds(model, relation, row).map((end) => end.row),
    seesAny: () => true,
    anyTarget: (_collection, any, target, row) => storedTarget(model, any, target, row),
    star: (collection) => starOf(model, collection),
    tieBreakers: (collection) => tieBreakersOf(model, collection),
    tieCell: (_collection, row, column) => row.get(column) ?? null,
  }
}
