import type { FieldType } from '@tain/contract'
import type { BulkStatements, Images, Recordset, Returned } from '../../bulk.ts'
import type { TypedColumn } from '../../dialect.ts'
import { allOf, column, list, sql, type Sql } from '../../sql.ts'
import { cellName, columnNames, createMove, imageName, jsonBind, ordersOf, placeName } from '../base/bulk.ts'
import { jsonObject } from './json.ts'
import { storedMoment } from './moments.ts'
import { comparableOf } from './operators.ts'
import { formOf } from './values.ts'

/** A cell of the set in the form that its column stores. The column's affinity converts texts to numbers. */
function cell({ type, column: stored }: TypedColumn, index: number): Sql {
  const { baseType } = stored
  const path = sql.lit(`$.${cellName(index)}`)
  // A document is stored as its text, and a JSON null as NULL.
  if (type === 'json' && baseType === 'json') return sql`nullif(value -> ${path}, 'null')`
  const value = sql`value ->> ${path}`
  if (type === 'timestamp') return storedMoment(value, stored)
  return type === 'binary' ? sql`unhex(substr(${value}, 3))` : value
}

/** The set as a table: `f0, f1, …, n`, where n is the row's position. */
function rowsOf({ columns, parameter }: Recordset, alias: string): Sql {
  const cells = columns.map((stored, index) => sql`${cell(stored, index)} as ${sql.id(cellName(index))}`)
  return sql`(select ${list([...cells, sql`key + 1 as n`])} from json_each(${jsonBind(parameter)})) as ${sql.id(alias)}`
}

const numbers: Partial<Readonly<Record<FieldType, Sql>>> = {
  integer: sql`integer`,
  bigInteger: sql`integer`,
  boolean: sql`integer`,
  float: sql`real`,
  decimal: sql`numeric`,
}

/** A value without a column has no affinity: it gets the type that its column would give it. */
function imageOf(stored: TypedColumn, index: number): Sql {
  const value = cell(stored, index)
  if (stored.type === 'binary') return value
  return sql`cast(${value} as ${numbers[stored.type] ?? sql`text`})`
}

function imagesOf(_: Sql, set: Recordset, alias: string): Images {
  const place = placeName(set)
  const values = set.columns.map((stored, index) => sql`${imageOf(stored, index)} as ${sql.id(stored.name)}`)
  const images = sql`select ${list([...values, sql`key + 1 as ${sql.id(place)}`])} from json_each(${jsonBind(set.parameter)})`
  return { from: sql`(${images}) as ${sql.id(alias)}`, place: column(alias, place) }
}

/** The returned parts of a row. A writing statement knows its table only by its own name, so no alias is used. */
const returnedSql = ({ columns, row }: Returned, columnOf: (name: string) => Sql): Sql[] => [
  ...columns.map(columnOf),
  ...(row === null ? [] : [snapshotOf(row.columns, columnOf)]),
]

/** The whole row as JSON, with its values as responses show them. */
const snapshotOf = (row: readonly TypedColumn[], columnOf: (name: string) => Sql): Sql =>
  jsonObject(
    row.map((stored) => ({
      name: stored.name,
      isCatalogueName: true,
      value: formOf({ ...stored, isConcealed: false }).json(columnOf(stored.name)),
    })),
  )

const returningOf = (returned: Returned): Sql => {
  const parts = returnedSql(returned, (target) => sql.id(target))
  return parts.length === 0 ? sql`` : sql` returning ${list(parts)}`
}

const insertFrom = (table: Sql, set: Recordset): Sql => {
  const values = list(set.columns.map((_, index) => column('x', cellName(index))))
  return set.columns.length === 0
    ? sql`insert into ${table} default values`
    : sql`insert into ${table} (${columnNames(set)}) select ${values} from ${rowsOf(set, 'x')} where true order by x.n`
}

const times = new Set<FieldType>(['timestamp', 'dateTime', 'time'])

/**
 * Times are stored in several forms, so they are compared in one. Other values are compared as stored, by their index.
 */
const comparable = (value: Sql, stored: TypedColumn): Sql =>
  times.has(stored.type) ? comparableOf(value, stored) : value

const isSame = (left: Sql, right: Sql, stored: TypedColumn): Sql =>
  sql`${comparable(left, stored)} = ${comparable(right, stored)}`

const matching = (alias: string, columns: readonly TypedColumn[], source: string): Sql =>
  allOf(columns.map((stored, index) => isSame(column(alias, stored.name), column(source, cellName(index)), stored)))

/** Rows whose columns are in a set: the set is read once for any number of rows. */
const isAmong = (names: readonly Sql[], set: Recordset, alias: string): Sql => {
  const alike = (value: Sql, index: number) => {
    const stored = set.columns[index]
    return stored === undefined ? value : comparable(value, stored)
  }
  const wanted = list(names.map((_, index) => alike(column(alias, cellName(index)), index)))
  return sql`(${list(names.map(alike))}) in (select ${wanted} from ${rowsOf(set, alias)})`
}

/**
 * A time keeps the form of the stored one: other programs may read only that form. An unchanged time stays as it is, and a
 * number stays a number of its unit.
 */
