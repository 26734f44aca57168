import type { DiagnosisStatements } from '../../diagnosis.ts'
import { statementOf } from '../../database.ts'
import type { TableRef } from '../../ddl.ts'
import type { Statement } from '../../driver.ts'
import { list, sql, table as tableSql, type Sql } from '../../sql.ts'
import { mirroredRelation } from './fingerprint.ts'
import { creatorsStatement } from './names/search-path.ts'
import { postgres } from './index.ts'

const OLDEST = 13
/** Smaller tables are read as a whole anyway. */
const LARGE = 1024 ** 2

const plain = (text: string): Statement => ({ text, values: [] })
const textOf = (fragment: Sql): string => `${statementOf(fragment, postgres).text};`
const nameOf = ({ schema, table }: TableRef): Sql => tableSql(schema, table)

const isMirrored = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> $1
    and ($2::text[] is null or n.nspname = any($2::text[])) and ${mirroredRelation}`

const unservedText = `
  select case when pg_catalog.row_security_active(c.oid) then 'subject' else 'bypassed' end,
    case when n.nspname = current_schema() then c.relname else n.nspname || '.' || c.relname end, null, null
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where ${isMirrored} and c.relrowsecurity and pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    and pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
  union all
  select 'closed', n.nspname, count(*)::text, format('grant usage on schema %I to %I;', n.nspname, current_user)
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where ${isMirrored} and not pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  group by n.nspname order by 1, 2`

export const diagnosis: DiagnosisStatements = {
  version: plain(`select current_setting('server_version')`),
  unsupported: (version) => (Number.parseInt(version, 10) >= OLDEST ? null : `PostgreSQL ${OLDEST}`),
  clock: plain(`select round(extract(epoch from clock_timestamp()) * 1000)::bigint::text`),
  connections:
    plain(`select current_setting('max_connections'), (current_setting('superuser_reserved_connections')::integer
      + coalesce(current_setting('reserved_connections', true), '0')::integer)::text,
    (select count(*)::text from pg_catalog.pg_stat_activity where datid is not null
      -- A role that may not see a session gets null.
      and coalesce(backend_type, 'client backend') = 'client backend'
      and coalesce(application_name, '') not in ('tain', 'tain doctor'))`),
  replicas: plain(
    `select count(distinct client_addr)::text from pg_catalog.pg_stat_activity where application_name = 'tain'`,
  ),
  furtherConnections: 4,
  session: plain('select pg_backend_pid()::text'),
  unanalysed: {
    text: `select n.nspname, c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      left join pg_catalog.pg_stat_all_tables s on s.relid = c.oid
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
        and c.reltuples <= 0 and s.last_analyze is null and s.last_autoanalyze is null
        and pg_catalog.pg_relation_size(c.oid) > $1::bigint order by 1, 2`,
    values: [String(LARGE)],
  },
  analyse: (table) => textOf(sql`analyze ${nameOf(table)}`),
  readOnly: { begin: plain('set transaction read only'), refusal: '25006' },
  readOne: (table) => statementOf(sql`select * from ${nameOf(table)} limit 1`, postgres),
  createIndex: (table, columns) =>
    textOf(sql`create index concurrently on ${nameOf(table)} (${list(columns.map((name) => sql.id(name)))})`),
  grantSelect: ({ schema, table }) => ({
    text: `select format('grant select on %I.%I to %I;', $1::text, $2::text, current_user)`,
    values: [schema, table],
  }),
  unserved: (systemSchema, schemas) => ({
    text: unservedText,
    values: [systemSchema, schemas === null ? null : [...schemas]],
  }),
  addKey: (table) =>
    textOf(sql`alter table ${nameOf(table)} add column id bigint generated always as identity primary key`),
  advice: async (run) =>
    (await run(creatorsStatement)).map(([schema, role, quoted]) => ({
      level: 'warning',
      text: `${role === 'public' ? 'Every role' : `The role ${role}`} may create objects in the schema ${schema}, which is in the search path: a function or operator there can replace one of the system for every program that names it without its schema. Statements of the service name the schema of everything, so they are not affected.`,
      fix: `revoke create on schema ${quoted} from ${role};`,
    })),
}
