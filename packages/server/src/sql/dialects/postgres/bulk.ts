import { parameter } from '../../bind.ts'
import type { BulkWords, Recordset } from '../../bulk.ts'
import { catalogueType } from '../../raw.ts'
import { allOf, column, list, sql, type Sql } from '../../sql.ts'

const name = (index: number) => `f${index}`

const jsonBind = (slot: number): Sql =>
  sql`${parameter(slot, (value) => (typeof value === 'string' ? value : null))}::json`

/** The set as a table: `f0, f1, …, n`, where n is the row's position. */
function rowsOf({ columns, slot }: Recordset, alias: string): Sql {
  const definition = list(
    columns.map(({ column: stored }, index) => sql`${sql.id(name(index))} ${catalogueType(stored.castType)}`),
  )
  const names = list([...columns.map((_, index) => sql.id(name(index))), sql.id('n')])
  return sql`rows from (json_to_recordset(${jsonBind(slot)}) as (${definition})) with ordinality as ${sql.id(alias)}(${names})`
}

const columnNames = ({ columns }: Recordset): Sql => list(columns.map((stored) => sql.id(stored.name)))

const returningOf = (returning: readonly Sql[]): Sql =>
  returning.length === 0 ? sql`` : sql` returning ${list(returning)}`

const insertFrom = (table: Sql, set: Recordset, alias: string): Sql => {
  const values = list(set.columns.map((_, index) => column('x', name(index))))
  return set.columns.length === 0
    ? sql`insert into ${table} as ${sql.id(alias)} default values`
    : sql`insert into ${table} as ${sql.id(alias)} (${columnNames(set)}) select ${values} from ${rowsOf(set, 'x')} order by x.n`
}

const matching = (alias: string, names: readonly string[], source: string, from = 0): Sql =>
  allOf(names.map((target, index) => sql`${column(alias, target)} = ${column(source, name(index + from))}`))

export const bulk: BulkWords = {
  rowsOf,
  matches: (alias, names, set) => matching(alias, names, set),
  insert: (table, set, returning, alias) => sql`${insertFrom(table, set, alias)}${returningOf(returning)}`,
  insertMissing: (table, set) => sql`${insertFrom(table, set, 't')} on conflict do nothing`,
  update: (table, set, keys, returning, alias) => {
    const assignments = set.columns
      .slice(keys)
      .map((stored, index) => sql`${sql.id(stored.name)} = ${column('x', name(index + keys))}`)
    const found = matching(
      alias,
      set.columns.slice(0, keys).map((stored) => stored.name),
      'x',
    )
    return sql`update ${table} as ${sql.id(alias)} set ${list(assignments)} from ${rowsOf(set, 'x')} where ${found} returning ${list([sql`x.n`, ...returning])}`
  },
  lock: (table, set, select, alias, strength) => {
    const names = set.columns.map((stored) => stored.name)
    const order = list(names.map((key) => column(alias, key)))
    const forWhat =
      strength === 'change' ? sql`for no key update of ${sql.id(alias)}` : sql`for key share of ${sql.id(alias)}`
    return sql`select ${list([sql`x.n`, ...select])} from ${rowsOf(set, 'x')} join ${table} as ${sql.id(alias)} on ${matching(alias, names, 'x')} order by ${order} ${forWhat}`
  },
  find: (table, set, select) => {
    const names = set.columns.map((stored) => stored.name)
    const selected = list([sql`x.n`, ...select.map((name) => column('t', name))])
    return sql`select ${selected} from ${rowsOf(set, 'x')} join ${table} as t on ${matching('t', names, 'x')} for no key update of t`
  },
  column,
  largest: (table, set, target) => {
    const names = set.columns.map((stored) => stored.name)
    return sql`select x.n, max(${column('t', target)}) from ${rowsOf(set, 'x')} join ${table} as t on ${matching('t', names, 'x')} group by x.n`
  },
  remove: ({ table, set, match, kept, keptMatch, nullify, returning, alias }) => {
    const leaves =
      kept === null
        ? matching(alias, match, 'p')
        : sql`${matching(alias, match, 'p')} and not exists (select 1 from ${rowsOf(kept, 'k')} where ${matching(alias, keptMatch, 'k')})`
    if (nullify === null)
      return sql`delete from ${table} as ${sql.id(alias)} using ${rowsOf(set, 'p')} where ${leaves}${returningOf(returning)}`
    const assignments = list(nullify.map((target) => sql`${sql.id(target)} = null`))
    return sql`update ${table} as ${sql.id(alias)} set ${assignments} from ${rowsOf(set, 'p')} where ${leaves}${returningOf(returning)}`
  },
  advance: (schema, table, target, slot) => {
    const largest = sql`${parameter(slot, String)}::bigint`
    const sequence = sql`pg_get_serial_sequence(format('%I.%I', ${schema}::text, ${table}::text), ${target}::text)`
    return sql`select setval(s.name::regclass, ${largest}) from (select ${sequence} as name) s
      where s.name is not null and ${largest} > coalesce(pg_sequence_last_value(s.name::regclass), 0)`
  },
}
