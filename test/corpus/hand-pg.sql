-- Hand-made: what real PostgreSQL schemas contain and testers forget. Public domain.
create extension if not exists citext;
create extension if not exists hstore;
create extension if not exists ltree;
create extension if not exists btree_gist;
create extension if not exists pgcrypto;
create extension if not exists pg_trgm;

create domain posint as integer check (value > 0);
create domain email as citext check (value ~ '@');
create type mood as enum ('sad', 'ok', 'happy');
create type addr as (street text, zip int);

-- every type, with its extremes
create table types_all (
  id bigint generated always as identity primary key, i2 int2, i8 int8, n numeric, n30 numeric(30,12), f4 float4, f8 float8,
  m money, b bool, c char(5), v varchar(20), t text, ct citext, d date, ti time, ti6 time(6), tz timetz, ts timestamp,
  tst timestamptz, iv interval, u uuid, j json, jb jsonb, x xml, by bytea, ip inet, ci cidr, ma macaddr, bi bit(4),
  vb varbit, tv tsvector, tq tsquery, e mood, dm posint, em email, comp addr, r4 int4range, nr numrange, tr tstzrange,
  dr daterange, mr int4multirange, pt point, ln line, bx box, pa path, po polygon, ci2 circle, hs hstore, lt ltree,
  lsn pg_lsn, tx xid, o oid, rc regclass, na name, ch "char", jp jsonpath);
insert into types_all (i2, i8, n, n30, f4, f8, m, b, c, v, t, ct, d, ti, ti6, tz, ts, tst, iv, u, j, jb, x, by, ip, ci, ma, bi,
  vb, tv, tq, e, dm, em, comp, r4, nr, tr, dr, mr, pt, ln, bx, pa, po, ci2, hs, lt, lsn, tx, o, rc, na, ch, jp) values
(-32768, 9223372036854775807, '123456789012345678901234567890.123456789', '123456789012345678.123456789012', 1.1, 0.1,
  '-1234.56', true, 'ab', 'v ünï', 'te"xt' || chr(10) || 'x', 'CiTe', '0044-03-15 BC', '24:00:00', '23:59:59.999999',
  '10:00:00+05:30', 'infinity', '-infinity', '1 year 2 mons -3 days 04:05:06.789', 'f147e165-c0c8-4b38-9b0e-78400846a53f',
  '{"b":1,"a":1.10,"big":12345678901234567890}', '{"b":1,"a":1.10,"big":12345678901234567890}', '<a b="1">x</a>', '\x00ff10',
  '192.168.1.5/24', '10.0.0.0/8', '08:00:2b:01:02:03', B'1010', B'101', 'a:1 b:2A', 'a & b', 'happy', 5, 'X@Y.z',
  row('Main "St"', 123), '[1,5)', '(1.5,2.5]', '[2024-01-01,)', '[2024-01-01,2024-02-01)', '{[1,3),[5,8)}', '(1.5,2)',
  '{1,2,3}', '(2,2),(1,1)', '[(0,0),(1,1)]', '((0,0),(1,1),(1,0))', '<(1,2),3>', 'a=>1,b=>NULL', 'Top.Sci', '16/B374D848',
  '123', '42', 'pg_class', 'nm', 'z', '$.a[*]'),
(32767, -9223372036854775808, 'NaN', '0.000000000001', 'NaN', '-Infinity', 0, false, '', '', '', '', '5874897-12-31', '00:00',
  '00:00', '00:00+00', '0001-01-01 00:00 BC', '294276-12-31 23:59:59.999999+00', '-00:00:00.000001',
  '00000000-0000-0000-0000-000000000000', 'null', '"str"', '<a/>', '', '::1', '::/0', '00:00:00:00:00:00', B'0000', B'', '',
  '''x''', 'sad', 1, 'a@b', null, 'empty', 'empty', 'empty', 'empty', '{}', '(NaN,0)', '{0,1,0}', '(0,0),(0,0)',
  '((0,0),(1,1))', '((0,0))', '<(0,0),0>', '', '', '0/0', '0', '0', '0', '', '', '$'),
