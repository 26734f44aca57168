import { placeholder } from '../../bind.ts'
import { userRowJson } from '../../service/accounts.ts'
import { returning } from '../../service/returning.ts'
import { rowJsonMembers, type RowJsonKind } from '../../service/row-json.ts'
import { REMOVED_AT_ONCE, type ServiceDialect } from '../../service/service-dialect.ts'
import { withoutCast } from '../../service/stored-rows.ts'
import type { Timestamp } from '../../service/query-builder.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import { jsonObject } from './json.ts'

const given = (parameter: number) =>
  placeholder(parameter, (value: unknown) => (typeof value === 'string' ? value : null))

/** As precise as the clock, and always of one length, so that texts compare like timestamps. */
export const now = sql<Timestamp>`strftime('%Y-%m-%d %H:%M:%f', 'now')`

/** The JSON texts of columns. */
const shown: Readonly<Record<RowJsonKind, (name: Sql) => Sql>> = {
  plain: (name) => name,
  text: (name) => sql`json_quote(${name})`,
  boolean: (name) => sql`case ${name} when 0 then 'false' when 1 then 'true' end`,
  timestamp: (name) => sql`json_quote(tain_shown_moment(${name}))`,
  json: (name) => name,
}

const rowJson: ServiceDialect['rowJson'] = (source, shape) => jsonObject(rowJsonMembers(source, shape, shown))

const elements: ServiceDialect['textsIn'] = (parameter) => sql`(select value from json_each(${given(parameter)}))`

export const serviceDialect: ServiceDialect = {
  ...returning,
  text: (parameter) => sql`${given(parameter)}`,
  uuid: (parameter) => sql`lower(${given(parameter)})`,
  integer: (parameter) => sql`cast(${given(parameter)} as integer)`,
  uuidsIn: elements,
  textsIn: elements,
  now,
  clock: now,
  after: (_, milliseconds) => sql`strftime('%Y-%m-%d %H:%M:%f', 'now', (${milliseconds} / 1000.0) || ' seconds')`,
  milliseconds: (from, to) => sql`(unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec')) * 1000`,
  least: (left, right) => sql`min(${left}, ${right})`,
  sha256: (text) => sql`tain_sha256(${text})`,
  // No other transaction writes at the same time.
  locked: (query) => query,
  removeSome: (from, _, condition) => [
    sql`delete from ${from} where rowid in (
      select rowid from ${from} where ${condition} limit ${sql.lit(REMOVED_AT_ONCE)})`,
    sql`select changes()`,
  ],
  rowJson,
  userRow: rowJson('service_users', userRowJson),
  stored: withoutCast,
  matches: (key) => sql`${sql.id(key.column)} = ${withoutCast(key)}`,
  textRows: (json, columns) => {
    const cells = columns.map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`)
    return sql`(select ${list(cells)}, key as n from json_each(${json}))`
  },
  cast: { integer: (text) => sql`cast(${text} as integer)`, uuid: (text) => text, json: (text) => text },
  unixTime: sql`cast(unixepoch('now', 'subsec') * 1000 as integer)`,
  lockFree: (query) => query,
  updateFrom: (target, assignments, rows, condition) =>
    sql`update ${target} as d set ${assignments} from ${rows} as x where ${condition}`,
  rowsJson: (schema, name, shape, order) =>
    sql`(select concat('[', group_concat(o.k, ','), ']') from (
      select ${rowJson('r', shape)} as k from ${table(schema, name)} as r order by ${order}) as o)`,
}
