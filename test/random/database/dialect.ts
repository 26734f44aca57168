import type { Cell, Column, Dialect, Model, Row, Table } from './model.ts'
import { buildModel } from './rows.ts'

/** MariaDB rejects names with characters beyond the Basic Multilingual Plane and names that end with a space. */
export const canBeName = (dialect: Dialect, name: string): boolean =>
  dialect !== 'mysql' || (!/[\u{10000}-\u{10FFFF}]/u.test(name) && !name.endsWith(' '))

/** Replaces types that only one database has with the closest common type, and keeps values that fit both. */
export function fitted(model: Model, dialect: Dialect): Model {
  if (dialect === 'postgres') return model
  const tables = [...model.tables.values()].map((table): Table => ({
    ...table,
    schema: 'public',
    name: table.collection,
    columns: table.columns.map((column) => fitColumn(dialect, column)),
  }))
  const rows = [...model.tables.values()].map((table): [string, Row[]] => [
    table.collection,
    (model.rows.get(table.collection) ?? []).map(
      (row) =>
        new Map(table.columns.map((column) => [column.name, fitCell(dialect, column, row.get(column.name) ?? null)])),
    ),
  ])
  return buildModel({ dialect, enums: model.enums }, tables, new Map(rows))
}

const isDocument = ({ type }: Column) => type === 'jsonb' || type.endsWith('[]')

function fitColumn(dialect: Dialect, column: Column): Column {
  if (isDocument(column)) return { ...column, type: 'json' }
  // SQLite has no enum order; enums sort as text there.
  return column.type === 'enum' && dialect === 'sqlite' ? { ...column, type: 'varchar', enumType: null } : column
}

/** MariaDB requires a version and a variant in a UUID. */
export const fittedUuid = (dialect: Dialect, uuid: string): string =>
  dialect === 'mysql' ? `${uuid.slice(0, 14)}4${uuid.slice(15, 19)}8${uuid.slice(20)}` : uuid

/** MariaDB timestamps start in 1970. */
function fitCell(dialect: Dialect, column: Column, cell: Cell): Cell {
  if (column.type === 'uuid' && typeof cell === 'string') return fittedUuid(dialect, cell)
  if (dialect !== 'mysql') return cell
  const seventyYears = 25_567 * 86_400_000_000
  return column.type === 'timestamptz' && typeof cell === 'number' && cell < 86_400_000_000 ? cell + seventyYears : cell
}