(null, null, 'Infinity', null, 3.4028235e38, 1.7976931348623157e308, null, null, null, null, null, null, 'infinity', null,
  null, null, '2024-02-29 23:59:59.999999', '2024-02-29 23:59:59.999999+00', 'P0D', null, '[]', '{}', null, null, null, null,
  null, null, null, null, null, 'ok', null, null, row(null, null), null, null, null, null, null, null, null, null, null, null,
  null, null, null, null, null, null, null, null, null, null),
(1, 1, '1.50', 1.5, 1.5, 1.5, 1, true, 'abcde', 'x', 'x', 'x', '2024-02-29', '12:00:00.5', '12:00:00.000001', '12:00:00.5-03',
  '2024-02-29 12:00:00.5', '2024-02-29 12:00:00.000001+00', 'PT0.5S', '11111111-1111-4111-8111-111111111111', '1', '[1,2]', null,
  'x', '10.1.2.3', '10.1.2.3/32', '08:00:2b:01:02:04', B'1111', B'1', 'fox', 'fox', 'ok', 7, 'c@d', row('', 0), '[,5)',
  '[1,1]', '(,2024-01-01)', '(,)', '{(,)}', '(0,0)', '{1,-1,0}', '(3,3),(1,1)', '[(0,0)]', '((2,2))', '<(0,0),1>', 'k=>v', 'a.b',
  '0/1', '1', '1', 'pg_type', 'x', 'a', '$.x');

-- arrays of every kind: elements have the form of their scalar type
create table arrays_all (
  id int primary key, i2 int2[], i4 int[], grid int[][], i8 bigint[], n numeric[], f8 float8[], b bool[], v varchar(10)[],
  t text[], ct citext[], d date[], ti time[], ts timestamp[], tst timestamptz[], iv interval[], u uuid[], j json[], jb jsonb[],
  by bytea[], e mood[], dm posint[], ip inet[], r int4range[], comp addr[], m money[], c char(3)[]);
insert into arrays_all values
(1, '{1,NULL,-32768}', '{1,NULL,3}', '{{1,2},{3,4}}', '{9223372036854775807,NULL,-1}', '{1.10,NaN,NULL,123456789012345678.5}',
  '{0.1,NaN,-Infinity,NULL}', '{t,f,NULL}', '{a,"b,c",NULL}', '{a,"b,c",NULL,"NULL","q\"x","back\\slash",""}', '{Ci,TE}',
  '{2024-02-29,infinity,NULL}', '{12:00:00,12:00:00.5,NULL}', '{"2024-01-01 10:00:00","2024-01-01 10:00:00.123456",infinity}',
  '{"2024-01-01 10:00:00+02","2024-01-01 10:00:00.123456+02",-infinity,NULL}', '{"1 day","-00:00:01.5"}',
  '{f147e165-c0c8-4b38-9b0e-78400846a53f,NULL}', array['{"a": 1}', 'null', null]::json[], array['{"a": 1}', 'null', null]::jsonb[],
  array['\x01', '\x', null]::bytea[], '{sad,happy,NULL}', '{1,5}', '{10.0.0.1,10.0.0.0/8}', '{"[1,5)",empty}',
  array[row('a,"b', 1), null]::addr[], '{1.50,-2}', '{a,abc}'),
(2, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
  '{}', '{}', '{}', '{}', '{}'),
(3, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  null, null, null, null, null, null),
(4, '[0:1]={5,6}', '{7}', '{{5}}', '{0}', '{0}', '{0}', '{t}', '{x}', '{x}', '{x}', '{0044-03-15 BC}', '{24:00:00}',
  '{"2024-01-01 00:00:00.5"}', '{"2024-01-01 00:00:00.5+00"}', '{PT0S}', '{00000000-0000-0000-0000-000000000000}',
  array['[]']::json[], array['[]']::jsonb[], array['\xff']::bytea[], '{ok}', '{2}', '{::1}', '{"[1,2)"}',
  array[row(null, null)]::addr[], '{0}', '{""}');

