import type { Aggregate, AggregateFunction, Grouping, GroupSort, GroupTerm, Query } from '../ast.ts'
import { outputKey, type ValueType } from './evaluate.ts'
import { Approximate, type Expected, type ExpectedRecord, record } from './expected.ts'
import type { Cell, Column, Row } from '../../database/model.ts'
import { columnOf, tableOf } from '../../database/model.ts'
import { pageOf, termType, termValue } from './order.ts'
import { compareCells, identityOf, printNumeric, toJson } from '../../database/values.ts'
import type { World } from './world.ts'

interface Group {
  readonly cells: readonly Cell[]
  readonly rows: readonly Row[]
}

export function aggregateRows(world: World, query: Query, grouping: Grouping, rows: readonly Row[]): Expected[] {
  const { model } = world
  const types = grouping.groupBy.map((term) => termType(model, query.collection, term))
  const groups =
    grouping.groupBy.length === 0 ? [{ cells: [], rows }] : groupRows(world, query.collection, grouping, rows)
  const table = tableOf(model, query.collection)
  const look: Lookup = {
    column: (name) => columnOf(table, name),
    cell: (row, name) => world.cell(query.collection, row, name),
  }
  const sorted = groups.sort((a, b) => compareGroups(grouping, types, look, a, b))
  return pageOf(sorted, query).map((group) => groupJson(grouping, types, look, group))
}

function groupRows(world: World, collection: string, grouping: Grouping, rows: readonly Row[]): Group[] {
  const groups = new Map<string, { cells: readonly Cell[]; rows: Row[] }>()
  for (const row of rows) {
    const cells = grouping.groupBy.map((term) => termValue(world, collection, term.path, term, row))
    const name = JSON.stringify(cells.map(identityOf))
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { cells, rows: [row] })
    else group.rows.push(row)
  }
  return [...groups.values()]
}

interface Lookup {
  readonly column: (name: string) => Column
  readonly cell: (row: Row, name: string) => Cell
}

function compareGroups(grouping: Grouping, types: readonly ValueType[], look: Lookup, a: Group, b: Group): number {
  for (const sort of grouping.sort) {
    const order = compareBy(sort, types, look, a, b)
    if (order !== 0) return sort.desc ? -order : order
  }
  for (const [index, type] of types.entries()) {
    const order = compareCells(type, a.cells[index]!, b.cells[index]!)
    if (order !== 0) return order
  }
  return 0
}

function compareBy(sort: GroupSort, types: readonly ValueType[], look: Lookup, a: Group, b: Group): number {
  if (sort.by === 'group') return compareCells(types[sort.index]!, a.cells[sort.index]!, b.cells[sort.index]!)
  const [left, right] = [a, b].map((group) => aggregateValue(sort.fn, sort.field, look, group.rows))
  if (sort.field !== null && (sort.fn === 'min' || sort.fn === 'max')) {
    return compareCells(look.column(sort.field), left!.cell, right!.cell)
  }
  return compareFractions(left!.size, right!.size)
}

/** Exact, because sums and averages of large numbers may differ in the last digit only. */
interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

interface AggregateValue {
  /** The value of min and max. */
  readonly cell: Cell
  /** The value of every other function, for comparison. */
  readonly size: Fraction | null
  readonly json: Expected
}

/** As in the database, NULL is the largest value. */
function compareFractions(a: Fraction | null, b: Fraction | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const gap = a.top * b.bottom - b.top * a.bottom
  return gap === 0n ? 0 : gap < 0n ? -1 : 1
}

type Reduce = (column: Column, values: readonly Cell[]) => AggregateValue

const REDUCERS: Readonly<Record<AggregateFunction, Reduce>> = {
  count: (_column, values) => count(values.length),
  countDistinct: (_column, values) => count(distinct(values).length),
  sum: ({ type }, values) => total(type, values),
  sumDistinct: ({ type }, values) => total(type, distinct(values)),
  avg: ({ type }, values) => average(type, values),
  avgDistinct: ({ type }, values) => average(type, distinct(values)),
  min: (column, values) => extreme(column, sortCells(column, values)[0]),
  max: (column, values) => extreme(column, sortCells(column, values).at(-1)),
}

function aggregateValue(
  fn: AggregateFunction,
  field: string | null,
  look: Lookup,
  rows: readonly Row[],
): AggregateValue {
  if (field === null) return count(rows.length)
  const values = rows.map((row) => look.cell(row, field)).filter((cell) => cell !== null)
  return REDUCERS[fn](look.column(field), values)
}

function distinct(values: readonly Cell[]): Cell[] {
  return [...new Map(values.map((cell) => [identityOf(cell), cell])).values()]
}

function sortCells(column: Column, values: readonly Cell[]): Cell[] {
  return [...values].sort((a, b) => compareCells(column, a, b))
}

function extreme({ type }: Column, cell: Cell = null): AggregateValue {
  return { cell, size: null, json: toJson(type, cell) }
}

function count(size: number): AggregateValue {
  return { cell: null, size: { top: BigInt(size), bottom: 1n }, json: String(size) }
}

const NOTHING: AggregateValue = { cell: null, size: null, json: null }

function total(type: Column['type'], values: readonly Cell[]): AggregateValue {
  if (values.length === 0) return NOTHING
  const sum = addUp(values)
  return { cell: null, size: { top: sum, bottom: 1n }, json: type === 'numeric' ? printNumeric(sum) : String(sum) }
}

function average(type: Column['type'], values: readonly Cell[]): AggregateValue {
  if (values.length === 0) return NOTHING
  const sum = addUp(values)
  const json = new Approximate(scaled(type, sum) / values.length)
  return { cell: null, size: { top: sum, bottom: BigInt(values.length) }, json }
}

function addUp(values: readonly Cell[]): bigint {
  return values.reduce<bigint>((sum, cell) => sum + BigInt(cell as number | bigint), 0n)
}

function scaled(type: Column['type'], sum: bigint): number {
  return type === 'numeric' ? Number(sum) / 10_000 : Number(sum)
}

function groupJson(grouping: Grouping, types: readonly ValueType[], look: Lookup, group: Group): ExpectedRecord {
  const result = record()
  for (const [index, term] of grouping.groupBy.entries()) {
    place(result, term, toJson(types[index]!.type, group.cells[index]!))
  }
  for (const aggregate of grouping.aggregates) result[aggregate.fn] = aggregateJson(aggregate, look, group.rows)
  return result
}

function aggregateJson({ fn, fields }: Aggregate, look: Lookup, rows: readonly Row[]): Expected {
  if (fields.length === 1 && fields[0] === '*') return aggregateValue(fn, null, look, rows).json
  const result = record()
  for (const field of fields) result[field] = aggregateValue(fn, field, look, rows).json
  return result
}

/** Nests the value in one object per step of the path. */
function place(target: ExpectedRecord, term: GroupTerm, value: Expected): void {
  let here = target
  for (const field of term.path) {
    const inner = Object.hasOwn(here, field) ? (here[field] as ExpectedRecord) : record()
    here[field] = inner
    here = inner
  }
  here[outputKey(term.subject)] = value
}
