import type { Slot } from '../../../lib/slot.ts'
import { constant, parameter } from '../../bind.ts'
import type { JsonMember, NestedRows } from '../../dialect.ts'
import { rowCount } from '../../raw.ts'
import { list, sql, type Sql } from '../../sql.ts'

/** Text of a JSON object whose keys are binds: names never become part of a statement's text as literals. */
export function jsonObject(members: readonly JsonMember[]): Sql {
  if (members.length === 0) return sql`'{}'`
  const parts = members.map(({ name, value }, index) => {
    const key = constant(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    return sql`${key}, coalesce(${value}, 'null')`
  })
  return sql`concat(${list(parts)}, '}')`
}

export const jsonRow = (members: readonly JsonMember[], rows: Sql): Sql => sql`(select ${jsonObject(members)} ${rows})`

/** All that there are: an offset needs a limit before it, and so does an order inside of parentheses to count. */
const ALL = sql`18446744073709551615`

const limitOf = (limit: number | null): Sql => (limit === null ? ALL : rowCount(limit))

export const window = (limit: number | null, offset: Slot | null): Sql =>
  offset === null
    ? sql` limit ${limitOf(limit)}`
    : sql` limit ${limitOf(limit)} offset ${parameter(offset, wholeNumber)}`

const wholeNumber = (value: unknown) => BigInt(String(value))

/**
 * Rows as one JSON list. The server has no LATERAL, and a derived table does not see the row around it; but the aggregate
 * itself takes an order and a limit, so that a list needs no table of its own.
 */
function listOf(value: Sql, { clause, order, limit, offset, isDistinct }: NestedRows, separator: Sql): Sql {
  const ordered = order.length === 0 ? sql`` : sql` order by ${list(order)}`
  const cut = limit === null && offset === null ? sql`` : window(limit, offset)
  const all = sql`group_concat(${isDistinct === true ? sql`distinct ` : sql``}${value}${ordered} separator ${separator}${cut})`
  return sql`(select concat('[', coalesce(${all}, ''), ']') ${clause})`
}

const MAX_IDENTIFIER_BYTES = 63

/** Between objects stands what PostgreSQL puts there, so that answers are the same to the byte. */
const separatorOf = (members: readonly JsonMember[]): Sql =>
  members.length > 0 &&
  members.every(({ name, isCatalogueName }) => isCatalogueName && Buffer.byteLength(name) <= MAX_IDENTIFIER_BYTES)
    ? sql`', \n '`
    : sql`', '`

export const jsonRows = (members: readonly JsonMember[], rows: NestedRows): Sql =>
  listOf(jsonObject(members), rows, separatorOf(members))

export const jsonValues = (value: Sql, rows: NestedRows): Sql =>
  listOf(sql`coalesce(${value}, 'null')`, rows, sql`', '`)
