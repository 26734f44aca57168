import { invalidPayload } from '@tain/contract'
import { placeholder } from '../../bind.ts'
import type { BulkStatements, Images, Recordset, Returned } from '../../bulk.ts'
import type { TypedColumn } from '../../dialect.ts'
import { allOf, column, list, sql, type Sql } from '../../sql.ts'
import { cellName, columnNames, imageName, namesOf, ordersOf, placeName } from '../base/bulk.ts'
import type { Server } from './capabilities.ts'
import { jsonObject } from './json.ts'
import { cell, jsonTable, keyCell, keyText, rowsOf } from './recordset.ts'
import { storedRow } from './stored-row.ts'

const WRITTEN = 't'

const cells = ({ columns }: Recordset, alias: string): Sql[] =>
  columns.map((stored, index) => cell(alias, stored, index))

const insertFrom = (table: Sql, set: Recordset): Sql =>
  set.columns.length === 0
    ? sql`into ${table} () values ()`
    : sql`into ${table} (${columnNames(set)}) select ${list(cells(set, 'x'))} from ${rowsOf(set, 'x')} order by x.n`

const named = (names: readonly string[], of: (name: string) => Sql, { row }: Returned): Sql[] => [
  ...names.map(of),
  ...(row === null ? [] : [storedRow(row.columns, of)]),
]

/** The returned parts of a row under an alias. An INSERT has no alias for its table. */
const returnedAs = (returned: Returned, alias: string | null): Sql[] =>
  named(returned.columns, (name) => (alias === null ? sql.id(name) : column(alias, name)), returned)

const matching = (
  alias: string,
  names: readonly string[],
  { columns }: Pick<Recordset, 'columns'>,
  source: string,
): Sql =>
  allOf(
    names.map((target, index) => {
      const stored = columns[index]
      const value = stored === undefined ? column(source, cellName(index)) : keyCell(source, stored, index)
      return sql`${column(alias, target)} = ${value}`
    }),
  )

/** Matches a child of a parent in the set `p` that is not among the kept children. */
const leavesOf = (
  alias: string,
  set: Recordset,
  match: readonly string[],
  kept: Recordset | null,
  keptMatch: readonly string[],
): Sql =>
  kept === null
    ? matching(alias, match, set, 'p')
    : sql`${matching(alias, match, set, 'p')} and not exists (select 1 from ${rowsOf(kept, 'k')} where ${matching(alias, keptMatch, kept, 'k')})`

/** The set comes first and the table follows by its index: otherwise the server would lock a short table row by row. */
const joined = (table: Sql, set: Recordset, source: string, alias: string, on: Sql): Sql =>
  sql`${rowsOf(set, source)} straight_join ${table} as ${sql.id(alias)} on ${on}`

/** A removal first records its rows here: afterwards they look like any other rows. */
const NOTED = sql`@tain_removed`

const notedKeys = (returned: Returned, key: readonly TypedColumn[], alias: string): Sql =>
  jsonObject(
    key.map((stored, index) => ({
      name: cellName(index),
      isCatalogueName: true,
      value: sql`json_quote(${keyText(column(alias, stored.name), stored)})`,
    })),
  )

