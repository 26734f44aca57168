import BetterSqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { withoutKeys } from './without-keys.ts'

const structure = `
  create table users (id text primary key);
  create table teams (id integer primary key);
  create table "my notes" (id integer primary key autoincrement, "the owner" text not null references [Users] (id) on delete cascade,
    team integer references teams, other text, third text default 'references users', doubled integer generated always as (id * 2) stored,
    constraint kept check (other <> 'x'), constraint goes foreign key (other) references users (id),
    foreign key (team) references teams (id) on delete set null) strict;
  create index by_owner on "my notes" ("the owner");
  create view seen as select id from "my notes";
  create trigger noted after insert on "my notes" begin update teams set id = id; select 1; end;
  insert into users values ('u'); insert into teams values (1);
  insert into "my notes" (id, "the owner", team, other) values (3, 'u', 1, 'u'), (9, 'u', null, null);
  delete from "my notes" where id = 9;`

test('a table is made anew without the keys, and everything else is as it was', () => {
  const database = new BetterSqlite(':memory:')
  database.exec(structure)
  const all = (text: string) => database.prepare(text).raw().all() as unknown[][]
  const objects = () => all(`select type, name, tbl_name from sqlite_schema where name <> 'my notes' order by 1, 2`)
  const [before, rows] = [objects(), all('select * from "my notes"')]
  const parts = {
    text: all(`select sql from sqlite_schema where name = 'my notes'`)[0]?.[0],
    targets: ['users'],
    columns: ['id', 'the owner', 'team', 'other', 'third'],
    objects: all(`select sql from sqlite_schema where tbl_name = 'my notes' and type in ('index', 'trigger')`).flat(),
  }
  database.exec('pragma foreign_keys = off; pragma legacy_alter_table = on; begin')
  for (const { text } of withoutKeys('my notes', JSON.stringify(parts))) database.exec(text)
  database.exec('commit')
  expect(all(`select "from", "table" from pragma_foreign_key_list('my notes')`)).toEqual([
    ['team', 'teams'],
    ['team', 'teams'],
  ])
  expect(objects()).toEqual(before)
  expect(all('select * from "my notes"')).toEqual(rows)
  const [text] = all(`select sql from sqlite_schema where name = 'my notes'`)[0] ?? []
  expect(text).toMatch(
    /"the owner" text not null,[^]*default 'references users'[^]*constraint kept check[^]*\) strict$/u,
  )
  database.exec(`insert into "my notes" ("the owner") values ('nobody')`)
  expect(all('select max(id) from "my notes"')).toEqual([[10]])
  expect(all('select count(*) from seen')).toEqual([[2]])
})