-- self reference, two keys to one table, circular, unique target, composite, deferrable
create table person (id serial primary key, name text not null, code text unique not null,
  manager_id int references person, mentor_id int references person);
create table message (id serial primary key, sender int references person, receiver int references person, person text,
  by_code text references person (code) on update cascade);
create table dept (id serial primary key, name text unique, head_id int);
create table emp (id serial primary key, name text, dept_id int not null references dept deferrable initially deferred);
alter table dept add constraint dept_head foreign key (head_id) references emp (id) deferrable initially deferred;
create table ord (shop int, no int, note text, primary key (shop, no));
create table line (shop int, no int, pos int, qty int check (qty between 1 and 100), sku text, primary key (shop, no, pos),
  foreign key (shop, no) references ord on delete cascade);
create table ship (id serial primary key, shop int, no int, bshop int, bno int,
  foreign key (shop, no) references ord, foreign key (bshop, bno) references ord);
-- a column that has the name an inferred field would have
create table crate (id int primary key, parcel text);
create table parcel (id int primary key, crate_id int references crate);
insert into person (name, code, manager_id, mentor_id) values
  ('Ann', 'A', null, null), ('Bob', 'B', 1, 1), ('Cy', 'C', 1, 2), ('Di', 'D', 2, null), ('Ed', 'E', 2, 2);
insert into message (sender, receiver, person, by_code) values (1, 2, 'x', 'A'), (2, 1, 'y', 'B'), (1, null, null, null);
begin;
insert into dept (name, head_id) values ('D1', 1), ('D2', null);
insert into emp (name, dept_id) values ('E1', 1), ('E2', 1);
commit;
insert into ord values (1, 1, 'a'), (1, 2, 'b'), (2, 1, null);
insert into line values (1, 1, 1, 5, 's'), (1, 1, 2, 6, 't'), (2, 1, 1, 1, null), (2, 1, 2, 100, 'u');
insert into ship (shop, no, bshop, bno) values (1, 1, 1, 2), (2, 1, null, null), (1, null, 1, 1);
insert into crate values (1, 'text'), (2, null);
insert into parcel values (1, 1), (2, 1), (3, null);

-- junctions: pure, with payload, two and three between the same tables, self
create table tag (id serial primary key, name text unique);
create table post (id serial primary key, title text, tag text);
create table post_tag (post_id int references post on delete cascade, tag_id int references tag on delete cascade,
  primary key (post_id, tag_id));
create table post_related (a int references post, b int references post, primary key (a, b));
create table post_like (person_id int references person, post_id int references post, liked_at timestamptz default now(),
  primary key (person_id, post_id));
create table post_editor (person_id int references person, post_id int references post, primary key (person_id, post_id));
create table student (id int primary key, name text);
create table course (id int primary key, title text);
create table enrolment (student_id int references student, course_id int references course, primary key (student_id, course_id));
create table favourite (student_id int references student, course_id int references course, primary key (student_id, course_id));
insert into tag (name) values ('t1'), ('t2');
insert into post (title) values ('p1'), ('p2'), ('p3'), ('p4');
insert into post_tag values (1, 1), (1, 2), (2, 1);
insert into post_related values (1, 2), (2, 1), (1, 3);
insert into post_like values (1, 1, '2024-01-01 00:00:00.000001+00'), (1, 2, '2024-01-01 00:00:00+00');
insert into post_editor values (2, 1), (1, 3);
insert into student values (1, 'Sam'), (2, 'Tia');
insert into course values (1, 'Maths'), (2, 'Music'), (3, 'Art');
insert into enrolment values (1, 1), (1, 2), (2, 3);
insert into favourite values (1, 3), (2, 1);

-- reserved words, names that differ only in case, odd characters
create table "order" (id serial primary key, "select" text, "from" text, "group" int, "user" text default current_user,
  "Order" text, "count" int, "limit" int, "_eq" text, "id.x" text, "a,b" text, "a:b" text, "f(x)" text, "-neg" text,
  "sp ace" text, "q""uote" text, "ünï" text, "emoji😀" text, "__proto__" text, "constructor" text, "toString" text);
