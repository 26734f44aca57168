import { exportFormats } from '@tain/contract'
import type { Query, Selection } from '../random/reads/ast.ts'
import {
  columnOf,
  type Column,
  type ColumnType,
  type Json,
  type Model,
  type Table,
  tableOf,
  relationOf,
} from '../random/database/model.ts'
import { randomQuery } from '../random/reads/query.ts'
import type { Rng } from '../random/rng.ts'
import { randomCell } from '../random/database/rows.ts'
import { toJson } from '../random/database/values.ts'
import { toJsonParameters, toWire } from '../random/reads/wire.ts'

export interface RandomRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Rows as the service returns them. */
export type WireRow = Readonly<Record<string, unknown>>

/** What requests are made of: the tables, and the rows that are there now. */
export interface Making {
  readonly rng: Rng
  readonly model: Model
  readonly rows: ReadonlyMap<string, readonly WireRow[]>
}

const WRONG = 0.15
const LONGEST_ADDRESS = 12_000

const addressOf = ({ collection }: Table) => `/items/${encodeURIComponent(collection)}`

/** A random request; most are valid, some are refused. */
export function randomRequest(making: Making): RandomRequest {
  const table = making.rng.pick([...making.model.tables.values()])
  const make = making.rng.weighted<(making: Making, table: Table) => RandomRequest>([
    [6, readList],
    [2, readByKey],
    [1, exportList],
    [2, wrongRead],
    [4, createOne],
    [2, createMany],
    [4, updateOne],
    [2, updateSeveral],
    [1, updateEach],
    [2, upsert],
    [1, deleteOne],
    [1, deleteSeveral],
  ])
  return make(making, table)
}

/** Whether a related row is left out of its row by a condition on it. */
const leavesOut = (model: Model, collection: string, fields: readonly Selection[]): boolean =>
  fields.some((field) => {
    if (field.kind !== 'relation') return false
    const { kind, target } = relationOf(model, collection, field.field)
    const isLeft = kind === 'one' && (field.deep.filter !== undefined || field.deep.search !== undefined)
    return isLeft || leavesOut(model, target, field.fields ?? [])
  })

/**
 * What the document says nothing of, because it describes rows: groups by the field of a related row, and related rows
 * that a condition leaves out. Both show null in place of a value that no row lacks.
 */
function plainQuery({ rng, model }: Making): Query {
  for (;;) {
    const query = randomQuery(rng, model)
    const hasPath = query.grouping?.groupBy.some(({ path }) => path.length > 0) === true
    if (!hasPath && !leavesOut(model, query.collection, query.fields ?? [])) return query
  }
}

function readList(making: Making): RandomRequest {
  const { rng, model } = making
  const query = plainQuery(making)
  const path = addressOf(tableOf(model, query.collection))
  const wire = toWire(model, query)
  const parameters = toJsonParameters(wire)
  if (parameters.length < LONGEST_ADDRESS && rng.chance(0.5)) return { method: 'GET', path: `${path}?${parameters}` }
  return { method: rng.pick(['SEARCH', 'QUERY']), path, body: { query: wire } }
}

function keyText({ rng, rows }: Making, table: Table): string {
  const row = rng.chance(WRONG) ? undefined : rowOf(rng, rows.get(table.collection) ?? [])
  const parts = table.key.map((name) => (row === undefined ? '123456' : String(row[name])))
  return parts.length === 0 ? '1' : parts.map(encodeURIComponent).join(',')
}

const rowOf = (rng: Rng, rows: readonly WireRow[]) => (rows.length === 0 ? undefined : rng.pick(rows))

const atKey = (making: Making, table: Table) => `${addressOf(table)}/${keyText(making, table)}`

const readByKey = (making: Making, table: Table): RandomRequest => ({
  method: 'GET',
  path: `${atKey(making, table)}?fields=${making.rng.pick(['*', '*.*', '*.*.*'])}`,
})

const exportList = ({ rng }: Making, table: Table): RandomRequest => ({
  method: 'GET',
  path: `${addressOf(table)}?limit=5&export=${rng.pick(Object.keys(exportFormats))}`,
})

const wrongRead = ({ rng }: Making, table: Table): RandomRequest => ({
  method: 'GET',
  path: `${addressOf(table)}?${rng.pick(['fields=nowhere', 'filter={', 'limit=-7', 'sort=nowhere', 'wrong=1', 'filter={"nowhere":{"_eq":1}}'].map(encodeURI))}`,
})

