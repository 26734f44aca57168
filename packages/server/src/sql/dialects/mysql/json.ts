import type { Parameter } from '../../../lib/parameter.ts'
import { constant, placeholder } from '../../bind.ts'
import type { Dialect, JsonMember, NestedRows } from '../../dialect.ts'
import { rowCount } from '../../raw.ts'
import { list, sql, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'

/** Text of a JSON object whose keys are binds: names never appear as literals in the statement text. */
export function jsonObject(members: readonly JsonMember[]): Sql {
  if (members.length === 0) return sql`'{}'`
  const parts = members.map(({ name, value }, index) => {
    const key = constant(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    return sql`${key}, coalesce(${value}, 'null')`
  })
  return sql`concat(${list(parts)}, '}')`
}

export const jsonRow = (members: readonly JsonMember[], rows: Sql): Sql => sql`(select ${jsonObject(members)} ${rows})`

/** All rows: an offset requires a limit, and an ORDER BY in parentheses only takes effect with one. */
const ALL = sql`18446744073709551615`

const limitOf = (limit: number | null): Sql => (limit === null ? ALL : rowCount(limit))

export const window = (limit: number | null, offset: Parameter | null): Sql =>
  offset === null
    ? sql` limit ${limitOf(limit)}`
    : sql` limit ${limitOf(limit)} offset ${placeholder(offset, wholeNumber)}`

const wholeNumber = (value: unknown) => BigInt(String(value))

/** Rows as one JSON list. */
type ListOf = (value: Sql, rows: NestedRows, separator: Sql) => Sql

const joined = (value: Sql, order: Sql, separator: Sql, cut: Sql): Sql =>
  sql`concat('[', coalesce(group_concat(${value}${order} separator ${separator}${cut}), ''), ']')`

const orderOf = (order: readonly Sql[]): Sql => (order.length === 0 ? sql`` : sql` order by ${list(order)}`)

const cutOf = ({ limit, offset }: NestedRows): Sql =>
  limit === null && offset === null ? sql`` : window(limit, offset)

/** For servers whose derived tables do not see the outer row: the aggregate itself takes an order and a limit. */
const listInPlace: ListOf = (value, rows, separator) => {
  const distinct = rows.isDistinct === true ? sql`distinct ` : sql``
  return sql`(select ${joined(sql`${distinct}${value}`, orderOf(rows.order), separator, cutOf(rows))} ${rows.clause})`
}

/** For servers whose aggregate takes no limit: the rows are limited first, and keep their order by a row number. */
const listOfRows: ListOf = (value, rows, separator) => {
  const { clause, order } = rows
  const cut = cutOf(rows)
  const isSorted = order.length > 0
  const number = isSorted ? sql`, row_number() over (order by ${list(order)}) as n` : sql``
  const inner = sql`select ${value} as k${number} ${clause}${isSorted ? sql` order by n` : sql``}${cut}`
  return sql`(select ${joined(sql`o.k`, isSorted ? sql` order by o.n` : sql``, separator, sql``)} from (${inner}) as o)`
}

const MAX_IDENTIFIER_BYTES = 63

/** The separator between objects is PostgreSQL's, so that responses are identical byte for byte. */
const separatorOf = (members: readonly JsonMember[]): Sql =>
  members.length > 0 &&
  members.every(({ name, isCatalogueName }) => isCatalogueName && Buffer.byteLength(name) <= MAX_IDENTIFIER_BYTES)
    ? sql`', \n '`
    : sql`', '`

export const createLists = (server: Server): Pick<Dialect, 'jsonRows' | 'jsonValues'> => {
  const listOf: ListOf = (...given) => (server.can.limitsLists ? listInPlace : listOfRows)(...given)
  return {
    jsonRows: (members, rows) => listOf(jsonObject(members), rows, separatorOf(members)),
    jsonValues: (value, rows) => listOf(sql`coalesce(${value}, 'null')`, rows, sql`', '`),
  }
}

/** A path that exists in no object, so nothing is replaced there. */
const NOWHERE = sql.lit('$[1]')

export const withMasked = (document: Sql, names: readonly string[], mask: string): Sql => {
  const replacements = names.map((name) => {
    const path = constant(`$.${JSON.stringify(name)}`)
    const isNothing = sql`coalesce(json_type(json_extract(${document}, ${path})), 'NULL') = 'NULL'`
    return sql`if(${isNothing}, ${NOWHERE}, ${path}), ${constant(mask)}`
  })
  return sql`json_replace(${document}, ${list(replacements)})`
}
