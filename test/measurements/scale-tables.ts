// Many tables of ten columns, each with two indexes and a foreign key to an earlier table.
import { fingerprintStatement as ofMysql } from '../../packages/server/src/sql/dialects/mysql/fingerprint.ts'
import { fingerprintStatement as ofPostgres } from '../../packages/server/src/sql/dialects/postgres/fingerprint.ts'
import { fingerprintStatement as ofSqlite } from '../../packages/server/src/sql/dialects/sqlite/fingerprint.ts'
import type { Statement } from '../../packages/server/src/sql/driver.ts'
import type { TestDatabase, TestDialect } from '../lib/databases.ts'

const STEP = 100
/** The number of tables with rows. */
export const FEW = 10
export const ROWS = 1000

/** Every other table is in a second schema. Each references the previous table in the same schema. */
const postgresTables = (first: number, last: number) => `do $$
declare s text; t text;
begin
  for i in ${first}..${last} loop
    s := case when i % 2 = 0 then 'wide' else 'public' end;
    t := 'table_' || i;
    execute format('create table %I.%I (id serial primary key, name varchar(100) not null, code varchar(20) unique,
      body text default ''x'', amount numeric(10,2) default 0, created timestamptz default now(),
      flag boolean not null default false, parent_id integer, tags text[], data jsonb)', s, t);
    execute format('create index on %I.%I (name)', s, t);
    if i > 2 then
      execute format('alter table %I.%I add foreign key (parent_id) references %I.%I on delete set null',
        s, t, s, 'table_' || (i - 2));
    end if;
    if i % 5 = 0 then execute format('comment on column %I.%I.name is %L', s, t, 'the name of ' || t); end if;
    if i <= ${FEW} then
      execute format('insert into %I.%I (name, code, parent_id) select ''name '' || n, n, case when ${last} > 2 and %s > 2
        then n end from generate_series(1, ${ROWS}) n', s, t, i);
    end if;
  end loop;
end $$`

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Rows reference those of the parent table. */
const rowsOf = (table: number, series: string) => `
  insert into table_${table} (name, code, parent_id) select 'name ' || n, n, ${table > 2 ? 'n' : 'null'} from ${series};`

const parentOf = (table: number) =>
  table > 2 ? `, foreign key (parent_id) references table_${table - 2} (id) on delete set null` : ''

const sqliteTable = (table: number) => `create table table_${table} (id integer primary key, name varchar(100) not null,
    code varchar(20) unique, body text default 'x', amount decimal(10,2) default 0,
    created timestamp default current_timestamp, flag boolean not null default false, parent_id integer, tags json,
    data json${parentOf(table)});
  create index table_${table}_name on table_${table} (name);
  ${
    table <= FEW
      ? rowsOf(
          table,
          `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${ROWS}) select n from s)`,
        )
      : ''
  }`

const comment = (table: number) => (table % 5 === 0 ? ` comment 'the name of table_${table}'` : '')

const mysqlTable = (table: number) => `create table table_${table} (id integer auto_increment primary key,
    name varchar(100) not null${comment(table)}, code varchar(20) unique, body text default 'x',
    amount decimal(10,2) default 0, created timestamp(3) default current_timestamp(3),
    flag boolean not null default false, parent_id integer, tags json, data json, index (name)${parentOf(table)});
  ${
    table <= FEW
      ? rowsOf(table, `(select seq as n from seq_1_to_${ROWS}) s`).replace("'name ' || n", "concat('name ', n)")
      : ''
  }`

interface Filling {
  readonly before?: string
  readonly tables: (first: number, last: number) => string
  readonly after?: string
}

const fillings: Readonly<Record<TestDialect, Filling>> = {
  postgres: { before: 'create schema wide', tables: postgresTables, after: 'vacuum analyze' },
  sqlite: {
    before: 'pragma synchronous = off',
    tables: (first, last) => `begin; ${numbers(first, last).map(sqliteTable).join('\n')} commit;`,
    after: 'analyze',
  },
  mysql: { tables: (first, last) => numbers(first, last).map(mysqlTable).join('\n') },
}

export async function fill({ dialect, query }: Pick<TestDatabase, 'dialect' | 'query'>, tables: number): Promise<void> {
  const filling = fillings[dialect]
  if (filling.before !== undefined) await query(filling.before)
  // A single transaction would hold more locks than a server allows.
  for (let first = 1; first <= tables; first += STEP)
    await query(filling.tables(first, Math.min(first + STEP - 1, tables)))
  if (filling.after !== undefined) await query(filling.after)
}

/** The schema prefix of a table. On PostgreSQL, every other table is in a second schema. */
export const schemaOf = (dialect: TestDialect, table: number): string =>
  dialect === 'postgres' && table % 2 === 0 ? 'wide.' : ''

/** The statement that polls for schema changes. */
export function fingerprintOf(dialect: TestDialect, database: string): Statement {
  if (dialect === 'postgres') return ofPostgres({ systemSchema: 'tain', schemas: null })
  return dialect === 'sqlite' ? ofSqlite() : ofMysql({ systemSchema: database, schemas: null })
}
