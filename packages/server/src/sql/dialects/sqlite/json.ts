import type { Parameter } from '../../../lib/parameter.ts'
import { constant, placeholder } from '../../bind.ts'
import type { JsonMember, NestedRows } from '../../dialect.ts'
import { rowCount } from '../../raw.ts'
import { list, sql, type Sql } from '../../sql.ts'

/** A function takes a limited number of arguments, and each member needs two of them. */
const MEMBERS = 200

/**
 * Text of a JSON object, from the texts of its values. It is concatenated instead of built by json_object: nested
 * documents stay as they were written, and sorting rows cannot lose the JSON subtype of a value.
 */
export function jsonObject(members: readonly JsonMember[]): Sql {
  if (members.length === 0) return sql`'{}'`
  const parts: Sql[] = []
  for (let start = 0; start < members.length; start += MEMBERS) {
    const texts = members.slice(start, start + MEMBERS).map(({ name, value }, index) => {
      const key = constant(`${start + index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
      return sql`${key}, ifnull(${value}, 'null')`
    })
    parts.push(sql`concat(${list(texts)}${start + MEMBERS >= members.length ? sql`, '}'` : sql``})`)
  }
  return list(parts, sql` || `)
}

export const jsonRow = (members: readonly JsonMember[], rows: Sql): Sql => sql`(select ${jsonObject(members)} ${rows})`

export const jsonRows = (members: readonly JsonMember[], rows: NestedRows): Sql => listOf(jsonObject(members), rows)

export const jsonValues = (value: Sql, rows: NestedRows): Sql => listOf(sql`ifnull(${value}, 'null')`, rows)

/** The inner select sorts and limits the rows; the outer one keeps their order. */
const listOf = (value: Sql, rows: NestedRows): Sql =>
  sql`(select concat('[', group_concat(o.k, ','), ']') from (select ${value} as k ${rowsSql(rows)}) o)`

/** There is always a limit: without one the database omits an order that it considers irrelevant. */
export function window(limit: number | null, offset: Parameter | null): Sql {
  const limited = sql` limit ${limit === null ? sql`-1` : rowCount(limit)}`
  return offset === null ? limited : sql`${limited} offset cast(${placeholder(offset, String)} as integer)`
}

function rowsSql({ clause, order, limit, offset }: NestedRows): Sql {
  if (order.length === 0) return limit === null && offset === null ? clause : sql`${clause}${window(limit, offset)}`
  return sql`${clause} order by ${list(order)}${window(limit, offset)}`
}
