import type { DiagnosisStatements, ServerAdvice } from '../../diagnosis.ts'
import type { Statement } from '../../driver.ts'
import { quoted, quotedTable } from './names.ts'

const plain = (text: string): Statement => ({ text, values: [] })

/** Statements contain their values; a byte takes up to two in a literal. */
const ESCAPED = 2

/** Programs tell their names only if the server has a performance schema. */
const sessions = `information_schema.processlist p left join performance_schema.session_account_connect_attrs a
    on a.processlist_id = p.id and a.attr_name = 'program_name'`

/** The service connects as one user to one database, and so does hardly any other program. */
const isService = `(p.user = substring_index(user(), '@', 1) and p.db <=> database()
    and coalesce(a.attr_value, 'tain') in ('tain', 'tain doctor'))`

export const diagnosis: DiagnosisStatements = {
  version: plain('select version()'),
  // A connection to an older server fails, see capabilities.ts.
  unsupported: () => null,
  clock: plain('select cast(round(unix_timestamp(sysdate(3)) * 1000) as char)'),
  connections: plain(`select cast(@@max_connections as char), '1', (select cast(count(*) as char)
    from ${sessions} where p.user not in ('system user', 'event_scheduler') and not ${isService})`),
  // Sessions of the doctor itself are not older than the one that asks.
  replicas: plain(`select cast(count(distinct regexp_replace(p.host, ':[0-9]+$', '')) as char)
    from ${sessions} where ${isService} and p.id < connection_id() and coalesce(a.attr_value, 'tain') = 'tain'`),
  furtherConnections: 5,
  session: null,
  unanalysed: null,
  analyse: (table) => `analyze table ${quotedTable(table)};`,
  // Ends the transaction that the driver began, and begins another one.
  readOnly: { begin: plain('start transaction read only'), refusal: '1792' },
  readOne: (table) => plain(`select * from ${quotedTable(table)} limit 1`),
  createIndex: (table, columns) =>
    `create index ${quoted(columns.join('_'))} on ${quotedTable(table)} (${columns.map(quoted).join(', ')});`,
  grantSelect: null,
  unserved: null,
  addKey: (table) => `alter table ${quotedTable(table)} add column id bigint auto_increment primary key;`,
  async advice(run, payload) {
    const found: ServerAdvice[] = []
    const [row] = await run(
      plain(`select database(), (select default_character_set_name from information_schema.schemata
        where schema_name = database()), cast(@@max_allowed_packet as char)`),
    )
    const [database = '', charset, packet] = row ?? []
    if (charset !== 'utf8mb4')
      found.push({
        level: 'warning',
        text: `The character set of the database is ${charset}: new text columns cannot store every character.`,
        fix: `alter database ${quoted(database ?? '')} character set utf8mb4;`,
      })
    const tables = await run(
      plain(`select table_schema, table_name from information_schema.tables where table_schema = database()
        and table_type = 'BASE TABLE' and table_collation not like 'utf8mb4%' order by 2`),
    )
    for (const [schema, table] of tables)
      found.push({
        level: 'warning',
        text: `The table ${table} does not store text as utf8mb4.`,
        fix: `alter table ${quotedTable({ schema: schema ?? '', table: table ?? '' })} convert to character set utf8mb4;`,
      })
    if (Number(packet) < payload * ESCAPED)
      found.push({
        level: 'problem',
        text: `max_allowed_packet is ${packet} bytes, and a request of MAX_PAYLOAD_SIZE (${payload} bytes) can need ${payload * ESCAPED}.`,
        fix: `set global max_allowed_packet = ${Math.ceil((payload * ESCAPED) / 1024 ** 2) * 1024 ** 2};`,
      })
    return found
  },
}
