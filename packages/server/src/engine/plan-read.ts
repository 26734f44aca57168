import type { MetaValue } from '@tain/contract'
import type { Authorized } from '../access/authorized.ts'
import { isUnrestricted } from '../access/unrestricted.ts'
import type { BoundQuery } from '../query/bound.ts'
import type { Dialect, RowVersion, ValueForm } from '../sql/dialect.ts'
import type { Row } from '../sql/driver.ts'
import { allOf, column, list, sql, type Sql } from '../sql/sql.ts'
import { typed } from '../schema/typed-column.ts'
import { masked, rowVersionOf, sourceOf, tableOf, type Plan } from './columns.ts'
import { afterCursor, cursorColumns, type CursorShape } from './cursor.ts'
import { groupMembers, groupRows } from './plan-aggregate.ts'
import { planConditions, startPlan } from './plan-filter.ts'
import {
  flagColumns,
  flagsOf,
  membersOf,
  neededColumns,
  needsInner,
  sortTerms,
  window,
  type Flags,
} from './plan-node.ts'
import type { Cell } from './serialize.ts'
import { orderByTerms, type SortTerm } from './sort-terms.ts'

export interface ReadOptions {
  /**
   * `key`: the one item whose key parts are the parameters -1, -2, …; `keys`: the items of a set of keys, in the order
   * of the set; `written`: the rows that the same statement has written; `images`: rows as they once were, of which only
   * the places of those are returned that the query would show.
   */
  readonly by: 'query' | 'key' | 'keys' | 'written' | 'images'
  readonly wantsRowVersion: boolean
  /** Returns the key of each item, and whether the caller can see it. */
  readonly wantsKeys: boolean
  /** Returns the place of each item in the set of keys, and whether the caller can see the key. */
  readonly wantsPlaces?: boolean
  readonly meta: readonly MetaValue[]
  /** Counts stop after one more than this; null: they are complete. */
  readonly countUpTo: number | null
  readonly cursor: CursorShape | null
  /** See Query. */
  readonly cut?: number | null
  /** The table with the schema and permission versions; null if the service stores none. */
  readonly version: Sql | null
}

/** One statement and how to read its rows. */
export interface ReadPlan {
  readonly statement: Sql
  readonly cells: readonly Cell[]
  /** Reads the row version, if requested. */
  readonly rowVersion: ((row: Row) => string) | null
  /** Positions of the keys and of the cursor values, if requested. */
  readonly keysAt: readonly number[] | null
  readonly cursorAt: readonly number[] | null
  /** The position of the place in the set, if requested. */
  readonly placeAt: number | null
  /** With keys or places: the rows whose key the caller can see. */
  readonly keyRows: KeyRows
  readonly isKeyShown: (row: Row) => boolean
  readonly counts: readonly Count[]
  /** Whether the planner of the database is asked how many rows the list has. */
  readonly isPlanEstimated: boolean
}

export type KeyRows = 'all' | 'some' | 'none'

/** A number of rows: its position, and whether it was counted, so that `countUpTo` applies to it. */
export interface Count {
  readonly name: MetaValue
  readonly at: number
  readonly isCounted: boolean
}

/** Positions in a row: the versions, whether there is an item, then the values of the item. */
export const VERSION = 0
export const PRESENT = 1
const FIRST_CELL = 2

/** Number of the parameter that holds a set of keys. */
export const KEYS_PARAMETER = -500

export const keyParameter = (part: number) => -1 - part

interface Column {
  readonly value: Sql
  readonly keys: readonly string[]
  readonly form: ValueForm
  readonly below: Cell['below']
}

