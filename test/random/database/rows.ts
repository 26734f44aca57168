import { daysOf, MICROS_PER_DAY, MICROS_PER_SECOND } from './clock.ts'
import type { Cell, Column, ColumnType, ForeignKey, Json, Model, Row, Table } from './model.ts'
import { inferRelations } from './relations.ts'
import type { Rng } from '../rng.ts'
import type { RandomSchema } from './schema.ts'
import { randomText, randomUuid } from './texts.ts'
import { identityOf } from './values.ts'

type Grid = Map<string, Map<string, Cell>[]>

export function fillSchema(rng: Rng, { enums, tables }: RandomSchema): Model {
  const grid: Grid = new Map()
  for (const table of tables) grid.set(table.collection, keyRows(rng, table, tables, grid))
  for (const table of tables) fillTable(rng, table, grid)
  return buildModel({ dialect: 'postgres', enums }, tables, grid)
}

export function buildModel(
  { dialect, enums }: Pick<Model, 'dialect' | 'enums'>,
  tables: readonly Table[],
  rows: ReadonlyMap<string, readonly Row[]>,
): Model {
  return {
    dialect,
    enums,
    tables: new Map(tables.map((table) => [table.collection, table])),
    rows,
    relations: inferRelations(tables),
  }
}

/** Rows with only the key and the unique columns, for foreign keys to reference. */
function keyRows(rng: Rng, table: Table, tables: readonly Table[], grid: Grid): Map<string, Cell>[] {
  const wanted = rowCount(rng, table, tables)
  const rows: Map<string, Cell>[] = []
  const seen = new Set<string>()
  for (let i = 0; i < wanted; i++) {
    const row = new Map<string, Cell>()
    for (const key of table.foreignKeys) if (isInKey(table, key)) copyReference(rng, key, grid, row)
    for (const name of table.key) if (!row.has(name)) row.set(name, keyCell(rng, columnNamed(table, name), i))
    const identity = table.key.map((name) => identityOf(row.get(name)!)).join()
    if (table.key.length > 0 && seen.has(identity)) continue
    seen.add(identity)
    for (const name of table.uniques) {
      const column = columnNamed(table, name)
      row.set(name, column.nullable && rng.chance(0.2) ? null : keyCell(rng, column, i + 1000))
    }
    rows.push(row)
  }
  return rng.shuffle(rows)
}

function rowCount(rng: Rng, table: Table, tables: readonly Table[]): number {
  const isNeeded = tables.some((child) =>
    child.foreignKeys.some(
      (key) => key.target === table.collection && key.columns.some((name) => !columnNamed(child, name).nullable),
    ),
  )
  const count = rng.weighted([
    [6, [0, 0]],
    [20, [1, 5]],
    [54, [6, 20]],
    [15, [21, 40]],
    [6, [106, 135]],
  ] as const)
  return Math.max(isNeeded ? 1 : 0, rng.int(count[0], count[1]))
}

function isInKey(table: Table, key: ForeignKey): boolean {
  return key.columns.every((name) => table.key.includes(name))
}

function columnNamed(table: Table, name: string): Column {
  return table.columns.find((column) => column.name === name)!
}

function keyCell(rng: Rng, { type }: Column, serial: number): Cell {
  if (type === 'integer') return serial + 1
  if (type === 'bigint') return BigInt(serial) + (serial % 3 === 0 ? 9007199254740993n : 1n)
  if (type === 'uuid') return randomUuid(rng)
  return `${randomText(rng)}${serial % 7}${String.fromCodePoint(97 + (serial % 26))}${serial}`
}

function copyReference(rng: Rng, key: ForeignKey, grid: Grid, row: Map<string, Cell>, firstShare = 0): void {
  const targets = (grid.get(key.target) ?? []).filter((target) =>
    key.targetColumns.every((name) => target.get(name) != null),
  )
  if (targets.length === 0) throw new Error(`nothing to refer to in ${key.target}`)
  // Few parents get many children; many get none.
  const spread = rng.chance(0.5) ? targets[Math.floor(rng.next() ** 2 * targets.length)]! : rng.pick(targets)
  const target = rng.chance(firstShare) ? targets[0]! : spread
  for (const [index, name] of key.columns.entries()) row.set(name, target.get(key.targetColumns[index]!)!)
}

interface Reference {
  readonly key: ForeignKey
  readonly canBeNull: boolean
  readonly nullShare: number
  /** The share of rows that reference the first row of the target. */
  readonly firstShare: number
}

function fillTable(rng: Rng, table: Table, grid: Grid): void {
  const rows = grid.get(table.collection)!
  const pools = new Map(table.columns.map((column) => [column.name, cellPool(rng, column)]))
  const nullShare = rng.pick([0.1, 0.3, 0.6])
  const references = table.foreignKeys
    .filter((key) => !isInKey(table, key))
    .map((key) => planReference(rng, table, key, rows.length, nullShare))
  for (const row of rows) {
    for (const reference of references) fillReference(rng, reference, grid, row)
    for (const column of table.columns) {
      if (row.has(column.name)) continue
      const isNull = column.nullable && rng.chance(nullShare)
      const isPooled = rng.chance(0.75)
      row.set(column.name, isNull ? null : isPooled ? rng.pick(pools.get(column.name)!) : randomCell(rng, column))
    }
  }
}

