import { createHash } from 'node:crypto'
import { MASK } from '@tain/contract'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { LARGEST_IMAGE } from '../../bulk.ts'
import { createCompile } from '../../compile.ts'
import type { TriggeredTable, TriggerSource } from '../../outside.ts'
import { SWITCH } from '../../service/trigger-switches.ts'
import { column, sql, table, type Sql } from '../../sql.ts'
import { withMasked } from './json.ts'
import { joinedKey, shownPart } from './keys.ts'
import { storedRow } from './stored-row.ts'

/** Functions and scripts take no binds. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.appendImmediateValue(value)
  }
}

const compile = createCompile({
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (database) => new PostgresIntrospector(database),
  createQueryCompiler: () => new LiteralCompiler(),
})
const textOf = (statement: Sql): string => compile(statement).text

/** How the names of the functions begin. */
export const FUNCTION = 'tain_tell_'
const INDEX = 'service_outbox_told'

const functionOf = ({ schema, name }: TriggeredTable): string =>
  `${FUNCTION}${createHash('sha256')
    .update(JSON.stringify([schema, name]))
    .digest('hex')
    .slice(0, 16)}`

/** The key of a row as addresses have it, as a write of the service tells it. */
function itemOf(source: string, { key }: TriggeredTable): Sql {
  const parts = key.map((part) => ({ value: column(source, part.column.name), column: part }))
  const [only, ...others] = parts
  return only !== undefined && others.length === 0 ? sql`${shownPart(only)}::text` : joinedKey(parts)
}

function imageOf(source: string, { columns, secrets }: TriggeredTable): Sql {
  const row = storedRow({ columns, isWhole: false }, source)
  return sql`(select case when length(i.row::text) <= ${sql.lit(LARGEST_IMAGE)} then i.row::text end
      from (select ${secrets.length === 0 ? row : withMasked(row, secrets, MASK)} as row) i)`
}

/**
 * It must not fail: that would be a failure of the other program. A column that is gone leaves the rows unknown, and one
 * of the key means that nobody can say which row it was.
 */
const bodyOf = (of: TriggeredTable, systemSchema: string): Sql => {
  const outbox = table(systemSchema, 'service_outbox')
  const name = sql.lit(of.collection)
  return sql`
declare
  tain_expected text;
  tain_old_key text; tain_new_key text; tain_old text; tain_new text;
begin
  if not exists (select from ${table(systemSchema, 'service_event_interest')} where collection in (${name}, '*')) then
    return null;
  end if;
  select fingerprint into tain_expected from ${table(systemSchema, 'service_watch')} where name = ${sql.lit(SWITCH + of.collection)};
  if not found then
    return null;
  end if;
  if tg_op <> 'TRUNCATE' then
    begin
      if tg_op <> 'INSERT' then tain_old_key := ${itemOf('old', of)}; end if;
      if tg_op <> 'DELETE' then tain_new_key := ${itemOf('new', of)}; end if;
      if tain_expected = tg_argv[0] then
        if tg_op <> 'INSERT' then tain_old := ${imageOf('old', of)}; end if;
        if tg_op <> 'DELETE' then tain_new := ${imageOf('new', of)}; end if;
      end if;
    exception when others then
      tain_old := null; tain_new := null;
    end;
  end if;
  if coalesce(tain_new_key, tain_old_key) is null then
    insert into ${outbox} (write, collection, item, kind) values ('o' || txid_current(), ${name}, '', 'truncate');
    return null;
  end if;
  insert into ${outbox} (write, collection, item, kind, before, after)
    select 'o' || txid_current(), ${name}, c.item, c.kind, c.before, c.after from (
      select 1 as n, tain_old_key as item, 'delete' as kind, tain_old as before, null::text as after
        where tg_op = 'DELETE' or (tg_op = 'UPDATE' and tain_old_key <> tain_new_key)
      union all select 2, tain_new_key, 'create', null, tain_new
        where tg_op = 'INSERT' or (tg_op = 'UPDATE' and tain_old_key <> tain_new_key)
      union all select 3, tain_new_key, 'update', tain_old, tain_new
        where tg_op = 'UPDATE' and tain_old_key = tain_new_key) c
    where not exists (select from ${outbox} t where t.write = txid_current()::text
      and md5(t.item) = md5(c.item) and t.item = c.item and t.collection = ${name})
    order by c.n;
  return null;
end
`
}

/** Values have the forms of the service's sessions, whatever the session of the other program has. */
const SETTINGS = [
  'search_path = pg_catalog, pg_temp',
  `timezone = 'UTC'`,
  `datestyle = 'ISO'`,
  `intervalstyle = 'iso_8601'`,
  'extra_float_digits = 1',
  `bytea_output = 'hex'`,
]

const quoted = (body: string): string => {
  let tag = '$tain$'
  while (body.includes(tag)) tag = `${tag.slice(0, -1)}n$`
  return `${tag}${body}${tag}`
}

/**
 * The function belongs to whoever has the outbox, because it runs with the rights of its owner; nobody else may use it
 * for a trigger.
 */
function createOne(of: TriggeredTable, systemSchema: string, fingerprint: string): readonly string[] {
  const target = textOf(table(of.schema, of.name))
  const name = `${textOf(table(systemSchema, functionOf(of)))}()`
  const settings = SETTINGS.map((setting) => `set ${setting}`).join(' ')
  const call = `execute function ${name.slice(0, -1)}'${fingerprint}')`
  const owner = `execute format('alter function %s owner to %I', ${textOf(sql`${name}::text`)}, (select tableowner
  from pg_catalog.pg_tables where schemaname = ${textOf(sql`${systemSchema}`)} and tablename = 'service_outbox'));`
  return [
    'begin;',
    `drop function if exists ${name} cascade;`,
    `create function ${name} returns trigger language plpgsql security definer ${settings}
as ${quoted(textOf(bodyOf(of, systemSchema)))};`,
    `create trigger tain_events after insert or update or delete on ${target} for each row ${call};`,
    `create trigger tain_events_truncate after truncate on ${target} for each statement ${call};`,
    `revoke all on function ${name} from public;`,
    `do ${quoted(`begin ${owner} end`)};`,
    'commit;',
  ]
}

export const triggers: TriggerSource = {
  perTable: 1,
  seeInterest: true,
  prepare: (schema) => [
    `create index if not exists ${INDEX} on ${textOf(table(schema, 'service_outbox'))} (write, md5(item));`,
  ],
  create: createOne,
  installed: (schema) => sql`select tn.nspname::text, c.relname::text, pg_catalog.pg_get_triggerdef(t.oid),
      format('drop function if exists %I.%I() cascade;', n.nspname, p.proname)
    from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    left join pg_catalog.pg_trigger t on t.tgfoid = p.oid and t.tgparentid = 0 and t.tgtype & 32 = 0 and t.tgenabled <> 'D'
    left join pg_catalog.pg_class c on c.oid = t.tgrelid left join pg_catalog.pg_namespace tn on tn.oid = c.relnamespace
    where n.nspname = ${schema}::text and p.proname like ${`${FUNCTION}%`}::text order by 1, 2, 4`,
  clear: (schema) => [`drop index if exists ${textOf(table(schema, INDEX))};`],
}
