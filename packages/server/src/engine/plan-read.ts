import type { MetaValue } from '@tain/contract'
import type { Authorized } from '../access/authorized.ts'
import type { BoundQuery } from '../query/bound.ts'
import { parameter } from '../sql/bind.ts'
import type { Dialect, ValueForm } from '../sql/dialect.ts'
import { allOf, column, list, sql, type Sql } from '../sql/sql.ts'
import { masked, rowMark, tableOf, typed, type Plan } from './columns.ts'
import { afterCursor, cursorColumns } from './cursor.ts'
import { groupMembers, groupRows } from './plan-aggregate.ts'
import { planConditions, startPlan } from './plan-filter.ts'
import { flagColumns, flagsOf, membersOf, neededColumns, needsInner, orderBy, window, type Flags } from './plan-node.ts'
import type { Cell } from './serialize.ts'

export interface ReadOptions {
  /** `key`: the one item whose key parts are the slots -1, -2, …; `keys`: the items of a set of keys, in its order;
   * `written`: what the same statement has written. */
  readonly by: 'query' | 'key' | 'keys' | 'written'
  readonly wantsRowVersion: boolean
  readonly wantsKeys: boolean
  readonly meta: readonly MetaValue[]
  /** Which of the cursor's values are null; null without a cursor. */
  readonly cursor: readonly boolean[] | null
  /** The table that holds the version of schema and rights; null when the service keeps none. */
  readonly version: Sql | null
}

/** One statement and how to read its rows. */
export interface ReadPlan {
  readonly statement: Sql
  readonly cells: readonly Cell[]
  /** Positions of what comes beside the item's own values. */
  readonly rowVersionAt: number | null
  readonly keysAt: number | null
  readonly cursorAt: number | null
  readonly counts: readonly { readonly name: MetaValue; readonly at: number }[]
}

/** Positions of a row: the version, whether there is an item, then the item's values. */
export const VERSION = 0
export const PRESENT = 1
const FIRST_CELL = 2

/** Holds a set of keys. */
export const KEYS_SLOT = -500

export const keySlot = (part: number) => -1 - part

interface Column {
  readonly value: Sql
  readonly keys: readonly string[]
  readonly form: ValueForm
  readonly below: Cell['below']
}

/** Authorized query → one statement. Rows come as plain columns; everything nested is already JSON. */
export function planRead(query: Authorized<BoundQuery>, options: ReadOptions, dialect: Dialect): ReadPlan {
  const plan = startPlan(dialect)
  const { columns, beside, clause } =
    query.aggregate === null ? itemRows(query, options, plan) : groupedRows(query, plan)
  // Every row brings the version along; without rows there is one that has nothing but the version.
  const version = options.version ?? sql`(select '0.0' as stamp)`
  const cells = columns.map(({ keys, form, below }, index): Cell => ({
    keys,
    index: index + FIRST_CELL,
    write: form.write,
    below,
  }))
  const values = [...columns.map(({ value, form }) => form.text(value)), ...beside]
  const inner = [sql`1 as p`, ...values.map((value, index) => sql`${value} as ${sql.id(`c${index}`)}`)]
  const outer = [sql`v.stamp`, sql`r.p`, ...values.map((_, index) => column('r', `c${index}`))]
  const counts = options.meta.flatMap((name) => {
    const count = planCount(name, query, plan)
    return count === null ? [] : [{ name, count }]
  })
  const selected = list([...outer, ...counts.map(({ count }) => count)])
  const statement = sql`select ${selected} from ${version} as v left join (select ${list(inner)} ${clause}) as r on true`
  const after = FIRST_CELL + columns.length
  return {
    statement,
    cells,
    rowVersionAt: options.wantsRowVersion ? after : null,
    keysAt: options.wantsKeys ? after + (options.wantsRowVersion ? 1 : 0) : null,
    cursorAt: options.meta.includes('cursor') && query.aggregate === null ? after + besideCount(options, query) : null,
    counts: counts.map(({ name }, index) => ({ name, at: FIRST_CELL + values.length + index })),
  }
}

/** Columns that stand between the item's values and the cursor's. */
const besideCount = ({ wantsRowVersion, wantsKeys }: ReadOptions, { collection }: BoundQuery) =>
  (wantsRowVersion ? 1 : 0) + (wantsKeys ? collection.key.length : 0)

interface RootRows {
  readonly columns: readonly Column[]
  readonly beside: readonly Sql[]
  readonly clause: Sql
}