insert into "order" ("select", "from", "group", "Order", "count", "limit", "_eq", "id.x", "a,b", "a:b", "f(x)", "-neg", "sp ace",
  "q""uote", "ünï", "emoji😀", "__proto__", "constructor", "toString") values
  ('s', 'f', 1, 'O', 2, 3, 'e', 'idx', 'ab', 'a:b', 'fx', 'neg', 'sp', 'q', 'u', 'em', 'pr', 'co', 'ts'),
  ('s2', 'f2', 2, 'P', 3, 4, 'e2', 'idx2', 'ab2', 'a:b2', 'fx2', 'neg2', 'sp2', 'q2', 'u2', 'em2', 'pr2', 'co2', 'ts2');
create table "Order" (id serial primary key, name text);
insert into "Order" (name) values ('upper');
create table "ORDER" (id serial primary key, name text, "Name" text, "NAME" text);
insert into "ORDER" (name, "Name", "NAME") values ('a', 'b', 'c');
create table "weird table.name" (id serial primary key, order_id int references "order");
insert into "weird table.name" (order_id) values (1), (1), (2);
create table service_users (id serial primary key, who text);
insert into service_users (who) values ('mine');
create table textkey (code text primary key, v int);
insert into textkey values ('a/b', 1), ('a,b', 2), ('a%2Cb', 3), ('.x', 4), ('ü 😀', 5), ('a\b', 6), ('?x=1&y#z', 7), ('+', 8);

-- keys and foreign keys with times, partitions by time
create table ev (id bigint generated by default as identity, at timestamptz not null, kind text, primary key (id, at))
  partition by range (at);
create table ev_24 partition of ev for values from ('2024-01-01') to ('2025-01-01');
create table ev_25 partition of ev for values from ('2025-01-01') to ('2026-01-01');
insert into ev (at, kind) select '2024-06-01 00:00+00'::timestamptz + i * interval '60 days 1.000001 seconds', 'k' || i
  from generate_series(1, 8) i;
create table ev_note (id serial primary key, ev_id bigint, ev_at timestamptz, txt text, foreign key (ev_id, ev_at) references ev);
insert into ev_note (ev_id, ev_at, txt) select id, at, 'n' from ev;
create table tick (at timestamp primary key, v int);
insert into tick select '2024-01-01 10:00:00'::timestamp + i * interval '0.000001 seconds', i from generate_series(0, 4) i;
insert into tick values ('infinity', 98), ('-infinity', 99);
create table tock (day date, at time(6), v int, primary key (day, at));
insert into tock values ('2024-01-01', '10:00:00.000001', 1), ('2024-01-01', '10:00:00.000002', 2), ('2024-01-01', '10:00', 3),
  ('infinity', '24:00', 4), ('-infinity', '00:00', 5);
create table span (id int primary key, tick_at timestamp references tick, day date, at time(6),
  foreign key (day, at) references tock);
insert into span values (1, '2024-01-01 10:00:00.000001', '2024-01-01', '10:00:00.000002'), (2, 'infinity', 'infinity', '24:00'),
  (3, null, null, null);
create table bkey (id bytea primary key, n int);
insert into bkey select decode(lpad(to_hex(i * 40503), 8, '0'), 'hex'), i from generate_series(1, 10) i;
create table bchild (id int primary key, b bytea references bkey);
insert into bchild select n, id from bkey where n < 5;

-- inheritance, without key, unique only, no columns, very wide
create table city (id serial primary key, name text, pop int);
create table capital (state char(2)) inherits (city);
insert into city (name, pop) values ('A', 1);
insert into capital (name, pop, state) values ('C', 2, 'XX');
create table nokey (a int, b text);
insert into nokey values (1, 'x'), (1, 'x'), (2, null);
create table uniq_only (code text not null unique, v int);
insert into uniq_only values ('a', 1), ('b', 2);
create table zero_cols ();
do $$ begin
  execute (select format('create table wide (id serial primary key, %s)', string_agg(format('c%s int default %s', i, i), ', ' order by i))
    from generate_series(1, 1200) i);
