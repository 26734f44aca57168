// Tables that people really have, and that lists and forms are rarely tried with.
import type { TestDatabase } from '../../lib/databases.ts'

export const COLUMNS = 300
const MEGABYTES_2 = 2_000_000

const wideColumns = Array.from({ length: COLUMNS - 1 }, (_, index) => `c${String(index + 1).padStart(3, '0')} text`)

const statements = [
  `create table empty_shelf (id serial primary key, name text not null)`,
  `create table one_row (id int primary key, name text not null)`,
  `insert into one_row values (1, 'The only one')`,
  `create table wide_table (id int primary key, ${wideColumns.join(', ')})`,
  `insert into wide_table (id, c001, c299) values (1, 'first', 'last')`,
  `create table heavy (id int primary key, title text, body text, document jsonb)`,
  `insert into heavy values (1, 'Two megabytes', repeat('All work and no play. ', ${Math.ceil(MEGABYTES_2 / 22)}),
     (select jsonb_agg(jsonb_build_object('number', n, 'digest', md5(n::text))) from generate_series(1, 33000) n))`,
  `create table keyless (at date, note text)`,
  `insert into keyless values ('2026-01-01', 'A row without a name')`,
  `create table coupons (id serial primary key, code text not null unique, percent int not null check (percent < 100), ends_on date)`,
  `insert into coupons (code, percent) values ('SPRING', 10), ('SUMMER', 20)`,
  `create table "الطلبات" ("المعرف" int primary key, "الاسم" text)`,
  `insert into "الطلبات" values (1, 'طلب من القاهرة')`,
  `create table "注文" ("番号" int primary key, "お客様" text)`,
  `insert into "注文" values (1, '山田太郎')`,
  `create table "📦 boxes" ("🔑" int primary key, "content" text)`,
  `insert into "📦 boxes" values (1, '🍎 apples & 👩‍👩‍👧 families')`,
  `create table "select" ("from" text primary key, "order" text, "it's ""quoted""" text)`,
  `insert into "select" values ('a/b, c%"d"', 'group by', 'O''Brien said "no"')`,
]

export async function createOddTables(database: TestDatabase): Promise<void> {
  for (const statement of statements) await database.query(statement)
}
