import { columnOf, relationsOf, type Schema, type Table as WriteTable } from './schema.ts'
import { isMade, type Row as WriteRow, rowsOf, type State, valueOf } from './state.ts'
import { daysOf } from '../database/clock.ts'
import type { AnyRelation, Cell, Column, Model, Relation, Row, Table } from '../database/model.ts'
import { parseNumeric } from '../database/values.ts'

/** The rows of the write model in the form of the read interpreter, with a map between the two. */
export interface Converted {
  readonly model: Model
  readonly rowOf: ReadonlyMap<number, Row>
}

const known = new WeakMap<State, Converted>()

export function convert(schema: Schema, state: State): Converted {
  const before = known.get(state)
  if (before !== undefined) return before
  const made = convertState(schema, state)
  known.set(state, made)
  return made
}

/** The same for a state that is still changing; the result is not cached. */
export function convertState(schema: Schema, state: State): Converted {
  const rowOf = new Map<number, Row>()
  const rows = [...schema.tables.values()].map((table): [string, Row[]] => [
    table.name,
    rowsOf(state, table.name).map((row) => {
      const converted = convertRow(table, row)
      rowOf.set(row.id, converted)
      return converted
    }),
  ])
  const anys = [...schema.tables.values()].flatMap(({ name, any }): [string, AnyRelation][] =>
    any === null ? [] : [[name, { field: any.column, collectionColumn: any.collectionColumn, allowed: any.allowed }]],
  )
  const model: Model = {
    dialect: schema.dialect,
    enums: [],
    tables: new Map([...schema.tables.values()].map((table) => [table.name, convertTable(table)])),
    rows: new Map(rows),
    relations: new Map([...schema.tables.keys()].map((name) => [name, convertRelations(schema, name)])),
    anys: new Map(anys),
  }
  return { model, rowOf }
}

function convertTable({ name, columns, key, uniques, foreignKeys }: WriteTable): Table {
  return {
    schema: 'public',
    name,
    collection: name,
    columns: columns.map((column): Column => ({
      name: column.name,
      type: column.type,
      nullable: column.nullable,
      identity: column.fill === 'counter',
      enumType: null,
    })),
    key,
    uniques: uniques.flatMap((names) => (names.length === 1 ? names : [])),
    foreignKeys,
  }
}

function convertRelations(schema: Schema, name: string): Map<string, Relation> {
  const relations = [...relationsOf(schema, name).values()].flatMap((relation): Relation[] => {
    const { field } = relation
    switch (relation.kind) {
      case 'one': {
        const link = { near: relation.columns, far: relation.targetColumns }
        return [{ kind: 'one', field, target: relation.target, link, isColumn: relation.columns.length === 1 }]
      }
      case 'many': {
        const link = { near: relation.columns, far: relation.childColumns }
        const isDeclared = schema.tables
          .get(relation.child)
          ?.foreignKeys.some(({ target, declared }) => target === name && declared?.field === field)
        return [{ kind: 'many', field, target: relation.child, link, ...(isDeclared === true ? { isDeclared } : {}) }]
      }
      case 'through': {
        const { target, junction, columns, nearColumns, farColumns, targetColumns } = relation
        const link = { near: columns, far: nearColumns }
        return [{ kind: 'through', field, target, junction, link, onward: { near: farColumns, far: targetColumns } }]
      }
      case 'any':
        return []
    }
  })
  return new Map(relations.map((relation) => [relation.field, relation]))
}

function convertRow(table: WriteTable, row: WriteRow): Row {
  return new Map(table.columns.map(({ name }) => [name, convertCell(table, name, row)]))
}

/** Values that the database has not generated yet are null. */
function convertCell(table: WriteTable, name: string, row: WriteRow): Cell {
  const value = valueOf(row, name)
  if (value === null || isMade(value)) return null
  switch (columnOf(table, name)?.type) {
    case 'integer':
      return Number(value)
    case 'bigint':
      return BigInt(value)
    case 'numeric':
      return parseNumeric(value)
    case 'boolean':
      return value === 'true'
    case 'date': {
      const [year = 0, month = 0, day = 0] = value.split('-').map(Number)
      return daysOf(year, month, day)
    }
    default:
      return value
  }
}