function itemRows(query: BoundQuery, options: ReadOptions, plan: Plan): RootRows {
  const base = plan.name()
  const { collection } = query
  const conditions = planConditions(query, base, plan)
  if (options.by === 'key') conditions.unshift(hasKey(query, base, plan))
  if (options.cursor !== null) conditions.push(afterCursor(query.sort, options.cursor, base, plan))
  const wantsCursor = options.meta.includes('cursor')
  const beside = [
    ...(options.wantsRowVersion ? [rowVersion(query, base, plan)] : []),
    ...(options.wantsKeys ? collection.key.map(({ name }) => column(base, name)) : []),
    ...(wantsCursor ? cursorColumns(query.sort, base, plan) : []),
  ]
  const { from, order } = rootSource(query, base, options, plan)
  // One row more than asked for tells whether there is a next page.
  const ordered = order.length === 0 ? sql`` : sql` order by ${list(order)}`
  const cutOff = options.by === 'query' ? window(query, plan, wantsCursor ? 1 : 0) : sql``
  const rows = sql`from ${from} where ${allOf(conditions)}${ordered}${cutOff}`
  const columnsFrom = (source: string, flags?: Flags): Column[] =>
    membersOf(query.select, source, plan, flags).map(({ as, under, value, form, below }) => ({
      keys: under === null ? [as] : [under, as],
      value,
      form,
      below,
    }))
  if (options.by === 'key' || !needsInner(query)) return { columns: columnsFrom(base), beside, clause: rows }

  const source = plan.name()
  const flags = flagsOf(query.select)
  const needed = [
    ...neededColumns(query.select).map((name) => column(base, name)),
    ...flagColumns(flags, base, plan),
    ...beside.map((value, index) => sql`${value} as ${sql.id(`b${index}`)}`),
  ]
  return {
    columns: columnsFrom(source, flags),
    beside: beside.map((_, index) => column(source, `b${index}`)),
    clause: sql`from (select ${list(needed)} ${rows}) as ${sql.id(source)}`,
  }
}

/** Where rows come from and in which order: the table in the order asked for, or a set of keys in its own order. */
function rootSource(query: BoundQuery, base: string, { by }: ReadOptions, plan: Plan): { from: Sql; order: Sql[] } {
  const { collection, sort } = query
  const table = sql`${tableOf(collection)} as ${sql.id(base)}`
  if (by === 'key') return { from: table, order: [] }
  if (by === 'written') return { from: sql`written as ${sql.id(base)}`, order: [] }
  if (by === 'query') return { from: table, order: orderBy(sort, base, plan) }
  const keys = plan.name()
  const set = plan.dialect.bulk.rowsOf({ columns: collection.key.map(typed), slot: KEYS_SLOT }, keys)
  const on = plan.dialect.bulk.matches(
    base,
    collection.key.map(({ name }) => name),
    keys,
  )
  return { from: sql`${set} join ${table} on ${on}`, order: [column(keys, 'n')] }
}

function groupedRows(query: BoundQuery, plan: Plan): RootRows {
  const { aggregate, collection } = query
  if (aggregate === null) throw new TypeError('only an aggregate has groups')
  const base = plan.name()
  const from = sql`${tableOf(collection)} as ${sql.id(base)}`
  const { source, rows } = groupRows(query, aggregate, base, from, [], plan)
  const columns = groupMembers(aggregate, source, plan).map(({ keys, value, form }) => ({
    keys,
    value,
    form,
    below: null,
  }))
  const ordered = rows.order.length === 0 ? rows.clause : sql`${rows.clause} order by ${list(rows.order)}`
  return { columns, beside: [], clause: sql`${ordered}${window(query, plan)}` }
}

function hasKey({ collection }: BoundQuery, source: string, { dialect }: Plan): Sql {
  return allOf(
    collection.key.map((field, part) => {
      const operand = dialect.operandOf(typed(field))
      return sql`${column(source, field.name)} = ${operand.cast(parameter(keySlot(part), operand.encode))}`
    }),
  )
}

/** A mark of the stored row: the database's own where it keeps one, else a hash of what the row holds. */
function rowVersion({ collection, marked }: BoundQuery, source: string, plan: Plan): Sql {
  const { dialect } = plan
  if (marked !== 'row')
    return dialect.rowHash(marked.map(({ field, mask }) => masked(column(source, field.name), mask, source, plan)))
  return rowMark(collection, source, dialect)
}

function planCount(name: MetaValue, query: BoundQuery, plan: Plan): Sql | null {
  const count = (conditionsOf: (source: string) => Sql[]) => {
    const source = plan.name()
    return sql`(select count(*) from ${tableOf(query.collection)} as ${sql.id(source)} where ${allOf(conditionsOf(source))})`
  }
  const all = () => count((source) => planConditions({ ...query, filter: query.rowRule, search: null }, source, plan))
  switch (name) {
    case 'total_count':
      return all()
    case 'filter_count':
      return count((source) => planConditions(query, source, plan))
    case 'estimated_count':
      return query.rowRule === null
        ? plan.dialect.estimatedRows(query.collection.schema, query.collection.table, all())
        : all()
    case 'cursor':
      return null
  }
}
