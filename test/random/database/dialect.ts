import type { Cell, Column, Model, Row, Table } from './model.ts'
import { buildModel } from './rows.ts'

/** The databases that the random schemas are created in. */
export const dialects = ['postgres', 'mysql', 'sqlite'] as const

export type PropertyDialect = (typeof dialects)[number]

/** Chosen for the whole process, before any schema is generated. */
export function useDialect(dialect: PropertyDialect): void {
  process.env['PROPERTY_DIALECT'] = dialect
  // `createDatabase()` without an argument.
  process.env['SERVICE_DIALECT'] = dialect
}

export const chosenDialect = (): PropertyDialect =>
  dialects.find((name) => name === process.env['PROPERTY_DIALECT']) ?? 'postgres'

/** MariaDB rejects names with characters beyond the Basic Multilingual Plane and names that end with a space. */
export const canBeName = (name: string): boolean =>
  chosenDialect() !== 'mysql' || (!/[\u{10000}-\u{10FFFF}]/u.test(name) && !name.endsWith(' '))

/** Replaces types that only one database has with the closest common type, and keeps values that fit both. */
export function fitted(model: Model): Model {
  if (chosenDialect() === 'postgres') return model
  const tables = [...model.tables.values()].map((table): Table => ({
    ...table,
    schema: 'public',
    name: table.collection,
    columns: table.columns.map(fitColumn),
  }))
  const rows = [...model.tables.values()].map((table): [string, Row[]] => [
    table.collection,
    (model.rows.get(table.collection) ?? []).map(
      (row) => new Map(table.columns.map((column) => [column.name, fitCell(column, row.get(column.name) ?? null)])),
    ),
  ])
  return buildModel(model.enums, tables, new Map(rows))
}

const isDocument = ({ type }: Column) => type === 'jsonb' || type.endsWith('[]')

function fitColumn(column: Column): Column {
  if (isDocument(column)) return { ...column, type: 'json' }
  // SQLite has no enum order; enums sort as text there.
  return column.type === 'enum' && chosenDialect() === 'sqlite'
    ? { ...column, type: 'varchar', enumType: null }
    : column
}

/** MariaDB requires a version and a variant in a UUID. */
export const fittedUuid = (uuid: string): string =>
  chosenDialect() === 'mysql' ? `${uuid.slice(0, 14)}4${uuid.slice(15, 19)}8${uuid.slice(20)}` : uuid

/** MariaDB timestamps start in 1970. */
function fitCell(column: Column, cell: Cell): Cell {
  if (column.type === 'uuid' && typeof cell === 'string') return fittedUuid(cell)
  if (chosenDialect() !== 'mysql') return cell
  const seventyYears = 25_567 * 86_400_000_000
  return column.type === 'timestamptz' && typeof cell === 'number' && cell < 86_400_000_000 ? cell + seventyYears : cell
}
