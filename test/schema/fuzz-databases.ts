// The statements that the fuzz sends to each database directly, without the service.
import type { TestDatabase, TestDialect } from '../lib/databases.ts'
import { mysqlDisagreements, mysqlStructure } from './catalogue-mysql.ts'
import { sqliteDisagreements, sqliteStructure } from './catalogue-sqlite.ts'
import { disagreementsOf, markOf } from './catalogue.ts'
import { MARK } from './mark.ts'

type Query = TestDatabase['query']

export interface FuzzDatabase {
  /** A table that calls must not touch, several that they may, one of them large, and a view. */
  readonly tables: string
  /** Name of a table, then its columns as a JSON list. */
  readonly columns: string
  readonly fields: string
  readonly markOf: (query: Query) => Promise<string>
  readonly disagreementsOf: (query: Query) => Promise<string[]>
}

const counted = (count: number) =>
  `(with recursive s (n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s)`

export const fuzzDatabases: Readonly<Record<TestDialect, FuzzDatabase>> = {
  postgres: {
    tables: `
      create table keep (id integer primary key, name text);
      create table "${MARK}_goods" (id integer primary key, name text, maker integer);
      create table "${MARK}_large" (id integer primary key, name text, filler text);
      create view seen as select id, name from keep;
      insert into keep values (1, 'kept');
      insert into "${MARK}_goods" select n, 'good ' || n, 1 from generate_series(1, 5) n;
      insert into "${MARK}_large" select n, 'l' || n, repeat('x', 600) from generate_series(1, 2000) n`,
    columns: `select c.relname, coalesce(json_agg(a.attname order by a.attnum) filter (where a.attnum > 0), '[]')
      from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') group by c.relname order by c.relname`,
    fields: 'select collection, field from tain.service_fields order by collection, field',
    markOf,
    disagreementsOf,
  },
  mysql: {
    tables: `
      create table keep (id int primary key, name longtext);
      create table \`${MARK}_goods\` (id int primary key, name longtext, maker int);
      create table \`${MARK}_large\` (id int primary key, name longtext, filler longtext);
      create view seen as select id, name from keep;
      insert into keep values (1, 'kept');
      insert into \`${MARK}_goods\` select s.n, concat('good ', s.n), 1 from ${counted(5)} s;
      set max_recursive_iterations = 10000;
      insert into \`${MARK}_large\` select s.n, concat('l', s.n), repeat('x', 600) from ${counted(2000)} s`,
    columns: `select table_name, concat('[', group_concat(json_quote(column_name) order by ordinal_position), ']')
      from information_schema.columns where table_schema = database() and table_name not like 'service\\_%'
      group by table_name order by table_name`,
    fields: 'select collection, field from service_fields order by collection, field',
    markOf: (query) => mysqlStructure(query, false),
    disagreementsOf: mysqlDisagreements,
  },
  sqlite: {
    tables: `
      create table keep (id integer primary key, name text);
      create table "${MARK}_goods" (id integer primary key, name text, maker integer);
      create table "${MARK}_large" (id integer primary key, name text, filler text);
      create view seen as select id, name from keep;
      insert into keep values (1, 'kept');
      insert into "${MARK}_goods" select s.n, 'good ' || s.n, 1 from ${counted(5)} s;
      insert into "${MARK}_large" select s.n, 'l' || s.n, printf('%.600c', 'x') from ${counted(2000)} s`,
    columns: `select t.name, json_group_array(c.name order by c.cid) from sqlite_schema t join pragma_table_xinfo(t.name) c
      where t.type in ('table', 'view') and t.name not like 'sqlite\\_%' escape '\\' and t.name not like 'service\\_%' escape '\\'
      group by t.name order by t.name`,
    fields: 'select collection, field from service_fields order by collection, field',
    markOf: sqliteStructure,
    disagreementsOf: sqliteDisagreements,
  },
}
