import { placeholder } from '../../bind.ts'
import type { BulkStatements, Recordset } from '../../bulk.ts'
import type { TypedColumn } from '../../dialect.ts'
import { allOf, column, list, sql, type Sql } from '../../sql.ts'

/** The name of a column of a set. */
export const cellName = (index: number) => `f${index}`

/** Where the values of images are named by position, as those of other sets. */
export const imageName: BulkStatements['imageName'] = (_, index) => cellName(index)

/** The place of an image beside the columns of its table. */
export function placeName({ columns }: Recordset): string {
  let name = 'n'
  while (columns.some((stored) => stored.name.toLowerCase() === name)) name += '_'
  return name
}

/** The JSON of a set. */
export const jsonBind = (parameter: number): Sql =>
  placeholder(parameter, (value) => (typeof value === 'string' ? value : null))

export const columnNames = ({ columns }: Recordset): Sql => list(columns.map((stored) => sql.id(stored.name)))

export const namesOf = ({ columns }: Recordset): string[] => columns.map((stored) => stored.name)

/** The columns of `largest`, where children and parents are joined as `t` and `x`. */
export const ordersOf = (target: string): Sql =>
  sql`x.n, max(${column('t', target)}), count(*), count(${column('t', target)})`

/** What differs between databases that update from a common table expression. */
interface MoveParts {
  readonly rowsOf: BulkStatements['rowsOf']
  readonly equal: (left: Sql, right: Sql, stored: TypedColumn) => Sql
  /** An aggregate: whether a condition holds for any row. */
  readonly holdsForAny: (condition: Sql) => Sql
  readonly placed: Sql
  /** The operator that compares two values and treats NULL as a value. */
  readonly differs: Sql
}

/**
 * Rows keep their sort values where possible: the values between the two places rotate by one row. Rows without a value
 * get the next values after the largest one. If there are duplicates, all rows are renumbered.
 */
export const createMove =
  ({ rowsOf, equal, holdsForAny, placed, differs }: MoveParts) =>
  (table: Sql, set: Recordset, order: string): Sql => {
    const keys = namesOf(set)
    const sorted = list([sql`${column('t', order)} nulls last`, ...keys.map((key) => column('t', key))])
    const selected = list(keys.map((key, index) => sql`${column('t', key)} as ${sql.id(`k${index}`)}`))
    const k = (index: number) => `k${index}`
    type NameOf = (index: number) => string
    const isRow = (left: string, leftName: NameOf, right: string, rightName: NameOf) =>
      allOf(
        set.columns.map((stored, index) =>
          equal(column(left, leftName(index)), column(right, rightName(index)), stored),
        ),
      )
    const placeOf = (position: Sql) =>
      sql`(select o.n from ordered o join ${rowsOf(set, 'x')} on ${isRow('o', k, 'x', cellName)} where x.n = ${position})`
    return sql`with ordered as materialized (
      select ${selected}, ${column('t', order)} as v, row_number() over (order by ${sorted}) as n,
        count(*) over (partition by ${column('t', order)}) as alike
      from ${table} as t),
    whole as materialized (
      select ${holdsForAny(sql`v is not null and alike > 1`)} as has_doubles, coalesce(max(v), 0) as most, count(v) as filled from ordered),
    valued as materialized (
      select o.*, case when w.has_doubles then o.n when o.v is null then w.most + (o.n - w.filled) else o.v end as value
      from ordered o, whole w),
    moved as materialized (select ${placeOf(sql`1`)} as origin, ${placeOf(sql`2`)} as target),
    ${placed} (
      select o.*, case when n = origin then target
        when n > origin and n <= target then n - 1
        when n < origin and n >= target then n + 1 else n end as place
      from ordered o, moved)
    update ${table} as t set ${sql.id(order)} = v.value
    from placed p join valued v on v.n = p.place
    where ${isRow('t', (index) => keys[index] ?? '', 'p', k)} and ${column('t', order)} ${differs} v.value`
  }
