-- Hand-made: what real MariaDB schemas contain and testers forget, with the MediaWiki idiom (VARBINARY keys). Public domain.
set sql_mode = '';

-- every type, with its extremes and the zeros that a lax server accepts
create table t_all (
  id bigint unsigned auto_increment primary key, ti tinyint, tu tinyint unsigned, tb tinyint(1), s smallint, m mediumint unsigned,
  i int unsigned, b bigint unsigned, d decimal(65,30), f float, db double, bt bit(1), bt8 bit(8), bt64 bit(64), y year, da date,
  dt datetime, dt3 datetime(3), dt6 datetime(6), ts timestamp null, ts6 timestamp(6) null, tm time, tm6 time(6), c char(5),
  v varchar(50), tx text, mt mediumtext, bi binary(4), vb varbinary(10), bl blob, e enum('a', 'b,c', 'it''s'),
  st set('x', 'y', 'z'), j json, u uuid, i6 inet6, gv int as (tu + 1) virtual, gs int as (tu * 2) stored,
  inv int invisible default 7, vc varchar(20) collate utf8mb4_bin);
insert into t_all (ti, tu, tb, s, m, i, b, d, f, db, bt, bt8, bt64, y, da, dt, dt3, dt6, ts, ts6, tm, tm6, c, v, tx, mt, bi, vb, bl,
  e, st, j, u, i6, vc) values
(-128, 255, 2, -32768, 16777215, 4294967295, 18446744073709551615,
  '12345678901234567890123456789012345.123456789012345678901234567890', 1.1, 0.1, b'1', b'10101010',
  b'1111111111111111111111111111111111111111111111111111111111111111', 2024, '2024-02-29', '2024-02-29 12:00:00',
  '2024-02-29 12:00:00.5', '2024-02-29 12:00:00.123456', '2024-02-29 12:00:00', '2024-02-29 12:00:00.123456', '-838:59:59',
  '12:00:00.654321', 'ab', 'ü😀 x', 't"\\\n', 'm', 'ab', x'0001', x'00ff', 'b,c', 'x,z', '{"b":1,"a":1.10,"n":12345678901234567890}',
  'f147e165-c0c8-4b38-9b0e-78400846a53f', '::1', 'Bin'),
(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b'0', b'0', b'0', 0, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00', '0000-00-00', null, null,
  '00:00:00', 0, '', '', '', '', '', '', '', '', '', 'null', null, null, ''),
(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, null, null, null, 1901, '9999-12-31', '9999-12-31 23:59:59', '9999-12-31 23:59:59.999',
  '1000-01-01', '1970-01-01 00:00:01', '2038-01-19 03:14:07.999999', '838:59:59', null, null, null, null, null, null, null, null,
  null, null, '[]', null, null, null),
(2, 2, 1, 2, 2, 2, 2, -0.5, -1.5, 1.7976931348623157e308, b'1', b'1', b'1', 2155, '2024-01-01', '2024-01-01 00:00:00',
  '2024-01-01', '2024-01-01 00:00:00.000001', '2024-01-01', '2024-01-01 00:00:00.5', '00:00:01', '00:00:00.000001', 'x', 'x', 'x', 'x',
  'x', 'x', 'x', 'a', 'y', '1', '00000000-0000-0000-0000-000000000000', '10.0.0.1', 'bin');

-- text that is not utf8mb4
create table charsets (id int primary key, l1 varchar(20) character set latin1, u3 varchar(20) character set utf8mb3,
  u2 varchar(20) character set ucs2, a varchar(20) character set ascii, cp text character set cp1251,
  big varchar(20) character set utf8mb4 collate utf8mb4_unicode_ci);
insert into charsets values (1, 'Ünï', 'Ünï ☃', 'Ünï ☃', 'abc', 'Привет', '😀'), (2, '', '', '', '', '', ''),
  (3, null, null, null, null, null, null), (4, '??', 'A?B', '?', '?', '??', '?');

-- binary keys: MediaWiki's names, hashes, text that is no text
create table actor (actor_id bigint unsigned auto_increment not null, actor_user int unsigned default null,
  actor_name varbinary(255) not null, unique index (actor_user), unique index (actor_name), primary key (actor_id));
