import { constant, placeholder } from '../../bind.ts'
import type { Parameter } from '../../../lib/parameter.ts'
import type { JsonMember, NestedRows } from '../../dialect.ts'
import { rowCount } from '../../raw.ts'
import { list, sql, type Sql } from '../../sql.ts'

const MAX_IDENTIFIER_BYTES = 63

const canNameColumn = ({ name, isCatalogueName }: JsonMember) =>
  isCatalogueName && Buffer.byteLength(name) <= MAX_IDENTIFIER_BYTES && !name.includes('\u0000')

/** The text of a JSON object whose keys are bind values: names that a caller chose never become identifiers. */
export function jsonObject(members: readonly JsonMember[]): Sql {
  const parts = members.map(({ name, value }, index) => {
    const key = constant(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`)
    return sql`${key}::text || coalesce(to_json(${value})::text, 'null')`
  })
  return sql`('{' || ${parts.length === 0 ? sql`''` : list(parts, sql` || `)} || '}')::json`
}

/**
 * to_json of a whole row is the fastest way to build an object, and has no limit on the number of keys. The row is
 * `o.*`, because a bare `o` would mean a column of that name if there is one.
 */
export function jsonRow(members: readonly JsonMember[], rows: Sql): Sql {
  if (members.length === 0 || !members.every(canNameColumn)) return sql`(select ${jsonObject(members)} ${rows})`
  return sql`(select to_json(o.*) from (select ${named(members)} ${rows}) o)`
}

export function jsonRows(members: readonly JsonMember[], nested: NestedRows): Sql {
  const rows = rowsSql(nested)
  if (members.length > 0 && members.every(canNameColumn)) {
    return sql`(select coalesce(json_agg(o.*), '[]'::json) from (select ${named(members)} ${rows}) o)`
  }
  return jsonValues(jsonObject(members), nested)
}

export const jsonValues = (value: Sql, rows: NestedRows): Sql =>
  sql`(select coalesce(json_agg(o.k), '[]'::json) from (select ${value} as k ${rowsSql(rows)}) o)`

export function window(limit: number | null, offset: Parameter | null): Sql {
  const limited = limit === null ? sql`` : sql` limit ${rowCount(limit)}`
  return offset === null ? limited : sql`${limited} offset ${placeholder(offset, String)}::bigint`
}

const rowsSql = ({ clause, order, limit, offset }: NestedRows): Sql =>
  sql`${clause}${order.length === 0 ? sql`` : sql` order by ${list(order)}`}${window(limit, offset)}`

const named = (members: readonly JsonMember[]): Sql =>
  list(members.map(({ name, value }) => sql`${value} as ${sql.id(name)}`))

export const withMasked = (document: Sql, names: readonly string[], mask: string): Sql =>
  sql`case when json_typeof(${document}) = 'object' then coalesce((select json_object_agg(e.key, case
      when e.key in (${list(names.map((name) => sql`${name}::text`))}) and json_typeof(e.value) <> 'null'
      then to_json(${mask}::text) else e.value end) from json_each(${document}) as e), ${document}) else ${document} end`