/** Authorized query → one statement. Rows come as plain columns; everything nested is already JSON. */
export function planRead(query: Authorized<BoundQuery>, options: ReadOptions, dialect: Dialect): ReadPlan {
  const plan = startPlan(dialect, options.cut)
  const { columns, beside, joined } =
    query.aggregate === null ? itemRows(query, options, plan) : groupedRows(query, plan)
  // Every row carries the versions. Without items, there is one row with nothing but the versions.
  const version = options.version ?? sql`(select '0.0' as stamp)`
  const cells = columns.map(({ keys, form, below }, index): Cell => ({
    keys,
    index: index + FIRST_CELL,
    write: form.write,
    below,
  }))
  const values = columns.map(({ value, form }) => form.text(value))
  const placeOf = createPlaces(values, dialect)
  const { rowVersion, keys, cursor, place, shownKey } = beside
  const markAt = rowVersion?.values.map(placeOf)
  const keysAt = keys?.map(placeOf) ?? null
  const cursorAt = cursor?.map(placeOf) ?? null
  const placeAt = place === null ? null : placeOf(place)
  const keyRows = keyRowsOf(query)
  const shownKeyAt = shownKey === null ? null : placeOf(shownKey)
  const way = estimateWay(query, dialect)
  const counts = options.meta.flatMap((name) => {
    const count = planCount(name, query, options.countUpTo, plan)
    return count === null ? [] : [{ name, count, isCounted: name !== 'estimated_count' || way === 'count' }]
  })
  const rows = joined(values)
  const shown = list([sql`v.stamp`, rows.present, ...rows.values, ...counts.map(({ count }) => count)])
  const statement = sql`select ${shown} from ${version} as v left join ${rows.from} on ${rows.on}${rows.order}`
  return {
    statement,
    cells,
    rowVersion: rowVersion === null || markAt === undefined ? null : (row) => rowVersion.read(cellsAt(markAt, row)),
    keysAt,
    cursorAt,
    placeAt,
    keyRows,
    isKeyShown: shownKeyAt === null ? () => keyRows === 'all' : (row) => (row[shownKeyAt] ?? null) !== null,
    counts: counts.map(({ name, isCounted }, index) => ({ name, isCounted, at: FIRST_CELL + values.length + index })),
    isPlanEstimated: way === 'planner' && options.meta.includes('estimated_count'),
  }
}

const keyRowsOf = ({ keyMask }: BoundQuery): KeyRows => {
  if (keyMask === null) return 'all'
  return keyMask.kind === 'constant' && !keyMask.value ? 'none' : 'some'
}

export const cellsAt = (places: readonly number[], row: Row): (string | null)[] => places.map((at) => row[at] ?? null)

/** Appends a value unless it is already selected, and returns its position in the row. */
function createPlaces(values: Sql[], { compile }: Dialect): (value: Sql) => number {
  const known = new Map<string, number>()
  const add = (value: Sql, index: number) => {
    const { text, binds } = compile(value)
    if (binds.length === 0 && !known.has(text)) known.set(text, index)
    return text
  }
  values.forEach(add)
  return (value) => {
    const text = add(value, values.length)
    const found = known.get(text)
    if (found === undefined || found === values.length) return values.push(value) - 1 + FIRST_CELL
    return found + FIRST_CELL
  }
}

/** Values that are read in addition to the requested ones. */
interface Beside {
  readonly rowVersion: RowVersion | null
  readonly keys: readonly Sql[] | null
  readonly cursor: readonly Sql[] | null
  readonly place: Sql | null
  /** NULL in rows whose key the caller cannot see. */
  readonly shownKey: Sql | null
}

/** Rows joined to the versions: their source, the column that tells whether there is one, and their values. */
interface Joined {
  readonly from: Sql
  readonly on: Sql
  readonly present: Sql
  readonly values: readonly Sql[]
  /** The order of all rows, where the database does not keep that of the source. */
  readonly order: Sql
}

interface RootRows {
  readonly columns: readonly Column[]
  readonly beside: Beside
  /** The rows with these values selected. */
  readonly joined: (values: readonly Sql[]) => Joined
}

/** Rows as a subselect, which can have an order and a limit. */
const selected =
  (clause: Sql, terms: readonly SortTerm[], dialect: Dialect) =>
  (values: readonly Sql[]): Joined => {
    const again = dialect.keepsOrder ? [] : terms
    const inner = [
      sql`1 as p`,
      ...values.map((value, index) => sql`${value} as ${sql.id(`c${index}`)}`),
      ...again.map(({ value }, index) => sql`${value} as ${sql.id(`o${index}`)}`),
    ]
    const outer = again.map((term, index) => ({ ...term, value: column('r', `o${index}`) }))
    return {
      order: outer.length === 0 ? sql`` : sql` order by ${list(orderByTerms(outer, dialect))}`,
      from: sql`(select ${list(inner)} ${clause}) as r`,
      on: sql`true`,
      present: sql`r.p`,
      values: values.map((_, index) => column('r', `c${index}`)),
    }
  }