end $$;
insert into wide default values;

-- generated columns, triggers that fill and refuse, rules, row security, exclusion, checks
create table gen (id int generated always as identity primary key, a int not null default 2,
  b int generated always as (a * 2) stored, at timestamptz default clock_timestamp(), u uuid default gen_random_uuid(),
  seq int default nextval('person_id_seq'), who text default current_user);
insert into gen (a) values (1), (5);
create table trg (id serial primary key, name text, slug text, updated timestamptz);
create function trg_f() returns trigger language plpgsql as $$ begin
  new.slug := lower(new.name); new.updated := now();
  if new.name = 'boom' then raise exception 'no boom allowed' using errcode = 'P0001', hint = 'choose another'; end if;
  if new.name = 'skip' then return null; end if;
  return new;
end $$;
create trigger trg_t before insert or update on trg for each row execute function trg_f();
insert into trg (name) values ('Hello'), ('World');
create table filled (id serial primary key, title text not null, slug text not null);
create function filled_f() returns trigger language plpgsql as $$ begin new.slug := lower(new.title); return new; end $$;
create trigger filled_t before insert on filled for each row execute function filled_f();
insert into filled (title) values ('One'), ('Two');
create table softdel (id serial primary key, name text, gone bool default false);
create rule softdel_r as on delete to softdel do instead update softdel set gone = true where id = old.id;
insert into softdel (name) values ('a');
create table ruled (id int primary key, name text);
create table ruled_b (id int primary key, name text);
insert into ruled values (1, 'a');
create rule ruled_r as on insert to ruled where new.id > 1000 do instead insert into ruled_b values (new.*);
create table booking (id serial primary key, room int, during tsrange, constraint no_overlap exclude using gist (room with =, during with &&));
insert into booking (room, during) values (1, '[2024-01-01,2024-01-05)'), (2, '[2024-01-01,2024-01-05)');
create table chk (id serial primary key, age int constraint age_sane check (age between 0 and 150), small int2, amt numeric(5,2),
  name varchar(5), d date, em email, m mood, j jsonb, u uuid, flag bool, by bytea, ip inet, iv interval, arr int[]);
insert into chk (age, name) values (5, 'a'), (50, 'b');
create table rls (id serial primary key, owner text default current_user, secret text);
alter table rls enable row level security;
alter table rls force row level security;
create policy p on rls using (owner = current_user);
insert into rls (owner, secret) values ('postgres', 'a'), ('other', 'b');

-- views: plain, joined, updatable, without rows, unpopulated, failing
create view v_join as select p.id, p.title, t.name tag from post p join post_tag pt on pt.post_id = p.id join tag t on t.id = pt.tag_id;
create view v_simple as select id, name from person;
create materialized view mv_person as select id, name from person;
create materialized view mv_empty as select id, name from person with no data;
create view v_dup as select 1 as id, 'x'::text as "x y";
create view v_upd as select * from chk where age < 100 with check option;
create view v_err as select 1 / (case when id = 1 then 0 else 1 end) as boom, id from tag;
create foreign data wrapper dummy;
create server dsrv foreign data wrapper dummy;
create foreign table ft (id int, x text) server dsrv;

-- schemas: the same table name, odd names, a table that is spelled like another schema's
create schema other;
create table other.person (id serial primary key, person_id int references public.person, name text);
insert into other.person (person_id, name) values (1, 'oth'), (1, 'oth2');
create table other."order" (id serial primary key, x text);
create table other_person (id serial primary key, person_id int references public.person);
insert into other_person (person_id) values (2), (3);
create schema "Weird Schema";
create table "Weird Schema"."T.1" (id serial primary key, x text);
insert into "Weird Schema"."T.1" (x) values ('w');
create schema aaa;
create table aaa.note (id int primary key, person_id int references public.person);
create table aaa_note (id int primary key, person_id int references public.person);
insert into aaa.note values (1, 1), (2, 1);
insert into aaa_note values (10, 1), (11, 2);