/** Rows keep their values where possible, see `move` in the other dialects. */
function move(table: Sql, set: Recordset, order: string): Sql {
  const keys = namesOf(set)
  const sorted = list([sql`${column('t', order)} is null`, column('t', order), ...keys.map((key) => column('t', key))])
  const selected = list(keys.map((key, index) => sql`${column('t', key)} as ${sql.id(`k${index}`)}`))
  const k = (index: number) => `k${index}`
  const isKey = (alias: string, source: string) =>
    allOf(set.columns.map((stored, index) => sql`${column(alias, k(index))} = ${keyCell(source, stored, index)}`))
  const placeOf = (position: Sql) =>
    sql`(select o.n from ordered o join ${rowsOf(set, 'x')} on ${isKey('o', 'x')} where x.n = ${position})`
  const isRow = allOf(keys.map((key, index) => sql`${column('t', key)} = ${column('p', k(index))}`))
  return sql`update ${table} as t join (
      with ordered as (
        select ${selected}, ${column('t', order)} as v, row_number() over (order by ${sorted}) as n,
          count(*) over (partition by ${column('t', order)}) as alike
        from ${table} as t),
      whole as (
        select max(v is not null and alike > 1) as has_doubles, coalesce(max(v), 0) as most, count(v) as filled from ordered),
      valued as (
        select o.*, case when w.has_doubles then o.n when o.v is null then w.most + (o.n - w.filled) else o.v end as value
        from ordered o, whole w),
      moved as (select ${placeOf(sql`1`)} as origin, ${placeOf(sql`2`)} as target),
      placed as (
        select o.*, case when n = origin then target
          when n > origin and n <= target then n - 1
          when n < origin and n >= target then n + 1 else n end as place
        from ordered o, moved)
      select p.*, v.value from placed p join valued v on v.n = p.place) as p
    on ${isRow} set ${column('t', order)} = p.value where not (${column('t', order)} <=> p.value)`
}

const isIn = ({ columns }: Recordset, { name }: TypedColumn) => columns.some((stored) => stored.name === name)

/** A generated key that the caller does not send. The server reports it only for the last row. */
const drawn = (set: Recordset, key: readonly TypedColumn[]): TypedColumn | undefined =>
  key.find((part) => part.column.hasAutoIncrement && !isIn(set, part))

/**
 * Selects the inserted rows where the INSERT cannot return them: by the keys that were sent, or by the last generated
 * key.
 */
function insertedRows(table: Sql, set: Recordset, parts: readonly Sql[], key: readonly TypedColumn[]): Sql {
  const counter = drawn(set, key)
  if (counter !== undefined)
    return sql`select ${list(parts)} from ${table} as ${sql.id(WRITTEN)} where ${column(WRITTEN, counter.name)} = last_insert_id()`
  const unknown = key.find((part) => !isIn(set, part))
  if (unknown !== undefined)
    throw invalidPayload(`"${unknown.name}" has to be sent: this database does not tell which value it has given`)
  const on = key.map((part) => {
    const at = set.columns.findIndex(({ name }) => name === part.name)
    return sql`${column(WRITTEN, part.name)} = ${keyCell('x', part, at)}`
  })
  return sql`select ${list(parts)} from ${joined(table, set, 'x', WRITTEN, allOf(on))} order by x.n`
}

const createInsert = (server: Server): Pick<BulkStatements, 'insert' | 'insertsEach'> => ({
  insertsEach: (set, key) => !server.can.hasReturning && drawn(set, key) !== undefined,
  insert: (table, set, returned, key) => {
    const insert = sql`insert ${insertFrom(table, set)}`
    const parts = returnedAs(returned, server.can.hasReturning ? null : WRITTEN)
    if (parts.length === 0) return insert
    return server.can.hasReturning
      ? sql`${insert} returning ${list(parts)}`
      : [insert, insertedRows(table, set, parts, key)]
  },
})

const update: BulkStatements['update'] = (table, set, keys, returned) => {
  const found = namesOf(set).slice(0, keys)
  const on = matching(WRITTEN, found, set, 'x')
  const assignments = set.columns
    .slice(keys)
    .map((stored, index) => sql`${column(WRITTEN, stored.name)} = ${cell('x', stored, index + keys)}`)
  // A changed key is looked up by its new value.
  const after = found.map((name, index) => {
    const changed = set.columns.findIndex((stored, at) => at >= keys && stored.name === name)
    const at = changed === -1 ? index : changed
    const stored = set.columns[at]
    const value = stored === undefined ? column('x', cellName(at)) : keyCell('x', stored, at)
    return sql`${column(WRITTEN, name)} = ${value}`
  })
  const selected = list([sql`x.n`, ...returnedAs(returned, WRITTEN)])
  return [
    sql`update ${joined(table, set, 'x', WRITTEN, on)} set ${list(assignments)}`,
    sql`select ${selected} from ${joined(table, set, 'x', WRITTEN, allOf(after))}`,
  ]
}