insert into actor (actor_user, actor_name) values (1, 'Main Page'), (2, x'ff00fe'), (null, x'');
create table l10n (lc_lang varbinary(35) not null, lc_key varchar(255) not null, lc_value mediumblob not null,
  primary key (lc_lang, lc_key));
insert into l10n values ('en', 'a/b,c', 'x'), (x'ff2c', 'k', 'y'), (x'00', '', x'00'), ('en', 'z', 'x'), ('de', 'ü', x'ff');
create table bkey (id binary(16) primary key, name text);
insert into bkey select unhex(md5(seq)), concat('n', seq) from seq_1_to_10;
create table bkid (id int primary key, b binary(16), foreign key (b) references bkey (id));
insert into bkid select seq, unhex(md5(seq)) from seq_1_to_6;
insert into bkid values (7, null);
-- a nested row with bytes
create table picture (id int primary key, data blob, thumb varbinary(100), hash binary(20));
create table album (id int primary key, cover int, title varchar(20), foreign key (cover) references picture (id));
insert into picture values (1, repeat(x'00ff0a', 40), x'ff', unhex(sha1('x'))), (2, null, null, null), (3, '', '', unhex(sha1('y')));
insert into album values (1, 1, 'a'), (2, 2, 'b'), (3, null, 'c'), (4, 1, 'd');

-- keys and foreign keys with times, partitions by time
create table tkey (at datetime(6) primary key, v int);
insert into tkey values ('2024-01-01 10:00:00.123456', 1), ('2024-01-01 10:00:00.123457', 2), ('2024-01-01 10:00:01', 3),
  ('2024-01-01 10:00:01.5', 4), ('2024-01-01 10:00:02', 5);
create table tcomp (at timestamp(6) not null default '2024-01-01 00:00:00', no int not null, tm time(6), primary key (at, no));
insert into tcomp values ('2024-01-01 10:00:00.000001', 1, '10:00:00.5'), ('2024-01-01 10:00:00.000002', 1, '10:00:00'),
  ('2024-01-01 10:00:00.000002', 2, null), ('2024-01-01 10:00:00', 1, '-00:00:01'), ('2024-01-01 10:00:03', 1, '838:59:59');
create table tref (id int primary key, at timestamp(6) null, no int, tk datetime(6), foreign key (at, no) references tcomp (at, no),
  foreign key (tk) references tkey (at));
insert into tref values (1, '2024-01-01 10:00:00.000001', 1, '2024-01-01 10:00:00.123456'),
  (2, '2024-01-01 10:00:00.000002', 2, '2024-01-01 10:00:00.123457'), (3, null, null, null), (4, '2024-01-01 10:00:00', 1, '2024-01-01 10:00:01');
create table tparted (id int, at datetime(6), v int, primary key (id, at)) partition by range columns (at)
  (partition p24 values less than ('2025-01-01'), partition pmax values less than (maxvalue));
insert into tparted values (1, '2024-06-01 00:00:00.000001', 1), (1, '2024-06-01 00:00:00.000002', 2), (2, '2025-06-01', 3), (3, '2026-01-01', 4);
create table parted (id int, y int, primary key (id, y)) partition by range (y)
  (partition p0 values less than (2000), partition p1 values less than maxvalue);
insert into parted values (1, 1999), (2, 2020);

-- engines without transactions
create table isam (id int primary key, ref int) engine = MyISAM;
insert into isam values (1, 1), (2, 1), (3, null), (4, 2);
create table aria (id int auto_increment primary key, name varchar(20)) engine = Aria;
insert into aria (name) values ('a'), ('b');

-- keys that are equal in another case, and rows that refer to them so
create table ci (code varchar(20) primary key, v int) collate utf8mb4_general_ci;
insert into ci values ('Abc', 1), ('é', 2), ('x y', 3);
create table cich (id int auto_increment primary key, code varchar(20) collate utf8mb4_general_ci, foreign key (code) references ci (code));
insert into cich (code) values ('ABC'), ('abc'), ('E'), (null);

