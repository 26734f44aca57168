import type { Cell, Column, Model, Row, Table } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import { randomCell } from '../database/rows.ts'
import { randomUuid } from '../database/texts.ts'
import { identityOf } from '../database/values.ts'
import type { Permission, Rights, EffectivePermissions } from '../rights/rights.ts'
import { createView, type View } from '../rights/view.ts'

const ATTEMPTS = 25

/** Two databases that look the same to one caller. */
export interface Twins {
  readonly one: Model
  readonly other: Model
  /** The number of differences. */
  readonly differences: number
}

/** Changes data hidden from the caller: masked cells and hidden rows. Reverts every change that a rule would notice. */
export function makeTwins(rng: Rng, model: Model, rights: Rights, effective: EffectivePermissions): Twins {
  const original = createView(model, rights, effective)
  const permissions = effective.policies
    .flatMap((policy) => policy.permissions)
    .filter(({ action }) => action !== 'create')
  let other = model
  let origins = new Map<Row, Row>([...model.rows.values()].flat().map((row) => [row, row]))
  let differences = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const change = randomChange(rng, createView(other, rights, effective))
    if (change === null) continue
    const next = withRows(other, change.collection, change.rows)
    const traced = traceOrigins(origins, change)
    const view = createView(next, rights, effective)
    if (!looksTheSame(original, view, permissions, traced)) continue
    ;[other, origins, differences] = [next, traced, differences + 1]
  }
  return { one: model, other, differences }
}

interface Change {
  readonly collection: string
  readonly rows: readonly Row[]
  /** Maps each new row to the row it replaces; added rows are missing here. */
  readonly replaced: ReadonlyMap<Row, Row>
}

const withRows = (model: Model, collection: string, rows: readonly Row[]): Model => ({
  ...model,
  rows: new Map([...model.rows, [collection, rows]]),
})

function traceOrigins(origins: ReadonlyMap<Row, Row>, { rows, replaced }: Change): Map<Row, Row> {
  const traced = new Map(origins)
  for (const [row, before] of replaced) {
    const origin = origins.get(before)
    if (origin !== undefined) traced.set(row, origin)
  }
  void rows
  return traced
}

/** Every rule matches the same rows on both sides, and no row that exists on only one side. */
function looksTheSame(
  original: View,
  view: View,
  permissions: readonly Permission[],
  origins: ReadonlyMap<Row, Row>,
): boolean {
  return permissions.every((permission) => {
    const now = view.model.rows.get(permission.collection)!
    const left = new Set(original.model.rows.get(permission.collection))
    for (const row of now) {
      const origin = origins.get(row)
      if (origin !== undefined) left.delete(origin)
      const was = origin !== undefined && original.holds(permission, origin)
      if (view.holds(permission, row) !== was) return false
    }
    return [...left].every((row) => !original.holds(permission, row))
  })
}

function randomChange(rng: Rng, view: View): Change | null {
  const { model } = view
  const tables = [...model.tables.values()].filter(({ collection }) => model.rows.get(collection)!.length > 0)
  if (tables.length === 0) return null
  const table = rng.pick(tables)
  const rows = model.rows.get(table.collection)!
  const row = rng.pick(rows)
  const isHidden = view.effective.isAdmin ? false : !view.isVisible(table.collection, row)
  if (isHidden && rng.chance(0.35))
    return rng.chance(0.5) ? addCopy(rng, model, table, row) : dropRow(model, table, row)
  return changeCell(rng, view, table, row, isHidden)
}

const isReferred = (model: Model, { collection }: Table, name: string): boolean =>
  [...model.tables.values()].some(({ foreignKeys }) =>
    foreignKeys.some(({ target, targetColumns }) => target === collection && targetColumns.includes(name)),
  )

function changeCell(rng: Rng, view: View, table: Table, row: Row, isHidden: boolean): Change | null {
  const { model } = view
  const { collection, columns, key, uniques } = table
  const open = columns.filter(
    ({ name }) =>
      !key.includes(name) &&
      !uniques.includes(name) &&
      !isReferred(model, table, name) &&
      (isHidden || !view.sees(collection, row, name)) &&
      canMove(model, table, name, isHidden),
  )
  if (open.length === 0) return null
  const column = rng.pick(open)
  const changed = new Map(row).set(column.name, otherCell(rng, model, table, column))
  const rows = model.rows.get(collection)!.map((other) => (other === row ? changed : other))
  return { collection, rows, replaced: new Map([[changed, row]]) }
}

/** A declared list shows its rows even if the caller cannot read their foreign key. */
function canMove(model: Model, { collection, foreignKeys }: Table, name: string, isHidden: boolean): boolean {
  const key = foreignKeys.find(({ columns }) => columns.includes(name))
  if (key === undefined) return true
  if (key.columns.length > 1) return false
  const reverse = [...model.relations.get(key.target)!.values()].find(
    (relation) => relation.kind === 'many' && relation.target === collection && relation.link.far[0] === name,
  )
  return isHidden || (reverse?.kind === 'many' && reverse.isDeclared !== true)
}

function otherCell(rng: Rng, model: Model, { foreignKeys }: Table, column: Column): Cell {
  if (column.nullable && rng.chance(0.2)) return null
  const key = foreignKeys.find(({ columns }) => columns.includes(column.name))
  if (key === undefined) return randomCell(rng, column)
  const targets = model.rows.get(key.target)!.flatMap((row) => row.get(key.targetColumns[0]!) ?? [])
  return targets.length === 0 ? null : rng.pick(targets)
}

/** Duplicates the row under another key. */
function addCopy(rng: Rng, model: Model, table: Table, row: Row): Change | null {
  const { collection, key, uniques, columns, foreignKeys } = table
  if (key.length !== 1 || foreignKeys.some((foreignKey) => foreignKey.columns.includes(key[0]!))) return null
  const copy = new Map(row)
  for (const name of [...key, ...uniques]) {
    const column = columns.find((candidate) => candidate.name === name)!
    if (foreignKeys.some((foreignKey) => foreignKey.columns.includes(name))) return null
    copy.set(name, freshCell(rng, column))
  }
  const taken = new Set(model.rows.get(collection)!.map((other) => identityOf(other.get(key[0]!)!)))
  if (taken.has(identityOf(copy.get(key[0]!)!))) return null
  return { collection, rows: [...model.rows.get(collection)!, copy], replaced: new Map() }
}

function freshCell(rng: Rng, { type }: Column): Cell {
  const number = rng.int(500_000, 900_000)
  if (type === 'integer') return number
  if (type === 'bigint') return BigInt(number)
  return type === 'uuid' ? randomUuid(rng) : `fresh ${number}`
}

/** Drops only rows that no other row references. */
function dropRow(model: Model, table: Table, row: Row): Change | null {
  const { collection } = table
  const isNeeded = [...model.tables.values()].some((child) =>
    child.foreignKeys.some(
      ({ target, columns, targetColumns }) =>
        target === collection &&
        model.rows.get(child.collection)!.some((other) =>
          columns.every((name, index) => {
            const value = other.get(name) ?? null
            return value !== null && identityOf(value) === identityOf(row.get(targetColumns[index]!) ?? null)
          }),
        ),
    ),
  )
  if (isNeeded) return null
  return { collection, rows: model.rows.get(collection)!.filter((other) => other !== row), replaced: new Map() }
}
