import { placeholder } from '../../bind.ts'
import { userRowJson } from '../../service/accounts.ts'
import { rowJsonMembers, type RowJsonKind } from '../../service/row-json.ts'
import { REMOVED_AT_ONCE, type ServiceDialect } from '../../service/service-dialect.ts'
import { withoutCast } from '../../service/stored-rows.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { collated } from './charsets.ts'
import { jsonObject } from './json.ts'

const orNull = (value: unknown) => (typeof value === 'string' ? value : null)
const given = (parameter: number) => placeholder(parameter, orNull)

/** The JSON texts of columns. */
const shown: Readonly<Record<RowJsonKind, (name: Sql) => Sql>> = {
  plain: (name) => name,
  text: (name) => sql`json_quote(cast(${name} as char))`,
  boolean: (name) => sql`if(${name} is null, null, if(${name}, 'true', 'false'))`,
  timestamp: (name) => sql`date_format(${name}, '"%Y-%m-%dT%H:%i:%s.%f+00:00"')`,
  json: (name) => name,
}

const rowJson: ServiceDialect['rowJson'] = (source, shape) => jsonObject(rowJsonMembers(source, shape, shown))

/** The columns of a user that revisions store here, in this order. */
const userColumns = [
  'id',
  'first_name',
  'last_name',
  'email',
  'password',
  'status',
  'role',
  'token',
  'provider',
  'external_identifier',
  'tfa_secret',
  'last_access',
  'last_page',
  'auth_data',
] as const
const userRow = Object.fromEntries(userColumns.map((name) => [name, userRowJson[name]]))

/** The elements of a JSON list. Longer ones than the type would be cut without an error. */
const elementsOf =
  (type: Sql, { can }: Server): ServiceDialect['textsIn'] =>
  (parameter) => {
    const key = collated(type, can.exactCollation)
    return sql`(select k.id from json_table(${given(parameter)}, '$[*]' columns (id ${key} path '$')) as k)`
  }

export function createServiceDialect(server: Server): ServiceDialect {
  return {
    text: (parameter) => sql`${given(parameter)}`,
    uuid: (parameter) => sql`${placeholder(parameter, (value) => orNull(value)?.toLowerCase() ?? null)}`,
    integer: (parameter) => sql`cast(${given(parameter)} as signed)`,
    uuidsIn: elementsOf(sql`char(36)`, server),
    textsIn: elementsOf(sql`varchar(255)`, server),
    now: sql`now(6)`,
    clock: sql`now(6)`,
    after: (_, milliseconds) => sql`now(6) + interval ${milliseconds} * 1000 microsecond`,
    milliseconds: (from, to) => sql`timestampdiff(microsecond, ${from}, ${to}) / 1000`,
    least: (left, right) => sql`least(${left}, ${right})`,
    sha256: (text) => sql`sha2(${text}, 256)`,
    same: (left, right) => sql`(${left} <=> ${right})`,
    locked: (query, strength) => (strength === 'update' ? query.forUpdate() : query.modifyEnd(sql`lock in share mode`)),
    removeSome: (from, _, condition) => [
      sql`delete from ${from} where ${condition} limit ${sql.lit(REMOVED_AT_ONCE)}`,
      sql`select row_count()`,
    ],
    upsert: (insert, keys, columns) => {
      // A row that stays is assigned its own key.
      const assigned = columns.length === 0 ? keys.slice(0, 1) : columns
      const assignments = assigned.map((name) => sql`${sql.id(name)} = values(${sql.id(name)})`)
      return sql`${insert} on duplicate key update ${list(assignments)}`
    },
    insertNew: (insert, _, returning, found) =>
      server.can.hasReturning
        ? sql`${insert.ignore()} returning ${returning}`
        : [insert.ignore(), sql`select ${returning} from ${found.table} where ${found.key} and row_count() > 0`],
    // The condition is tested under the lock first, because it may no longer hold after the change.
    updateIf: (update, { table: from, key }, condition, returning) => [
      sql`select count(*) into @tain_found from ${from} where ${key} and ${condition} for update`,
      update.where(key).where(sql<boolean>`@tain_found = 1`),
      sql`select ${returning} from ${from} where ${key} and @tain_found = 1`,
    ],
    rowJson,
    userRow: rowJson('service_users', userRow),
    updateAll: (update, from, returning) => [update, sql`select ${returning} from ${from}`],
    stored: withoutCast,
    matches: (key) => sql`${sql.id(key.column)} = ${withoutCast(key)}`,
    textRows: (json, columns) => {
      const cells = columns.map((name) => sql`${sql.id(name)} longtext path ${sql.lit(`$.${name}`)}`)
      return sql`json_table(${json}, '$[*]' columns (n for ordinality, ${list(cells)}))`
    },
    cast: { integer: (text) => sql`cast(${text} as signed)`, uuid: (text) => text, json: (text) => text },
    unixTime: sql`floor(unix_timestamp(now(6)) * 1000)`,
    lockFree: (query) => sql`${query} for update skip locked`,
    updateFrom: (target, assignments, rows, condition) =>
      sql`update ${target} as d join ${rows} as x on ${condition} set ${assignments}`,
    rowsJson: (schema, name, shape, order) =>
      sql`(select concat('[', coalesce(group_concat(${rowJson('r', shape)} order by ${order} separator ','), ''), ']')
        from ${table(schema, name)} as r)`,
  }
}
