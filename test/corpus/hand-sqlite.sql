-- Hand-made: what real SQLite files contain and testers forget. Public domain.

-- the declared types, with the values that fit them
create table t_all (
  id integer primary key, i int, s smallint, big bigint, r real, d double, n numeric, dec decimal(10,2), b boolean, t text,
  v varchar(20), c char(5), bl blob, da date, ti time, dt datetime, ts timestamp, j json, u uuid, x);
insert into t_all values
(1, -9007199254740991, 1, 9223372036854775807, 0.1, 1e308, 12.5, 12.5, 1, 'te"xt' || char(10) || 'ü😀', 'v', 'ab', x'00ff',
  '2024-02-29', '23:59:59', '2024-02-29 12:00:00', '2024-02-29 12:00:00', '{"b":1,"a":1.10}', 'f147e165-c0c8-4b38-9b0e-78400846a53f', 'x'),
(2, 0, 0, 0, 0.0, -0.5, 0, 0, 0, '', '', '', x'', '0001-01-01', '00:00:00', '2024-02-29 12:00:00.5', '2024-02-29 12:00:00.123456',
  'null', '00000000-0000-0000-0000-000000000000', 5),
(3, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
(4, 9007199254740991, 2, -9223372036854775808, 1e100, 3.0, 1e20, -1.25, 1, 'x', 'x', 'x', x'0a', '2024-01-01', '12:00:00.5', '2024-02-29T12:00:00.123456',
  '2024-02-29T12:00:00Z', '[1,"x",null]', '11111111-1111-4111-8111-111111111111', 1.5),
(5, 1, 3, 1, -1e-10, 2.5, 3, 3, 0, 'y', 'y', 'y', x'0b', '9999-12-31', '00:00:00.000001', '1970-01-01', '2024-02-29T12:00:00+02:00',
  '"s"', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', x'ff');

-- values of another storage class than the column's: SQLite takes everything
create table loose (id integer primary key, n integer, f real, b boolean, d decimal(10,2), dt datetime, da date, t text, bl blob, j json);
insert into loose values
(1, '1,"admin":true', 'x', 'y', '1,"x":2', 'not a date', 'never', x'00ff', 'text', 'no json'),
(2, 1.5, 'NaN', 2, 'abc', 1709208000, 20240229, 5, 5, x'7b7d'),
(3, x'ff', x'00', 'true', x'01', 1709208000123, '', 1.5, 1.5, '{"a":'),
(4, '', '', '', '', '', '2024-2-3', '', '', ''),
(5, 7, 7, 0, 7, '2024-02-29 12:00', '2024-02-29', 't', x'62', '{}');
create table strict_t (id integer primary key, n integer not null, t text, bl blob, a any) strict;
insert into strict_t values (1, 5, 't', x'00', 1), (2, 6, null, null, 'x'), (3, 7, '', x'', x'ff');

-- binary and time keys, keys without rowid
create table bkey (id blob primary key, n int) without rowid;
insert into bkey with recursive c(i) as (select 1 union all select i + 1 from c where i < 10)
  select cast(char(96 + i) || char(i * 7 % 11 + 1) as blob), i from c;
create table bchild (id integer primary key, b blob references bkey (id));
insert into bchild select n, id from bkey where n < 5;
create table tkey (at datetime primary key not null, v int);
insert into tkey values ('2024-01-01 10:00:00.123456', 1), ('2024-01-01 10:00:00.123457', 2), ('2024-01-01 10:00:01', 3), ('2024-01-01 10:00:01.5', 4);
create table tcomp (at timestamp not null, no int not null, v int, primary key (at, no));
insert into tcomp values ('2024-01-01 10:00:00.000001', 1, 1), ('2024-01-01 10:00:00.000002', 1, 2), ('2024-01-01 10:00:00', 1, 3), ('2024-01-01 10:00:00', 2, 4);
create table tref (id integer primary key, at timestamp, no int, tk datetime references tkey, foreign key (at, no) references tcomp);
insert into tref values (1, '2024-01-01 10:00:00.000001', 1, '2024-01-01 10:00:00.123456'), (2, '2024-01-01 10:00:00', 2, null), (3, null, null, null);
create table textkey (code text primary key not null, v int);
insert into textkey values ('a/b', 1), ('a,b', 2), ('a%2Cb', 3), ('.x', 4), ('ü 😀', 5), ('a\b', 6), ('?x=1&y#z', 7), ('+', 8);
create table nocase (code text primary key collate nocase not null, v int);
create table nocase_child (id integer primary key, code text collate nocase references nocase (code));
insert into nocase values ('Abc', 1), ('x', 2);
insert into nocase_child values (1, 'Abc'), (2, 'abc'), (3, null);

-- computed columns of views, views over views, views of a table that is gone
create table item (id integer primary key, name text, price real, qty int, made datetime);
insert into item values (1, 'a', 9.5, 10, '2024-01-01 00:00:00'), (2, 'b', 100.25, 10, '2024-06-01 12:30:00'), (3, 'c', 5.0, 2, null), (4, 'd', 20.0, 1, '2023-01-01');
create view v_total as select id, name, price * qty as total, qty + 1 as more, upper(name) as loud, made from item;
create view v_stats as select count(*) as n, sum(price) as total, max(name) as last, avg(qty) as mean from item;
create view v_over as select name, total from v_total where total > 50;
create table tmpx (id integer primary key);
create view v_dead as select * from tmpx;
drop table tmpx;

-- generated columns, checks, triggers that fill and refuse, deferred keys
create table gen (id integer primary key autoincrement, a int not null default 2, b int generated always as (a * 2) stored,
  v int generated always as (a + 1) virtual, at text default current_timestamp);
insert into gen (a, at) values (1, 'x'), (5, 'y');
create table chk (id integer primary key, age int constraint age_sane check (age between 0 and 150), name text not null);
insert into chk values (1, 5, 'a'), (2, 50, 'b');
create table trg (id integer primary key, name text, slug text);
create trigger trg_i before insert on trg when new.name = 'boom' begin select raise(abort, 'no boom allowed'); end;
create trigger trg_a after insert on trg begin update trg set slug = lower(new.name) where id = new.id; end;
insert into trg (name) values ('Hello'), ('World');
create table dept (id integer primary key, name text unique, head_id int references emp (id) deferrable initially deferred);
create table emp (id integer primary key, name text, dept_id int not null references dept (id) deferrable initially deferred);
begin;
insert into dept values (1, 'D1', 1), (2, 'D2', null);
insert into emp values (1, 'E1', 1), (2, 'E2', 1);
commit;

-- without key, unique only, odd names
create table nokey (a int, b text);
insert into nokey values (1, 'x'), (1, 'x'), (2, null);
create table uniq_only (code text not null unique, v int);
insert into uniq_only values ('a', 1), ('b', 2);
create table [Order Details] (id integer primary key, [Unit Price] real, "a.b" int, "a,b" int, "f(x)" int, "q""uote" text, "select" text);
insert into [Order Details] values (1, 1.5, 1, 2, 3, 'q', 's'), (2, 2.5, 4, 5, 6, 'r', 't');
create virtual table docs using fts5 (title, body);
insert into docs values ('a', 'the quick fox'), ('b', 'jumps');

-- self reference, composite keys, junctions: pure, two between the same tables, self
create table selfr (id integer primary key, parent_id int references selfr);
insert into selfr values (1, null), (2, 1), (3, 1), (4, 2);
create table ord (shop int, no int, note text, primary key (shop, no));
create table line (shop int, no int, pos int, qty int, primary key (shop, no, pos), foreign key (shop, no) references ord on delete cascade);
create table ship (id integer primary key, shop int, no int, bshop int, bno int, foreign key (shop, no) references ord, foreign key (bshop, bno) references ord);
insert into ord values (1, 1, 'a'), (1, 2, 'b'), (2, 1, null);
insert into line values (1, 1, 1, 5), (1, 1, 2, 6), (2, 1, 1, 1);
insert into ship values (1, 1, 1, 1, 2), (2, 2, 1, null, null), (3, 1, null, 1, 1);
create table student (id integer primary key, name text);
create table course (id integer primary key, title text);
create table enrolment (student_id int references student, course_id int references course, primary key (student_id, course_id));
create table favourite (student_id int references student, course_id int references course, primary key (student_id, course_id));
create table friend (a int references student, b int references student, primary key (a, b));
insert into student values (1, 'Sam'), (2, 'Tia'), (3, 'Uwe');
insert into course values (1, 'Maths'), (2, 'Music'), (3, 'Art');
insert into enrolment values (1, 1), (1, 2), (2, 3);
insert into favourite values (1, 3), (2, 1);
insert into friend values (1, 2), (2, 1), (1, 3);
