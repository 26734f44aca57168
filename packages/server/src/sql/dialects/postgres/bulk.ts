import { placeholder } from '../../bind.ts'
import {
  LARGEST_IMAGE,
  type BulkStatements,
  type Images,
  type RecordKind,
  type Recordset,
  type Returned,
} from '../../bulk.ts'
import { compared } from '../../compared.ts'
import { catalogueType } from '../../raw.ts'
import { allOf, column, list, sql, table, type Sql } from '../../sql.ts'
import { cellName, columnNames, createMove, jsonBind, namesOf, ordersOf } from '../base/bulk.ts'
import { joinedKey, shownPart } from './keys.ts'
import { nextActivity } from './service-tables.ts'
import { storedRow } from './stored-row.ts'

/** The set as a table: `f0, f1, …, n`, where n is the row's position. */
function rowsOf({ columns, parameter }: Recordset, alias: string): Sql {
  const definition = list(
    columns.map(({ column: stored }, index) => sql`${sql.id(cellName(index))} ${catalogueType(stored.castType)}`),
  )
  const names = list([...columns.map((_, index) => sql.id(cellName(index))), sql.id('n')])
  return sql`rows from (json_to_recordset(${jsonBind(parameter)}::json) as (${definition})) with ordinality as ${sql.id(alias)}(${names})`
}

/**
 * Records of the type of the table, so that values have the types and collations of its columns. The set is a subselect:
 * its alias must not meet the one of the rows.
 */
function imagesOf(table: Sql, { parameter }: Recordset, alias: string): Images {
  const set = `${alias}_set`
  return {
    from: sql`json_array_elements(${jsonBind(parameter)}::json) with ordinality as ${sql.id(set)}(image, n) cross join lateral json_populate_record(null::${table}, ${column(set, 'image')}) as ${sql.id(alias)}`,
    place: column(set, 'n'),
  }
}

/** The alias of the written table in RETURNING. */
const WRITTEN = 't'

const returnedSql = ({ columns, row }: Returned): Sql[] => [
  ...columns.map((target) => column(WRITTEN, target)),
  ...(row === null ? [] : [storedRow(row, WRITTEN)]),
]

const returningOf = (returned: Returned): Sql => {
  const parts = returnedSql(returned)
  return parts.length === 0 ? sql`` : sql` returning ${list(parts)}`
}

const insertFrom = (table: Sql, set: Recordset, alias: string): Sql => {
  const values = list(set.columns.map((_, index) => column('x', cellName(index))))
  return set.columns.length === 0
    ? sql`insert into ${table} as ${sql.id(alias)} default values`
    : sql`insert into ${table} as ${sql.id(alias)} (${columnNames(set)}) select ${values} from ${rowsOf(set, 'x')} order by x.n`
}

/** The columns of a set find those with these names. */
const matching = (alias: string, names: readonly string[], source: string, { columns }: Pick<Recordset, 'columns'>) =>
  allOf(
    names.map((target, index) =>
      compared(column(alias, target), '=', column(source, cellName(index)), columns[index]?.column ?? null),
    ),
  )

const group = (index: number) => `g${index}`

/** A parent is one row. Without the limit the planner expects 100, and a million for its children: it plans each time. */
const theRowOf = (parent: number): Sql =>
  sql`(select * from ${sql.id(group(parent))} limit 1) as ${sql.id(group(parent))}`

type Inserts = Parameters<NonNullable<BulkStatements['insertTree']>>[0]['inserts']

/** Collection, key and image of each row that the inserts record in one place. */
function recordedRows(inserts: Inserts, kind: RecordKind): readonly Sql[] {
  return inserts.flatMap(({ record }, index) => {
    if (record === null || !record.records.includes(kind)) return []
    const source = group(index)
    const parts = record.key.map((key) => ({ value: column(source, key.name), column: key }))
    const [only, ...others] = parts
    const item = only !== undefined && others.length === 0 ? sql`${shownPart(only)}::text` : joinedKey(parts)
    const hasImage = record.row !== null && (kind === 'outbox' || record.records.includes('revision'))
    const data = hasImage && record.row !== null ? storedRow(record.row, source) : sql`null::json`
    return [
      sql`select ${record.collection}::text as collection, ${item} as item, ${data} as data from ${sql.id(source)}`,
    ]
  })
}

