import type { Rng } from '../rng.ts'
import { type Column, type ForeignKey, type Schema, type Table, tableOf } from './schema.ts'
import { emptyState, findRow, newRow, type Row, rowsOf, type State, type Value, valueOf, valuesOf } from './state.ts'

const ROWS = 4

/** The initial rows of a schema: all valid, some linked to each other. */
export function startState(rng: Rng, schema: Schema): State {
  const state = emptyState(schema)
  for (const table of schema.tables.values()) {
    const count = rng.int(2, ROWS)
    for (let index = 0; index < count; index++) addStart(rng, schema, state, table, index)
  }
  for (const table of schema.tables.values())
    for (const row of rowsOf(state, table.name)) linkLater(rng, state, table, row)
  return state
}

const isLater = (state: State, table: Table, { target }: ForeignKey): boolean =>
  target === table.name || rowsOf(state, target).length === 0

function addStart(rng: Rng, schema: Schema, state: State, table: Table, index: number): void {
  const values = new Map<string, Value>(
    table.columns.map((column) => [column.name, startValue(rng, table, column, index)]),
  )
  for (const key of table.foreignKeys) {
    const isNullable = key.columns.every(
      (name) => table.columns.find((column) => column.name === name)?.nullable === true,
    )
    const isEmpty = isLater(state, table, key) || (isNullable && rng.chance(0.25))
    const to = isEmpty ? null : rng.pick(rowsOf(state, key.target))
    for (const [at, name] of key.columns.entries())
      values.set(name, to === null ? null : valueOf(to, key.targetColumns[at] ?? ''))
  }
  if (table.any !== null) {
    const to = tableOf(schema, rng.pick(table.any.allowed))
    const row = rng.pick(rowsOf(state, to.name))
    values.set(table.any.collectionColumn, to.name)
    values.set(table.any.column, valueOf(row, to.key[0] ?? ''))
  }
  const row = newRow(values)
  const key = valuesOf(row, table.key)
  if (!key.includes(null) && findRow(state, table.name, table.key, key) === undefined)
    rowsOf(state, table.name).push(row)
}

function linkLater(rng: Rng, state: State, table: Table, row: Row): void {
  for (const { columns, target, targetColumns } of table.foreignKeys) {
    const rows = rowsOf(state, target)
    if (valuesOf(row, columns).every((value) => value !== null) || rows.length === 0 || rng.chance(0.5)) continue
    const to = rng.pick(rows)
    for (const [at, name] of columns.entries()) row.values.set(name, valueOf(to, targetColumns[at] ?? ''))
  }
}

function startValue(rng: Rng, table: Table, column: Column, index: number): string | null {
  const isKey = table.key.includes(column.name)
  const isUnique = isKey || table.uniques.some((unique) => unique.includes(column.name))
  if (column.nullable && !isUnique && rng.chance(0.2)) return null
  const number = index + 1
  switch (column.type) {
    case 'integer':
    case 'bigint':
      return String(isUnique ? number : rng.int(0, 5))
    case 'numeric':
      return `${rng.int(0, 9)}.50`
    case 'boolean':
      return String(rng.chance(0.5))
    case 'date':
      return '2024-05-06'
    case 'uuid':
      return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    case 'text':
    case 'varchar':
      return column.name === 'label' ? `s${number}` : isUnique ? `u${number}` : rng.pick(['x', 'y', ''])
  }
}
