import { placeholder } from '../../bind.ts'
import { returning } from '../../service/returning.ts'
import { REMOVED_AT_ONCE, type ServiceDialect } from '../../service/service-dialect.ts'
import type { StoredValue } from '../../service/stored-value.ts'
import { column, list, sql, table, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { jsonObject } from './json.ts'

const given = (parameter: number) =>
  placeholder(parameter, (value: unknown) => (typeof value === 'string' ? value : null))

const types: Readonly<Record<StoredValue['kind'], Sql>> = {
  text: sql`text`,
  list: sql`json`,
  // Sizes of files need more than an integer has.
  integer: sql`bigint`,
  boolean: sql`boolean`,
  json: sql`json`,
  'json-text': sql`json`,
  uuid: sql`uuid`,
}

const now = { now: sql`now()`, clock: sql`clock_timestamp()` } as const

const removeSome =
  (server: Server): ServiceDialect['removeSome'] =>
  (from, keys, condition) => {
    const columns = list(keys.map((name) => sql.id(name)))
    const locked = server.can.skipLocked ? sql` for update skip locked` : sql``
    return sql`with removed as (delete from ${from} where (${columns}) in (
      select ${columns} from ${from} where ${condition} limit ${sql.lit(REMOVED_AT_ONCE)}${locked}) returning 1)
      select count(*) from removed`
  }

export const createServiceDialect = (server: Server): ServiceDialect => ({
  ...returning,
  text: (parameter) => sql`${given(parameter)}::text`,
  uuid: (parameter) => sql`${given(parameter)}::uuid`,
  integer: (parameter) => sql`${given(parameter)}::bigint`,
  uuidsIn: (parameter) => sql`(select k::uuid from json_array_elements_text(${given(parameter)}::json) as k)`,
  textsIn: (parameter) => sql`(select k from json_array_elements_text(${given(parameter)}::json) as k)`,
  now: sql`now()`,
  clock: sql`clock_timestamp()`,
  after: (time, milliseconds) => sql`${now[time]} + ${milliseconds} * interval '1 millisecond'`,
  milliseconds: (from, to) => sql`extract(epoch from (${to} - ${from})) * 1000`,
  least: (left, right) => sql`least(${left}, ${right})`,
  sha256: (text) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
  locked: (query, strength) => (strength === 'update' ? query.forUpdate() : query.forShare()),
  removeSome: removeSome(server),
  rowJson: (source, shape) =>
    jsonObject(Object.keys(shape).map((name) => ({ name, isCatalogueName: true, value: column(source, name) }))),
  userRow: sql`(to_jsonb(service_users) - 'email_key' - 'tfa_step')::text`,
  stored: ({ value, kind }) => sql`${value}::${types[kind]}`,
  // Compared as text, because numbers may be of any width.
  matches: ({ column: name, value, kind }) =>
    kind === 'text' ? sql`${sql.id(name)} = ${value}::text` : sql`${sql.id(name)}::text = ${value}::text`,
  textRows: (json, columns) => {
    const names = columns.map((name) => sql.id(name))
    return sql`(select ${list(names)}, n from rows from (json_to_recordset(${json}::json)
      as (${list(names.map((name) => sql`${name} text`))})) with ordinality as x(${list(names)}, n))`
  },
  cast: {
    integer: (text) => sql`(${text})::bigint`,
    uuid: (text) => sql`(${text})::uuid`,
    json: (text) => sql`(${text})::json`,
  },
  unixTime: sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  lockFree: (query) => sql`${query} for update of d${server.can.skipLocked ? sql` skip locked` : sql``}`,
  updateFrom: (target, assignments, rows, condition) =>
    sql`update ${target} as d set ${assignments} from ${rows} as x where ${condition}`,
  rowsJson: (schema, name, _, order) =>
    sql`(select coalesce(json_agg(to_json(r) order by ${order}), '[]'::json) from ${table(schema, name)} r)`,
})