/** Activity, revisions and the outbox of the inserted rows, for collections that record them. */
function recordParts(inserts: Inserts, systemSchema: string, parameters: number): Sql[] {
  const text = (parameter: number) => sql`nullif(${placeholder(parameters + parameter, String)}::text, '')`
  const rows = recordedRows(inserts, 'activity')
  const kept = recordedRows(inserts, 'outbox')
  const recorded = [
    sql`records as materialized (select ${nextActivity(systemSchema)} as id, u.* from (${list(rows, sql` union all `)}) u)`,
    sql`activity as (insert into ${table(systemSchema, 'service_activity')} (id, action, collection, item, "user", ip, user_agent)
      select id, 'create', collection, item, ${text(1)}::uuid, ${text(2)}, ${text(3)} from records)`,
    sql`revisions as (insert into ${table(systemSchema, 'service_revisions')} (activity, collection, item, data)
      select id, collection, item, data from records where data is not null)`,
  ]
  // The images of revisions are used again where all of them are captured.
  const isSame = inserts.every(
    ({ record }) => record === null || (record.records.includes('outbox') && record.records.includes('revision')),
  )
  const source = isSame ? sql`(select * from records order by id)` : sql`(${list(kept, sql` union all `)})`
  const outbox = sql`kept as (insert into ${table(systemSchema, 'service_outbox')} (write, collection, item, kind, after, "user")
      select txid_current()::text, u.collection, u.item, 'create', ${imageText(sql`u.data`)}, ${text(1)} from ${source} u)`
  return [...(rows.length === 0 ? [] : recorded), ...(kept.length === 0 ? [] : [outbox])]
}

/** Large rows are left out, see events/outbox.ts. */
const imageText = (data: Sql): Sql =>
  sql`case when length(${data}::text) <= ${sql.lit(LARGEST_IMAGE)} then ${data}::text end`

const move = createMove({
  rowsOf,
  equal: (left, right, stored) => compared(left, '=', right, stored.column),
  holdsForAny: (condition) => sql`bool_or(${condition})`,
  placed: sql`placed as`,
  differs: sql`is distinct from`,
})

/** Condition: a child of a parent in the set `p` that is not in the set of kept rows. */
function leavesOf(
  alias: string,
  {
    set,
    match,
    kept,
    keptMatch,
  }: Pick<Parameters<BulkStatements['leaving']>[0], 'set' | 'match' | 'kept' | 'keptMatch'>,
): Sql {
  const isChild = matching(alias, match, 'p', set)
  return kept === null
    ? isChild
    : sql`${isChild} and not exists (select 1 from ${rowsOf(kept, 'k')} where ${matching(alias, keptMatch, 'k', kept)})`
}