const remove: BulkStatements['remove'] = ({ table, set, match, kept, keptMatch, nullify, returned, key }) => {
  const source = joined(table, set, 'p', WRITTEN, leavesOf(WRITTEN, set, match, kept, keptMatch))
  const order = list(key.map((stored) => column(WRITTEN, stored.name)))
  if (nullify === null)
    return [
      sql`select distinct ${list(returnedAs(returned, WRITTEN))} from ${source} for update`,
      sql`delete ${sql.id(WRITTEN)} from ${source}`,
    ]
  const noted = jsonTable(NOTED, key, 'x')
  const isNoted = allOf(
    key.map((stored, index) => sql`${column(WRITTEN, stored.name)} = ${keyCell('x', stored, index)}`),
  )
  const again = sql`${noted} straight_join ${table} as ${sql.id(WRITTEN)} on ${isNoted}`
  const assignments = list(nullify.map((target) => sql`${column(WRITTEN, target)} = null`))
  return [
    sql`select concat('[', coalesce(group_concat(distinct ${notedKeys(returned, key, WRITTEN)} order by ${order} separator ','), ''), ']') into ${NOTED} from ${source} for update`,
    sql`update ${again} set ${assignments}`,
    sql`select ${list(returnedAs(returned, WRITTEN))} from ${again} order by x.n`,
  ]
}

function imagesOf(_: Sql, set: Recordset, alias: string): Images {
  const place = placeName(set)
  const values = set.columns.map((stored, index) => sql`${keyCell('x', stored, index)} as ${sql.id(stored.name)}`)
  const images = sql`select ${list([...values, sql`x.n as ${sql.id(place)}`])} from ${rowsOf(set, 'x')}`
  return { from: sql`(${images}) as ${sql.id(alias)}`, place: column(alias, place) }
}

export const createBulk = (server: Server): BulkStatements => ({
  rowsOf,
  imagesOf,
  imageName,
  matches: (alias, columns, set) =>
    matching(
      alias,
      columns.map(({ name }) => name),
      { columns },
      set,
    ),
  ...createInsert(server),
  namesTriggered: true,
  insertMissing: (table, set) => {
    const [first] = set.columns
    const same =
      first === undefined ? sql`` : sql` on duplicate key update ${sql.id(first.name)} = ${cell('x', first, 0)}`
    return sql`insert ${insertFrom(table, set)}${same}`
  },
  update,
  rowJson: ({ columns }, alias) => storedRow(columns, (name) => column(alias, name)),
  lock: (table, set, select, alias, strength) => {
    const keys = namesOf(set)
    const order = list(keys.map((key) => column(alias, key)))
    const forWhat = strength === 'change' ? sql`for update` : sql`lock in share mode`
    const on = matching(alias, keys, set, 'x')
    return sql`select ${list([sql`x.n`, ...select])} from ${joined(table, set, 'x', alias, on)} order by ${order} ${forWhat}`
  },
  find: (table, set, select) => {
    const selected = list([sql`x.n`, ...select.map((name) => column('t', name))])
    return sql`select ${selected} from ${joined(table, set, 'x', 't', matching('t', namesOf(set), set, 'x'))} for update`
  },
  largest: (table, set, target) =>
    sql`select ${ordersOf(target)} from ${joined(table, set, 'x', 't', matching('t', namesOf(set), set, 'x'))} group by x.n`,
  leaving: ({ table, set, match, kept, keptMatch, key, select = [], alias }) => {
    const keys = list(key.map((part) => column(alias, part)))
    return sql`select ${list([keys, ...select])} from ${joined(table, set, 'p', alias, leavesOf(alias, set, match, kept, keptMatch))}
      order by ${keys} for update`
  },
  remove,
  insertTree: null,
  lockAll: (table, key) =>
    sql`select count(*) from (select 1 from ${table} as t order by ${list(key.map((part) => column('t', part)))} limit 18446744073709551615 for update) locked`,
  move,
  // The server advances the counter past explicit keys by itself.
  advance: (_schema, _table, _column, parameter) => sql`select ${placeholder(parameter, String)} from dual where false`,
})