const assigned = (stored: TypedColumn, value: Sql): Sql => {
  if (!times.has(stored.type)) return value
  const current = column('t', stored.name)
  const unchanged = sql`when ${isSame(current, value, stored)} then ${current}`
  if (stored.type === 'time' || stored.column.epoch !== undefined) return sql`case ${unchanged} else ${value} end`
  return sql`case ${unchanged} when typeof(${current}) in ('integer', 'real') then tain_number_like(${value}, ${current}) else ${value} end`
}

const leavesOf = (
  columnOf: (name: string) => Sql,
  {
    set,
    match,
    kept,
    keptMatch,
  }: Pick<Parameters<BulkStatements['remove']>[0], 'set' | 'match' | 'kept' | 'keptMatch'>,
): Sql => {
  const isChild = isAmong(match.map(columnOf), set, 'p')
  if (kept === null) return isChild
  return sql`${isChild} and not ${isAmong(keptMatch.map(columnOf), kept, 'k')}`
}

/** Each row is looked up by its current key, which may be one of the values that were set. */
function changedRows(table: Sql, set: Recordset, keys: number, returned: Returned): Sql {
  const placeOf = (key: string, index: number) => {
    const changed = set.columns.findLastIndex((stored, at) => at >= keys && stored.name === key)
    return changed === -1 ? index : changed
  }
  const on = set.columns
    .slice(0, keys)
    .map((stored, index) =>
      isSame(column('t', stored.name), column('x', cellName(placeOf(stored.name, index))), stored),
    )
  const selected = list([sql`x.n`, ...returnedSql(returned, (target) => column('t', target))])
  // Rows that a trigger skipped match too, unchanged. In that case no row is returned.
  const isWhole = sql`changes() = json_array_length(${jsonBind(set.parameter)})`
  return sql`select ${selected} from ${rowsOf(set, 'x')} join ${table} as t on ${allOf(on)} where ${isWhole}`
}

const move = createMove({
  rowsOf,
  equal: isSame,
  holdsForAny: (condition) => sql`max(${condition})`,
  placed: sql`placed as materialized`,
  differs: sql`is not`,
})

/** A writing transaction runs alone, so there is nothing to lock: the lock statements only read. */
export const bulk: BulkStatements = {
  rowsOf,
  imagesOf,
  imageName,
  matches: matching,
  insert: (table, set, returned) => sql`${insertFrom(table, set)}${returningOf(returned)}`,
  insertsEach: () => false,
  namesTriggered: false,
  insertMissing: (table, set) => sql`${insertFrom(table, set)} on conflict do nothing`,
  update: (table, set, keys, returned) => {
    const assignments = set.columns
      .slice(keys)
      .map((stored, index) => sql`${sql.id(stored.name)} = ${assigned(stored, column('x', cellName(index + keys)))}`)
    const found = matching('t', set.columns.slice(0, keys), 'x')
    // RETURNING of an UPDATE cannot refer to the set, so rows are looked up again.
    return [
      sql`update ${table} as t set ${list(assignments)} from ${rowsOf(set, 'x')} where ${found}`,
      changedRows(table, set, keys, returned),
    ]
  },
  rowJson: ({ columns }, alias) => snapshotOf(columns, (name) => column(alias, name)),
  lock: (table, set, select, alias) => {
    const order = list(set.columns.map((stored) => column(alias, stored.name)))
    return sql`select ${list([sql`x.n`, ...select])} from ${rowsOf(set, 'x')} join ${table} as ${sql.id(alias)} on ${matching(alias, set.columns, 'x')} order by ${order}`
  },
  find: (table, set, select) => {
    const selected = list([sql`x.n`, ...select.map((target) => column('t', target))])
    return sql`select ${selected} from ${rowsOf(set, 'x')} join ${table} as t on ${matching('t', set.columns, 'x')}`
  },
  largest: (table, set, target) =>
    sql`select ${ordersOf(target)} from ${rowsOf(set, 'x')} join ${table} as t on ${matching('t', set.columns, 'x')} group by x.n`,
  leaving: ({ table, key, select = [], alias, ...removal }) => {
    const keys = list(key.map((part) => column(alias, part)))
    return sql`select ${list([keys, ...select])} from ${table} as ${sql.id(alias)}
      where ${leavesOf((target) => column(alias, target), removal)} order by ${keys}`
  },
  remove: ({ table, nullify, returned, ...removal }) => {
    const leaves = leavesOf((target) => sql.id(target), removal)
    // RETURNING of a DELETE omits rows that followed others of the same set, so all rows are selected first.
    if (nullify === null) {
      const gone = list(returnedSql(returned, (target) => sql.id(target)))
      const rows = sql`select ${gone} from ${table} where ${leaves}`
      // Rows that a trigger skipped are returned a second time.
      return [rows, sql`delete from ${table} where ${leaves}`, rows]
    }
    const assignments = list(nullify.map((target) => sql`${sql.id(target)} = null`))
    return sql`update ${table} set ${assignments} where ${leaves}${returningOf(returned)}`
  },
  insertTree: null,
  lockAll: (table) => sql`select count(*) from ${table}`,
  move,
  // A counter continues after the largest key that exists or ever existed.
  advance: () => sql`select 1`,
}