export const bulk: BulkStatements = {
  rowsOf,
  imagesOf,
  imageName: ({ name }) => name,
  matches: (alias, columns, set) =>
    matching(
      alias,
      columns.map((stored) => stored.name),
      set,
      { columns },
    ),
  insert: (table, set, returned) => sql`${insertFrom(table, set, WRITTEN)}${returningOf(returned)}`,
  insertsEach: () => false,
  namesTriggered: false,
  insertMissing: (table, set) => sql`${insertFrom(table, set, 't')} on conflict do nothing`,
  update: (table, set, keys, returned) => {
    const assignments = set.columns
      .slice(keys)
      .map((stored, index) => sql`${sql.id(stored.name)} = ${column('x', cellName(index + keys))}`)
    const found = matching(
      WRITTEN,
      set.columns.slice(0, keys).map((stored) => stored.name),
      'x',
      set,
    )
    return sql`update ${table} as ${sql.id(WRITTEN)} set ${list(assignments)} from ${rowsOf(set, 'x')} where ${found} returning ${list([sql`x.n`, ...returnedSql(returned)])}`
  },
  rowJson: storedRow,
  lock: (table, set, select, alias, strength) => {
    const names = namesOf(set)
    const order = list(names.map((key) => column(alias, key)))
    const forWhat =
      strength === 'change' ? sql`for no key update of ${sql.id(alias)}` : sql`for key share of ${sql.id(alias)}`
    return sql`select ${list([sql`x.n`, ...select])} from ${rowsOf(set, 'x')} join ${table} as ${sql.id(alias)} on ${matching(alias, names, 'x', set)} order by ${order} ${forWhat}`
  },
  find: (table, set, select) => {
    const names = namesOf(set)
    const selected = list([sql`x.n`, ...select.map((name) => column('t', name))])
    return sql`select ${selected} from ${rowsOf(set, 'x')} join ${table} as t on ${matching('t', names, 'x', set)} for no key update of t`
  },
  largest: (table, set, target) => {
    const names = namesOf(set)
    return sql`select ${ordersOf(target)} from ${rowsOf(set, 'x')} join ${table} as t on ${matching('t', names, 'x', set)} group by x.n`
  },
  leaving: (removal) => {
    const { table, set, key, select = [], alias } = removal
    const keys = list(key.map((part) => column(alias, part)))
    return sql`select ${list([keys, ...select])} from ${rowsOf(set, 'p')} join ${table} as ${sql.id(alias)} on ${leavesOf(alias, removal)}
      order by ${keys} for no key update of ${sql.id(alias)}`
  },
  remove: (removal) => {
    const { table, set, nullify, returned } = removal
    const leaves = leavesOf(WRITTEN, removal)
    if (nullify === null)
      return sql`delete from ${table} as ${sql.id(WRITTEN)} using ${rowsOf(set, 'p')} where ${leaves}${returningOf(returned)}`
    const assignments = list(nullify.map((target) => sql`${sql.id(target)} = null`))
    return sql`update ${table} as ${sql.id(WRITTEN)} set ${assignments} from ${rowsOf(set, 'p')} where ${leaves}${returningOf(returned)}`
  },
  insertTree: ({ inserts, root, select, systemSchema, parameters }) => {
    const isCurrent = sql`exists (select 1 from ${table(systemSchema, 'service_version')} where stamp like ${placeholder(parameters, String)}::text)`
    const parts = inserts.map(({ table: target, set, columns }, index) => {
      const parents = [...new Set(columns.flatMap(({ taken }) => (taken === null ? [] : [taken.group])))]
      let position = 0
      const values = columns.map(({ taken }) =>
        taken === null ? column('x', cellName(position++)) : column(group(taken.group), taken.column),
      )
      const from = list([rowsOf(set, 'x'), ...parents.map(theRowOf)])
      const names = list(columns.map((target_) => sql.id(target_.name)))
      const where = parents.length === 0 ? sql` where ${isCurrent}` : sql``
      return sql`${sql.id(group(index))} as (insert into ${target} (${names}) select ${list(values)} from ${from}${where} order by x.n returning *)`
    })
    return sql`with ${list([...parts, ...recordParts(inserts, systemSchema, parameters), sql`written as (select * from ${sql.id(group(root))})`])} ${select}`
  },
  lockAll: (table, key) => sql`select count(*) from (
    select 1 from ${table} as t order by ${list(key.map((part) => column('t', part)))} for no key update) locked`,
  move,
  advance: (schema, table, target, parameter) => {
    const largest = sql`${placeholder(parameter, String)}::bigint`
    const sequence = sql`pg_get_serial_sequence(format('%I.%I', ${schema}::text, ${table}::text), ${target}::text)`
    return sql`select setval(s.name::regclass, ${largest}) from (select ${sequence} as name) s
      where s.name is not null and ${largest} > coalesce(pg_sequence_last_value(s.name::regclass), 0)`
  },
}