function itemRows(query: BoundQuery, options: ReadOptions, plan: Plan): RootRows {
  const base = plan.name()
  const { collection } = query
  const conditions = planConditions(query, base, plan)
  if (options.by === 'key') conditions.unshift(hasKey(query, base, plan))
  if (options.cursor !== null) conditions.push(afterCursor(query.sort, options.cursor, base, plan))
  const wantsCursor = options.meta.includes('cursor')
  const version = options.wantsRowVersion ? rowVersion(query, base, plan) : null
  const cursor = wantsCursor ? cursorColumns(query.sort, base, plan) : null
  const { from, terms, place } = rootSource(query, base, options, plan)
  const shownKey = shownKeyOf(query, options, base, plan)
  if (options.by === 'images')
    return {
      columns: [],
      beside: { ...nothing, place, shownKey },
      joined: selected(sql`from ${from} where ${allOf(conditions)}`, [], plan.dialect),
    }
  const beside: Beside = {
    rowVersion: version,
    keys: options.wantsKeys ? collection.key.map(({ name }) => column(base, name)) : null,
    cursor,
    place: options.wantsPlaces === true ? place : null,
    shownKey,
  }
  const columnsFrom = (source: string, flags?: Flags): Column[] =>
    membersOf(query, source, plan, flags).map(({ as, under, value, form, below }) => ({
      keys: under === null ? [as] : [under, as],
      value,
      form,
      below,
    }))
  if (options.by === 'key') {
    // The key column equals a value in every matching row, so it is not NULL there.
    const present = column(base, collection.key[0]?.name ?? '')
    const joined = (values: readonly Sql[]): Joined => ({ from, on: allOf(conditions), present, values, order: sql`` })
    return { columns: columnsFrom(base), beside, joined }
  }
  const ordered = terms.length === 0 ? sql`` : sql` order by ${list(orderByTerms(terms, plan.dialect))}`
  // Reads one extra row to find out whether there is a next page.
  const cutOff = options.by === 'query' ? window(query, plan, wantsCursor ? 1 : 0) : sql``
  const rows = sql`from ${from} where ${allOf(conditions)}${ordered}${cutOff}`
  if (!needsInner(query)) return { columns: columnsFrom(base), beside, joined: selected(rows, terms, plan.dialect) }

  const source = plan.name()
  const flags = flagsOf(query.select)
  const { carried, outside } = carryOut(beside, source)
  const again = plan.dialect.keepsOrder ? [] : terms
  const needed = [
    ...neededColumns(query.select).map((name) => column(base, name)),
    ...flagColumns(flags, base, plan),
    ...carried.map((value, index) => sql`${value} as ${sql.id(`b${index}`)}`),
    ...again.map(({ value }, index) => sql`${value} as ${sql.id(`s${index}`)}`),
  ]
  const carriedTerms = again.map((term, index) => ({ ...term, value: column(source, `s${index}`) }))
  return {
    columns: columnsFrom(source, flags),
    beside: outside,
    joined: selected(sql`from (select ${list(needed)} ${rows}) as ${sql.id(source)}`, carriedTerms, plan.dialect),
  }
}

/** NULL in rows whose key the caller cannot see; null: all rows have the same answer, or nobody asks. */
function shownKeyOf(query: BoundQuery, options: ReadOptions, base: string, plan: Plan): Sql | null {
  const isAsked = options.by === 'images' || options.wantsKeys || options.wantsPlaces === true
  return isAsked && keyRowsOf(query) === 'some' ? masked(sql`1`, query.keyMask, base, plan) : null
}

const nothing: Beside = { rowVersion: null, keys: null, cursor: null, place: null, shownKey: null }

/** The additional values as columns of the outer select. */
function carryOut(
  { rowVersion, keys, cursor, place, shownKey }: Beside,
  source: string,
): { carried: readonly Sql[]; outside: Beside } {
  const carried: Sql[] = []
  const carry = (value: Sql) => column(source, `b${carried.push(value) - 1}`)
  const outside: Beside = {
    rowVersion: rowVersion === null ? null : { ...rowVersion, values: rowVersion.values.map(carry) },
    keys: keys?.map(carry) ?? null,
    cursor: cursor?.map(carry) ?? null,
    place: place === null ? null : carry(place),
    shownKey: shownKey === null ? null : carry(shownKey),
  }
  return { carried, outside }
}