function planReference(rng: Rng, table: Table, key: ForeignKey, count: number, nullShare: number): Reference {
  const canBeNull = key.columns.every((name) => columnNamed(table, name).nullable)
  // One parent with more children than the default page size.
  const isCrowded = count > 100 && rng.chance(0.6)
  return isCrowded
    ? { key, canBeNull, nullShare: 0.01, firstShare: 0.98 }
    : { key, canBeNull, nullShare, firstShare: 0 }
}

function fillReference(rng: Rng, reference: Reference, grid: Grid, row: Map<string, Cell>): void {
  const { key, canBeNull, nullShare, firstShare } = reference
  const hasTarget = grid.get(key.target)!.some((target) => key.targetColumns.every((name) => target.get(name) != null))
  if (hasTarget) copyReference(rng, key, grid, row, firstShare)
  if (!hasTarget || (canBeNull && rng.chance(nullShare))) {
    // A composite reference counts as absent when any part is null.
    const isPartial = hasTarget && key.columns.length > 1 && rng.chance(0.3)
    for (const name of isPartial ? [rng.pick(key.columns)] : key.columns) row.set(name, null)
  }
}

/** Few values per column, so that rows tie in sorts. */
function cellPool(rng: Rng, column: Column): Cell[] {
  return Array.from({ length: rng.int(1, 6) }, () => randomCell(rng, column))
}

const CELLS: Readonly<Record<ColumnType, (rng: Rng, column: Column) => Exclude<Cell, null>>> = {
  integer: (rng) =>
    rng.weighted([
      [8, rng.int(-5, 20)],
      [1, rng.int(-100000, 100000)],
      [1, rng.pick([2147483647, -2147483648])],
    ]),
  bigint: (rng) =>
    rng.weighted([
      [6, BigInt(rng.int(-5, 20))],
      [2, 9007199254740993n + BigInt(rng.int(0, 3))],
      [1, -9223372036854775808n],
    ]),
  numeric: (rng) =>
    rng.weighted([
      [6, BigInt(rng.int(-8, 40)) * 2500n],
      [2, BigInt(rng.int(-99999, 99999))],
      [1, 999999999999n],
    ]),
  real: (rng) => rng.int(-40, 80) / 4,
  text: randomText,
  varchar: randomText,
  boolean: (rng) => rng.chance(0.5),
  date: randomDays,
  time: randomTime,
  timestamp: randomMoment,
  timestamptz: randomMoment,
  json: (rng) => ({ json: randomJson(rng, 2) }),
  jsonb: (rng) => ({ json: randomJson(rng, 2) }),
  uuid: randomUuid,
  'integer[]': (rng) => ({ json: randomList(rng, () => rng.int(-3, 9)) }),
  'text[]': (rng) => ({ json: randomList(rng, () => randomText(rng)) }),
  enum: (rng, column) => rng.pick(column.enumType!.values),
}

export function randomCell(rng: Rng, column: Column): Exclude<Cell, null> {
  return CELLS[column.type](rng, column)
}

function randomList(rng: Rng, item: () => Json): Json {
  return Array.from({ length: rng.int(0, 3) }, () => (rng.chance(0.15) ? null : item()))
}

function randomMoment(rng: Rng): number {
  return randomDays(rng) * MICROS_PER_DAY + randomTime(rng)
}

/** Includes days around the turn of the year, where week numbers are hardest. */
function randomDays(rng: Rng): number {
  if (rng.chance(0.4)) return daysOf(rng.int(2015, 2026), rng.pick([1, 12]), rng.pick([1, 2, 3, 4, 28, 29, 30, 31]))
  return rng.chance(0.1)
    ? daysOf(rng.int(1901, 1969), rng.int(1, 12), rng.int(1, 28))
    : daysOf(2024, rng.int(1, 4), rng.int(1, 9))
}

function randomTime(rng: Rng): number {
  const seconds = rng.weighted([
    [3, 0],
    [3, 86399],
    [6, rng.int(0, 23) * 3600],
    [4, rng.int(0, 86399)],
  ])
  const fraction = rng.weighted([
    [6, 0],
    [2, rng.int(1, 999) * 1000],
    [2, rng.int(1, 999999)],
  ])
  return seconds * MICROS_PER_SECOND + fraction
}

function randomJson(rng: Rng, depth: number): Json {
  const leaf = (): Json => rng.pick([null, true, false, 0, 7, -1.5, '', 'ʞ"x', `it's`])
  if (depth === 0) return leaf()
  const inner = (): Json => randomJson(rng, depth - 1)
  return rng.weighted<() => Json>([
    [3, leaf],
    [4, () => Array.from({ length: rng.int(0, 3) }, inner)],
    [3, () => Object.fromEntries(rng.sample(['a', 'b c', '__proto__', `q"'`], 0, 3).map((key) => [key, inner()]))],
  ])()
}