-- triggers that fill and refuse, checks, generated columns, system versioning
create table trg (id int auto_increment primary key, name varchar(20), slug varchar(20));
create trigger trg_b before insert on trg for each row begin
  if new.name = 'boom' then signal sqlstate '45000' set message_text = 'no boom allowed'; end if;
  set new.slug = lower(new.name);
end;
insert into trg (name) values ('Hello'), ('World');
create table filled (id int auto_increment primary key, title varchar(20) not null, slug varchar(20) not null);
create trigger filled_b before insert on filled for each row set new.slug = lower(new.title);
insert into filled (title) values ('One'), ('Two');
create table chk (id int auto_increment primary key, age int, name varchar(5) not null, constraint age_sane check (age between 0 and 150));
insert into chk (age, name) values (1, 'a'), (50, 'b');
create table ver (id int primary key, v int) with system versioning;
insert into ver values (1, 1);
update ver set v = 2;
create sequence sq1;

-- views: of a table, over expressions, of a table that is gone
create view v_chk as select * from chk;
create view v_sum as select age, count(*) as n, avg(age) as mean, concat('x', age) as label from chk group by age;
create table tmpx (id int primary key);
create view v_dead as select * from tmpx;
drop table tmpx;

-- without key, unique only, odd names
create table nokey (a int, b text);
insert into nokey values (1, 'x'), (1, 'x'), (2, null);
create table uq (code varchar(10) not null unique, v int);
insert into uq values ('a', 1);
create table `select` (`from` int primary key, `Group By` int, `a.b` int, `back\\slash` int, `a,b` int, `f(x)` int);
insert into `select` values (1, 2, 3, 4, 5, 6), (2, 3, 4, 5, 6, 7);
create table textkey (code varchar(40) primary key, v int);
insert into textkey values ('a/b', 1), ('a,b', 2), ('a%2Cb', 3), ('.x', 4), ('ü 😀', 5), ('a\\b', 6), ('?x=1&y#z', 7), ('+', 8);

-- self reference, composite keys, junctions: pure, two between the same tables, self
create table selfr (id int primary key, parent_id int, foreign key (parent_id) references selfr (id));
insert into selfr values (1, null), (2, 1), (3, 1), (4, 2);
create table ord (shop int, no int, note text, primary key (shop, no));
create table line (shop int, no int, pos int, qty int, primary key (shop, no, pos), foreign key (shop, no) references ord (shop, no) on delete cascade);
create table ship (id int primary key, shop int, no int, bshop int, bno int, foreign key (shop, no) references ord (shop, no),
  foreign key (bshop, bno) references ord (shop, no));
insert into ord values (1, 1, 'a'), (1, 2, 'b'), (2, 1, null);
insert into line values (1, 1, 1, 5), (1, 1, 2, 6), (2, 1, 1, 1);
insert into ship values (1, 1, 1, 1, 2), (2, 2, 1, null, null), (3, 1, null, 1, 1);
create table student (id int primary key, name varchar(20));
create table course (id int primary key, title varchar(20));
create table enrolment (student_id int, course_id int, primary key (student_id, course_id),
  foreign key (student_id) references student (id), foreign key (course_id) references course (id));
create table favourite (student_id int, course_id int, primary key (student_id, course_id),
  foreign key (student_id) references student (id), foreign key (course_id) references course (id));
create table friend (a int, b int, primary key (a, b), foreign key (a) references student (id), foreign key (b) references student (id));
insert into student values (1, 'Sam'), (2, 'Tia'), (3, 'Uwe');
insert into course values (1, 'Maths'), (2, 'Music'), (3, 'Art');
insert into enrolment values (1, 1), (1, 2), (2, 3);
insert into favourite values (1, 3), (2, 1);
insert into friend values (1, 2), (2, 1), (1, 3);
create table geo (id int primary key, g geometry, p point);
insert into geo values (1, st_geomfromtext('LINESTRING(0 0,1 1)'), st_geomfromtext('POINT(1.5 2)')), (2, null, null);