/** Source and order of the rows: the table in the requested order, or a set of keys in the order of the set. */
function rootSource(
  query: BoundQuery,
  base: string,
  { by, cursor }: ReadOptions,
  plan: Plan,
): { from: Sql; terms: readonly SortTerm[]; place: Sql | null } {
  const { collection, sort } = query
  if (by === 'written') return { from: sql`written as ${sql.id(base)}`, terms: [], place: null }
  if (by === 'images') {
    const set = { columns: [...collection.columns.values()].map(typed), parameter: KEYS_PARAMETER }
    return { ...plan.dialect.bulk.imagesOf(tableOf(collection), set, base), terms: [] }
  }
  const table = sql`${sourceOf(collection, plan)} as ${sql.id(base)}`
  if (by === 'key') return { from: table, terms: [], place: null }
  if (by === 'query') return { from: table, terms: sortTerms(sort, base, plan, cursor?.isBackward), place: null }
  const keys = plan.name()
  const columns = collection.key.map(typed)
  const set = plan.dialect.bulk.rowsOf({ columns, parameter: KEYS_PARAMETER }, keys)
  const on = plan.dialect.bulk.matches(base, columns, keys)
  const place = column(keys, 'n')
  return {
    from: sql`${set} join ${table} on ${on}`,
    terms: [{ value: place, isDescending: false, mayBeNull: false }],
    place,
  }
}

function groupedRows(query: BoundQuery, plan: Plan): RootRows {
  const { aggregate, collection } = query
  if (aggregate === null) throw new TypeError('only an aggregate has groups')
  const base = plan.name()
  const from = sql`${sourceOf(collection, plan)} as ${sql.id(base)}`
  const { source, rows, terms } = groupRows(query, aggregate, base, from, [], plan)
  const columns = groupMembers(aggregate, source, plan).map(({ keys, value, form }) => ({
    keys,
    value,
    form,
    below: null,
  }))
  const ordered = rows.order.length === 0 ? rows.clause : sql`${rows.clause} order by ${list(rows.order)}`
  return { columns, beside: nothing, joined: selected(sql`${ordered}${window(query, plan)}`, terms, plan.dialect) }
}

function hasKey({ collection }: BoundQuery, source: string, { dialect }: Plan): Sql {
  return allOf(
    collection.key.map((field, part) => {
      const stored = typed(field)
      const operand = dialect.keyOperandOf(stored)
      const left = column(source, field.name)
      return dialect.test({ left, column: stored, operator: '_eq', parameter: keyParameter(part), operand })
    }),
  )
}

/** The row version: the database's own where there is one, else a hash of the row's values. */
function rowVersion({ collection, marked }: BoundQuery, source: string, plan: Plan): RowVersion {
  const { dialect } = plan
  if (marked !== 'row')
    return dialect.rowHash(
      marked.map(({ field, mask }) => ({
        value: masked(column(source, field.name), mask, source, plan),
        column: field.column,
      })),
    )
  return rowVersionOf(collection, source, dialect)
}

/**
 * How rows are estimated. Statistics and the planner know all rows of a table, so that callers who do not see all of
 * them get a count.
 */
function estimateWay(query: Authorized<BoundQuery>, dialect: Dialect): 'statistics' | 'planner' | 'count' {
  if (!isUnrestricted(query) || dialect.estimatedRows === null) return 'count'
  if (query.filter === null && query.search === null) return 'statistics'
  return dialect.planEstimate === null || query.collection.kept !== null ? 'count' : 'planner'
}

function planCount(name: MetaValue, query: Authorized<BoundQuery>, countUpTo: number | null, plan: Plan): Sql | null {
  const count = (conditionsOf: (source: string) => Sql[], most: number | null) => {
    const source = plan.name()
    const rows = sql`from ${sourceOf(query.collection, plan)} as ${sql.id(source)} where ${allOf(conditionsOf(source))}`
    if (most === null) return sql`(select count(*) ${rows})`
    return sql`(select count(*) from (select 1 as one ${rows}${plan.dialect.window(most + 1, null)}) as ${sql.id(plan.name())})`
  }
  const all = (most: number | null) =>
    count((source) => planConditions({ ...query, filter: query.rowRule, search: null }, source, plan), most)
  const filtered = () => count((source) => planConditions(query, source, plan), countUpTo)
  switch (name) {
    case 'total_count':
      return all(countUpTo)
    case 'filter_count':
      return filtered()
    case 'estimated_count': {
      const { schema, table } = query.collection
      const way = estimateWay(query, plan.dialect)
      if (way === 'planner') return null
      return way === 'statistics' ? (plan.dialect.estimatedRows?.(schema, table, all(null)) ?? null) : filtered()
    }
    case 'cursor':
    case 'etag':
      return null
  }
}