/** Columns in which an object is stored, as JSON or as its text. */
const takesAnything: ReadonlySet<ColumnType> = new Set(['text', 'varchar', 'json', 'jsonb'])

function valueFor({ rng }: Making, column: Column): Json {
  if (column.nullable && rng.chance(0.2)) return null
  return rng.chance(WRONG / 8) && !takesAnything.has(column.type)
    ? { no: 'value' }
    : toJson(column.type, randomCell(rng, column))
}

/** Values for some columns; references are those of rows that are there. */
function payloadFor(making: Making, table: Table, share: number): Readonly<Record<string, unknown>> {
  const { rng, rows } = making
  const entries = table.columns
    .filter(({ identity }) => !identity)
    .filter(({ nullable }) => rng.chance(nullable ? share : Math.max(share, 0.9)))
    .map((column): [string, unknown] => [column.name, valueFor(making, column)])
  const values = new Map(entries)
  for (const { columns, target, targetColumns } of table.foreignKeys) {
    const row = rowOf(rng, rows.get(target) ?? [])
    for (const [at, name] of columns.entries())
      if (values.has(name) && (row !== undefined || columnOf(table, name).nullable))
        values.set(name, row?.[targetColumns[at] ?? ''] ?? null)
  }
  if (rng.chance(WRONG / 4)) values.set('nowhere', 1)
  return Object.fromEntries(values)
}

const some = <T>({ rng }: Making, make: () => T): T[] => Array.from({ length: rng.int(1, 3) }, make)

const createOne = (making: Making, table: Table): RandomRequest => ({
  method: 'POST',
  path: `${addressOf(table)}${making.rng.pick(['', '?fields=*.*', '?fields=*'])}`,
  body: payloadFor(making, table, 0.8),
})

const createMany = (making: Making, table: Table): RandomRequest => ({
  method: 'POST',
  path: addressOf(table),
  body: some(making, () => payloadFor(making, table, 0.8)),
})

/** Changes leave the key alone: what a key may become is no matter of the document. */
function changesFor(making: Making, table: Table): Readonly<Record<string, unknown>> {
  const entries = Object.entries(payloadFor(making, table, 0.3)).filter(([name]) => !table.key.includes(name))
  return Object.fromEntries(making.rng.sample(entries, 0, 3))
}

const updateOne = (making: Making, table: Table): RandomRequest => ({
  method: 'PATCH',
  path: `${atKey(making, table)}${making.rng.pick(['', '?fields=*.*'])}`,
  body: changesFor(making, table),
})

const plainKey = (table: Table, row: WireRow): unknown =>
  table.key.length === 1 ? row[table.key[0]!] : Object.fromEntries(table.key.map((name) => [name, row[name]]))

const keysOf = (making: Making, table: Table): readonly unknown[] =>
  making.rng.sample(making.rows.get(table.collection) ?? [], 0, 2).map((row) => plainKey(table, row))

const choiceOf = (making: Making, table: Table) =>
  making.rng.chance(0.5) ? { keys: keysOf(making, table) } : { all: true, query: { limit: 2, filter: {} } }

const updateSeveral = (making: Making, table: Table): RandomRequest => ({
  method: 'PATCH',
  path: addressOf(table),
  body: { ...choiceOf(making, table), data: changesFor(making, table) },
})

function keyed(making: Making, table: Table): Readonly<Record<string, unknown>> {
  const row = rowOf(making.rng, making.rows.get(table.collection) ?? [])
  const key = row === undefined ? [] : table.key.map((name) => [name, row[name]] as const)
  return { ...changesFor(making, table), ...Object.fromEntries(key) }
}

const updateEach = (making: Making, table: Table): RandomRequest => ({
  method: 'PATCH',
  path: addressOf(table),
  body: some(making, () => keyed(making, table)),
})

const upsert = (making: Making, table: Table): RandomRequest =>
  making.rng.chance(0.5)
    ? { method: 'PUT', path: atKey(making, table), body: changesFor(making, table) }
    : { method: 'PUT', path: addressOf(table), body: some(making, () => keyed(making, table)) }

const deleteOne = (making: Making, table: Table): RandomRequest => ({ method: 'DELETE', path: atKey(making, table) })

const deleteSeveral = (making: Making, table: Table): RandomRequest => ({
  method: 'DELETE',
  path: addressOf(table),
  body: making.rng.chance(0.5) ? keysOf(making, table) : choiceOf(making, table),
})
