import type { Cell, Column, Model, Row, Table } from './model.ts'
import { buildModel } from './rows.ts'

/** Databases that the random ones are made in. */
export const dialects = ['postgres', 'mysql', 'sqlite'] as const

export type PropertyDialect = (typeof dialects)[number]

/** Chosen for the whole process, before anything is made. */
export const chosenDialect = (): PropertyDialect =>
  dialects.find((name) => name === process.env['PROPERTY_DIALECT']) ?? 'postgres'

/** What a database calls its tables and columns: MariaDB has no names beyond the first plane, nor with a blank at the end. */
export const canBeName = (name: string): boolean =>
  chosenDialect() !== 'mysql' || (!/[\u{10000}-\u{10FFFF}]/u.test(name) && !name.endsWith(' '))

/** Types that only one database has become their next of kin, with the values that fit both. */
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
  // What has no order of its own in SQLite sorts as text.
  return column.type === 'enum' && chosenDialect() === 'sqlite'
    ? { ...column, type: 'varchar', enumType: null }
    : column
}

/** In MariaDB they have a version and a variant. */
export const fittedUuid = (uuid: string): string =>
  chosenDialect() === 'mysql' ? `${uuid.slice(0, 14)}4${uuid.slice(15, 19)}8${uuid.slice(20)}` : uuid

/** Points in time begin with 1970 in MariaDB. */
function fitCell(column: Column, cell: Cell): Cell {
  if (column.type === 'uuid' && typeof cell === 'string') return fittedUuid(cell)
  if (chosenDialect() !== 'mysql') return cell
  const seventyYears = 25_567 * 86_400_000_000
  return column.type === 'timestamptz' && typeof cell === 'number' && cell < 86_400_000_000 ? cell + seventyYears : cell
}
