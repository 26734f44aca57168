import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseColumn, DatabaseSchema, DatabaseTable } from '../../packages/server/src/sql/database-schema.ts'
import { introspect } from '../../packages/server/src/sql/dialects/postgres/introspect.ts'
import { fieldTypeOf } from '../../packages/server/src/sql/dialects/postgres/types.ts'
import { administer, connect, createDatabase, withDatabase, type TestDatabase } from '../lib/databases.ts'

const everything = { systemSchema: 'tain', schemas: null }

const fixture = async (name: string) =>
  (await readFile(new URL(`../acceptance/fixture/${name}.sql`, import.meta.url), 'utf8')).split('-- rows:')[0] ?? ''

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function tableOf(schema: DatabaseSchema, name: string, inSchema = 'public'): DatabaseTable {
  const found = schema.tables.find((table) => table.schema === inSchema && table.name === name)
  if (found === undefined) throw new Error(`no table ${inSchema}.${name}`)
  return found
}

function columnOf(table: DatabaseTable, name: string): DatabaseColumn {
  const found = table.columns.find((column) => column.name === name)
  if (found === undefined) throw new Error(`no column ${table.name}.${name}`)
  return found
}

const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

const mirrored = (script: string, options: Parameters<typeof introspect>[1] = everything) =>
  withDatabase(async ({ query }) => {
    await query(script)
    return introspect(query, options)
  })

describe('the acceptance fixture', () => {
  let database: TestDatabase
  let schema: DatabaseSchema

  beforeAll(async () => {
    database = await createDatabase()
    await database.query(`${await fixture('postgres')}; ${await fixture('awkward')}`)
    schema = await introspect(database.query, everything)
  })
  afterAll(() => database.drop())

  const column = (table: string, name: string) => columnOf(tableOf(schema, table), name)

  test('tables of all schemas, without partitions, in a fixed order', () => {
    const names = schema.tables.map((table) => `${table.schema}.${table.name}`)
    expect(names).toEqual(names.toSorted())
    expect(names).toContain('public.measurements')
    expect(names).not.toContain('public.measurements_2023')
    expect(names.filter((name) => name.endsWith('articles'))).toEqual([
      'public.articles',
      'public.published_articles',
      'warehouse.articles',
    ])
    expect(schema.defaultSchema).toBe('public')
    expect(schema.hidden).toEqual([])
  })

  test('kinds', () => {
    const kinds = ['articles', 'measurements', 'published_articles', 'article_stats'].map(
      (name) => tableOf(schema, name).kind,
    )
    expect(kinds).toEqual(['table', 'partitioned', 'view', 'materialized-view'])
  })

  test('a column with everything the schema object shows', () => {
    expect(column('articles', 'slug')).toEqual({
      name: 'slug',
      dataType: 'character varying',
      castType: 'character varying',
      baseType: 'varchar',
      enumValues: null,
      elementType: null,
      isComparable: true,
      isNullable: true,
      defaultExpression: null,
      maxLength: 120,
      numericPrecision: null,
      numericScale: null,
      generationExpression: null,
      identity: null,
      hasAutoIncrement: false,
      comment: 'Address part of the article',
    })
  })

  test('serial, default, generated, identity', () => {
    expect(column('articles', 'id')).toMatchObject({
      hasAutoIncrement: true,
      isNullable: false,
      defaultExpression: "nextval('articles_id_seq'::regclass)",
    })
    expect(column('articles', 'status').defaultExpression).toBe("'draft'::character varying")
    expect(column('invoices', 'gross')).toMatchObject({
      generationExpression: '(net * ((1)::numeric + tax_rate))',
      defaultExpression: null,
      hasAutoIncrement: false,
    })
    expect(column('oddities', 'id')).toMatchObject({ identity: 'always', hasAutoIncrement: true })
    expect(column('countries', 'code').hasAutoIncrement).toBe(false)
  })

  test('enum, arrays, domain', () => {
    expect(column('oddities', 'mood')).toMatchObject({
      dataType: 'mood',
      castType: 'public.mood',
      baseType: 'mood',
      enumValues: ['calm', 'happy', 'grumpy'],
    })
    expect(column('oddities', 'numbers')).toMatchObject({
      dataType: 'integer[]',
      castType: 'integer[]',
      baseType: '_int4',
      elementType: 'int4',
    })
    expect(column('oddities', 'amount')).toMatchObject({
      dataType: 'integer',
      castType: 'integer',
      baseType: 'int4',
      numericPrecision: 32,
    })
  })

  test('keys, uniques and indexes', () => {
    expect(tableOf(schema, 'order_lines').primaryKey).toEqual(['order_no', 'line_no'])
    expect(tableOf(schema, 'articles')).toMatchObject({
      primaryKey: ['id'],
      uniques: [['id'], ['slug']],
      indexed: ['status'],
    })
    expect(tableOf(schema, 'access_log')).toMatchObject({ primaryKey: [], uniques: [], indexed: [], foreignKeys: [] })
  })

  test('foreign keys: plain, composite, to a unique column, twice to one table', () => {
    expect(tableOf(schema, 'articles').foreignKeys).toContainEqual({
      name: 'articles_author_fkey',
      columns: ['author'],
      toSchema: 'public',
      toTable: 'authors',
      toColumns: ['id'],
      onUpdate: 'NO ACTION',
      onDelete: 'SET NULL',
    })
    expect(tableOf(schema, 'order_line_notes').foreignKeys).toMatchObject([
      { columns: ['order_no', 'line_no'], toTable: 'order_lines', toColumns: ['order_no', 'line_no'] },
    ])
    expect(tableOf(schema, 'prices').foreignKeys).toMatchObject([{ toTable: 'currencies', toColumns: ['code'] }])
    expect(tableOf(schema, 'transfers').foreignKeys.map(({ columns }) => columns)).toEqual([['receiver'], ['sender']])
  })

  test('schemas can be narrowed, foreign keys out of them go', async () => {
    await database.query(
      'create schema shop; create table shop.stock (id int primary key, article int references articles)',
    )
    const narrowed = await introspect(database.query, { ...everything, schemas: ['shop', 'warehouse', 'no such'] })
    expect(narrowed.tables.map((table) => `${table.schema}.${table.name}`)).toEqual([
      'shop.stock',
      'warehouse.articles',
      'warehouse.bins',
    ])
    expect(tableOf(narrowed, 'stock', 'shop').foreignKeys).toEqual([])
    expect(narrowed.defaultSchema).toBe('public')

    const wide = await introspect(database.query, everything)
    expect(tableOf(wide, 'stock', 'shop').foreignKeys).toMatchObject([{ toSchema: 'public', toTable: 'articles' }])
  })

  test('the system schema is never mirrored, nor the default', async () => {
    const options = { systemSchema: 'warehouse', schemas: null }
    const without = await introspect(database.query, options)
    expect(without.tables.some((table) => table.schema === 'warehouse')).toBe(false)
    const asked = await introspect(database.query, { ...options, schemas: ['warehouse'] })
    expect(asked.tables).toEqual([])

    const { query, close } = await connect(database.url)
    await query('set search_path to warehouse')
    expect((await introspect(query, everything)).defaultSchema).toBe('warehouse')
    expect((await introspect(query, options)).defaultSchema).toBe('public')
    await close()
  })
})

const typeRows: readonly (readonly [type: string, fieldType: string, isComparable: boolean])[] = [
  ['smallint', 'integer', true],
  ['integer', 'integer', true],
  ['bigint', 'bigInteger', true],
  ['real', 'float', true],
  ['double precision', 'float', true],
  ['numeric', 'decimal', true],
  ['numeric(10, 2)', 'decimal', true],
  ['numeric(5)', 'decimal', true],
  ['numeric(3, 7)', 'decimal', true],
  ['boolean', 'boolean', true],
  ['varchar', 'string', true],
  ['varchar(7)', 'string', true],
  ['char(3)', 'string', true],
  ['bpchar', 'string', true],
  ['name', 'string', true],
  ['"char"', 'string', true],
  ['text', 'text', true],
  ['date', 'date', true],
  ['timestamp', 'dateTime', true],
  ['timestamp(3)', 'dateTime', true],
  ['timestamptz', 'timestamp', true],
  ['time', 'time', true],
  ['timetz', 'unknown', true],
  ['json', 'json', false],
  ['jsonb', 'json', true],
  ['uuid', 'uuid', true],
  ['bytea', 'binary', true],
  ['interval', 'string', true],
  ['interval day to second(2)', 'string', true],
  ['inet', 'string', true],
  ['cidr', 'string', true],
  ['macaddr', 'string', true],
  ['macaddr8', 'unknown', true],
  ['money', 'unknown', true],
  ['bit(4)', 'unknown', true],
  ['bit varying(4)', 'unknown', true],
  ['xml', 'unknown', false],
  ['point', 'unknown', false],
  ['polygon', 'unknown', false],
  ['tsvector', 'unknown', true],
  ['oid', 'unknown', true],
  ['regclass', 'unknown', true],
  ['int2vector', 'unknown', false],
  ['int4range', 'unknown', true],
  ['int4multirange', 'unknown', true],
  ['integer[]', 'json', true],
  ['integer[][]', 'json', true],
  ['varchar(20)[]', 'json', true],
  ['char(2)[]', 'json', true],
  ['json[]', 'json', false],
  ['mood', 'string', true],
  ['mood[]', 'json', true],
  ['pair', 'unknown', false],
  ['pair[]', 'json', false],
  ['"Odd "".type".mood', 'string', true],
  ['"Odd "".type"."My, {type}"', 'string', true],
  ['"Odd "".type"."My, {type}"[]', 'json', true],
  ['"Odd "".type".json', 'unknown', false],
  ['short', 'string', true],
  ['shorter', 'string', true],
  ['price', 'decimal', true],
  ['numbers', 'json', true],
  ['short[]', 'json', true],
  ['numbers[]', 'json', true],
  ['document', 'json', false],
  ['citext', 'text', true],
]

describe('types', () => {
  let database: TestDatabase
  let table: DatabaseTable
  const column = (type: string) => columnOf(table, `c${typeRows.findIndex(([name]) => name === type)}`)

  beforeAll(async () => {
    database = await createDatabase()
    await database.query(`
      create extension citext;
      create schema "Odd "".type";
      create type mood as enum ('calm', 'happy');
      create type pair as (a integer, b text);
      create type "Odd "".type".mood as enum ('a,b', 'c"d', 'e\\f', 'g''h', '{größe}', '');
      create type "Odd "".type"."My, {type}" as enum ('x');
      create type "Odd "".type".json as (a integer);
      create domain short as varchar(5) not null default 'none';
      create domain shorter as short check (length(value) > 1);
      create domain price as numeric(8, 3);
      create domain numbers as integer[];
      create domain document as json;
      create table typed (${typeRows.map(([type], index) => `c${index} ${type}`).join(', ')});
    `)
    table = tableOf(await introspect(database.query, everything), 'typed')
  })
  afterAll(() => database.drop())

  test.each(typeRows)('%s is %s, comparable: %s', (type, fieldType, isComparable) => {
    expect(fieldTypeOf(column(type))).toBe(fieldType)
    expect(column(type).isComparable).toBe(isComparable)
  })

  test('what is called comparable can be compared and sorted, by a value cast without any search path', async () => {
    const { query, close } = await connect(database.url)
    await query(`set search_path to ''`)
    for (const { name, castType, isComparable } of table.columns) {
      const comparison = isComparable ? `where ${name} = null::${castType} order by ${name}` : `where ${name} is null`
      const rows = await query(`select null::${castType} from public.typed ${comparison}`)
      expect(rows).toEqual([])
    }
    await close()
  })

  test('what the information schema says about the same columns', async () => {
    const rows = await database.query(`
      select column_name, data_type, character_maximum_length::text, numeric_precision::text, numeric_scale::text,
        is_nullable
      from information_schema.columns
      where table_name = 'typed' and data_type not in ('ARRAY', 'USER-DEFINED', 'bit', 'bit varying')`)
    expect(rows.length).toBeGreaterThan(40)
    // not null through a domain over a domain: the information schema looks only one level deep
    const inner = column('shorter').name
    const text = (value: number | null) => (value === null ? null : String(value))
    for (const row of rows) {
      const { name, dataType, maxLength, numericPrecision, numericScale, isNullable } = columnOf(table, row[0] ?? '')
      const limits = [text(maxLength), text(numericPrecision), text(numericScale)]
      expect([name, dataType, ...limits, name === inner || isNullable ? 'YES' : 'NO']).toEqual(row)
    }
  })

  test('a cast never shortens a value', () => {
    expect(column('char(3)').castType).toBe('bpchar')
    expect(column('char(2)[]').castType).toBe('bpchar[]')
    expect(column('bit(4)').castType).toBe('"bit"')
  })

  test('domains: length, nullability and default come through, the cast is to what lies below', () => {
    expect(column('shorter')).toMatchObject({
      dataType: 'character varying',
      castType: 'character varying',
      baseType: 'varchar',
      maxLength: 5,
      isNullable: false,
      defaultExpression: "'none'::character varying",
    })
    expect(column('price')).toMatchObject({ numericPrecision: 8, numericScale: 3 })
    expect(column('numbers')).toMatchObject({ dataType: 'integer[]', castType: 'integer[]', elementType: 'int4' })
    expect(column('short[]')).toMatchObject({
      dataType: 'character varying[]',
      castType: 'public.short[]',
      elementType: 'varchar',
      maxLength: null,
    })
    expect(column('numbers[]')).toMatchObject({ dataType: 'integer[][]', elementType: '_int4' })
  })

  test('names and labels of enums', () => {
    expect(column('"Odd "".type".mood')).toMatchObject({
      dataType: 'mood',
      castType: '"Odd "".type".mood',
      enumValues: ['a,b', 'c"d', 'e\\f', "g'h", '{größe}', ''],
    })
    expect(column('"Odd "".type"."My, {type}"[]')).toMatchObject({
      dataType: 'My, {type}[]',
      castType: '"Odd "".type"."My, {type}"[]',
      enumValues: null,
      elementType: 'My, {type}',
    })
    expect(column('mood[]')).toMatchObject({ dataType: 'mood[]', castType: 'public.mood[]' })
  })

  test("a type that takes the name of one of the database's own is not mistaken for it", () => {
    expect(column('"Odd "".type".json').baseType).toBe('Odd ".type.json')
  })

  test('values added to an enum keep their place', async () => {
    await database.query(`alter type mood add value 'tense' before 'happy'`)
    const again = tableOf(await introspect(database.query, everything), 'typed')
    expect(columnOf(again, column('mood').name).enumValues).toEqual(['calm', 'tense', 'happy'])
  })

  test('a negative scale', async () => {
    const [version = []] = await database.query('show server_version_num')
    if (Number(version[0]) < 150_000) return
    await database.query('create table rounded (thousands numeric(5, -3))')
    const rounded = tableOf(await introspect(database.query, everything), 'rounded')
    expect(rounded.columns).toMatchObject([{ numericPrecision: 5, numericScale: -3 }])
  })
})

describe('relations', () => {
  test('inheritance children are tables, foreign tables are served, sequences and indexes are not', async () => {
    const schema = await mirrored(`
      create table parent (id integer primary key);
      create table child (extra text) inherits (parent);
      create foreign data wrapper nowhere;
      create server nothing foreign data wrapper nowhere;
      create foreign table remote (id integer not null) server nothing;
      create table bare ();
      create sequence counter;
      create type pair as (a integer);
      create temporary table passing (id integer);
    `)
    expect(schema.tables.map(({ name, kind }) => [name, kind])).toEqual([
      ['bare', 'table'],
      ['child', 'table'],
      ['parent', 'table'],
      ['remote', 'foreign'],
    ])
    expect(namesOf(tableOf(schema, 'child').columns)).toEqual(['id', 'extra'])
    expect(tableOf(schema, 'child').primaryKey).toEqual([])
    expect(tableOf(schema, 'bare').columns).toEqual([])
  })

  test('what belongs to an extension is left out', async () => {
    const schema = await mirrored(`
      create extension pg_stat_statements;
      create table mine (id integer primary key);
      create view pg_stat_mine as select * from mine;
    `)
    expect(namesOf(schema.tables)).toEqual(['mine', 'pg_stat_mine'])
    expect(schema.hidden).toEqual([])
  })

  test('partitioned tables: foreign keys from and to the parent, once each', async () => {
    const schema = await mirrored(`
      create table owners (id integer primary key);
      create table readings (id integer primary key, owner integer references owners) partition by range (id);
      create table readings_low partition of readings for values from (0) to (10);
      create table readings_high partition of readings for values from (10) to (20) partition by range (id);
      create table readings_high_a partition of readings_high for values from (10) to (20);
      create table notes (id integer primary key, reading integer references readings, low integer references readings_low);
    `)
    expect(namesOf(schema.tables)).toEqual(['notes', 'owners', 'readings'])
    expect(tableOf(schema, 'readings')).toMatchObject({
      kind: 'partitioned',
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['owner'], toTable: 'owners' }],
    })
    expect(tableOf(schema, 'notes').foreignKeys).toMatchObject([{ columns: ['reading'], toTable: 'readings' }])
    expect(tableOf(schema, 'notes').foreignKeys).toHaveLength(1)
  })

  test('comments, dropped columns and positions', async () => {
    const schema = await mirrored(`
      create table notes (a integer, b integer, c integer, d integer default 4, unique (d, c));
      comment on table notes is 'all the notes';
      comment on column notes.c is 'C';
      comment on column notes.b is 'gone';
      alter table notes drop column b;
      alter table notes add column e text generated always as (c::text) stored;
    `)
    const notes = tableOf(schema, 'notes')
    expect(notes.comment).toBe('all the notes')
    expect(notes.columns.map(({ name, comment }) => [name, comment])).toEqual([
      ['a', null],
      ['c', 'C'],
      ['d', null],
      ['e', null],
    ])
    expect(notes.uniques).toEqual([['d', 'c']])
    expect(columnOf(notes, 'd').defaultExpression).toBe('4')
    expect(columnOf(notes, 'e').generationExpression).toBe('(c)::text')
  })

  test('identity of both kinds; a default that draws from a sequence', async () => {
    const schema = await mirrored(`
      create sequence counter;
      create table counted (
        a integer generated always as identity,
        b bigint generated by default as identity,
        c integer default nextval('counter'),
        d serial,
        e integer default 1
      );
    `)
    const found = tableOf(schema, 'counted').columns.map((column) => [column.identity, column.hasAutoIncrement])
    expect(found).toEqual([
      ['always', true],
      ['by default', true],
      [null, true],
      [null, true],
      [null, false],
    ])
  })
})

describe('indexes', () => {
  test('only full, plain, valid unique indexes make a unique set', async () => {
    await withDatabase(async ({ query }) => {
      await query(`
        create table things (
          id integer primary key, a integer, b integer, c text, d integer, e integer, f integer, g integer, h integer,
          unique (a, b)
        );
        create unique index on things (c) include (d);
        create unique index on things (c);
        create unique index on things (d) where d > 0;
        create unique index on things (lower(c));
        create unique index on things (e, (f + 1));
        create index on things (f, g);
        create index on things (f);
        create index on things (lower(c), g);
        create index on things using hash (b);
        create table links (tag integer, thing integer, note integer, primary key (tag, thing), unique (thing, tag, note), unique (note, thing, tag));
        create materialized view things_seen as select id, a from things;
        create unique index on things_seen (id);
        insert into things (id, h) values (1, 1), (2, 1);
      `)
      await expect(query('create unique index concurrently things_h on things (h)')).rejects.toThrow('unique')
      const schema = await introspect(query, everything)
      expect(tableOf(schema, 'things')).toMatchObject({
        primaryKey: ['id'],
        uniques: [['id'], ['a', 'b'], ['c']],
        indexed: ['d', 'e', 'f', 'b'],
      })
      expect(tableOf(schema, 'links')).toMatchObject({
        primaryKey: ['tag', 'thing'],
        uniques: [
          ['tag', 'thing'],
          ['thing', 'tag', 'note'],
        ],
        indexed: ['note'],
      })
      expect(tableOf(schema, 'things_seen')).toMatchObject({ primaryKey: [], uniques: [['id']] })
    })
  })
})

describe('foreign keys', () => {
  test('wide ones keep the order in which columns match, with their actions', async () => {
    const schema = await mirrored(`
      create table places (x integer, y integer, z integer, name text unique, unique (z, x, y));
      create table visits (
        id integer primary key, p integer, q integer, r integer, place text default 'home',
        constraint "visits to places" foreign key (r, p, q) references places (x, z, y) match full
          on update cascade on delete restrict,
        foreign key (place) references places (name) on update set null on delete set default deferrable
      );
    `)
    expect(tableOf(schema, 'visits').foreignKeys).toEqual([
      {
        name: 'visits to places',
        columns: ['r', 'p', 'q'],
        toSchema: 'public',
        toTable: 'places',
        toColumns: ['x', 'z', 'y'],
        onUpdate: 'CASCADE',
        onDelete: 'RESTRICT',
      },
      {
        name: 'visits_place_fkey',
        columns: ['place'],
        toSchema: 'public',
        toTable: 'places',
        toColumns: ['name'],
        onUpdate: 'SET NULL',
        onDelete: 'SET DEFAULT',
      },
    ])
  })
})

describe('hostile names', () => {
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'with space',
    'dotted.name',
    'quoted"name',
    "it's",
    'back\\slash',
    'comma, {brace}',
    'größe',
    '日本語',
    'UPPER',
    'line\nbreak',
    '$1',
    'select',
    '; drop table x; --',
  ]

  test('as schemas, tables, columns, keys and in foreign keys', async () => {
    const tableNames = names.filter((name) => name !== 'toString')
    const schema = await mirrored(
      [
        ...names.map((name) => `create schema ${quote(name)}`),
        ...tableNames.map(
          (name) => `create table ${quote(name)}.${quote(name)} (
            ${names.map((column) => `${quote(column)} integer`).join(', ')}, primary key (${quote(name)}, "toString"))`,
        ),
        ...tableNames.map(
          (name) => `alter table ${quote(name)}.${quote(name)} add constraint ${quote(name)}
            foreign key (${quote(name)}, "toString") references ${quote(name)}.${quote(name)}`,
        ),
        ...tableNames.map(
          (name) => `comment on column ${quote(name)}.${quote(name)}.${quote(name)} is '${name.replaceAll("'", "''")}'`,
        ),
      ].join(';\n'),
    )
    expect(namesOf(schema.tables).toSorted()).toEqual(tableNames.toSorted())
    for (const name of tableNames) {
      const table = tableOf(schema, name, name)
      expect(namesOf(table.columns)).toEqual(names)
      expect(table.primaryKey).toEqual([name, 'toString'])
      expect(columnOf(table, name).comment).toBe(name)
      expect(table.foreignKeys).toMatchObject([{ name, toSchema: name, toTable: name, toColumns: [name, 'toString'] }])
    }
  })
})

describe('a restricted role', () => {
  const role = `tain_role_${randomBytes(6).toString('hex')}`
  let database: TestDatabase
  let schema: DatabaseSchema

  beforeAll(async () => {
    database = await createDatabase()
    await database.query(`
      create role ${role};
      create schema closed;
      create table closed.things (id integer primary key);
      grant select on closed.things to ${role};

      create table open (id integer primary key, name text);
      grant select, insert, update, delete on open to ${role};
      create table secret (id integer primary key, name text);
      grant insert on secret to ${role};
      create table partial (
        id integer primary key, name text, salary integer unique, boss integer references partial, spy integer references secret
      );
      create index on partial (salary);
      create index on partial (name);
      grant select (id, name, boss), update (name) on partial to ${role};
      create table keyless (id integer primary key, code text unique, open integer references open);
      grant select (code, open) on keyless to ${role};
      create table pointing (id integer primary key, code integer, keyless integer references keyless);
      grant select on pointing to ${role};
      create view looking as select * from secret;
      grant select on looking to ${role};
    `)
    const { query, close } = await connect(database.url)
    await query(`set role ${role}`)
    schema = await introspect(query, everything)
    await close()
  })
  afterAll(async () => {
    await database.drop()
    await administer(`drop role ${role}`)
  })

  test('sees the tables it may read, in schemas it may use', () => {
    expect(namesOf(schema.tables)).toEqual(['keyless', 'looking', 'open', 'partial', 'pointing'])
  })

  test('is told what is hidden', () => {
    const table = 'the database role may not SELECT from this table'
    const column = 'the database role may not SELECT this column'
    expect(schema.hidden).toHaveLength(4)
    expect(schema.hidden).toEqual(
      expect.arrayContaining([
        { schema: 'public', table: 'secret', column: null, reason: table },
        { schema: 'public', table: 'partial', column: 'salary', reason: column },
        { schema: 'public', table: 'partial', column: 'spy', reason: column },
        { schema: 'public', table: 'keyless', column: 'id', reason: column },
      ]),
    )
  })

  test('a hidden column takes its keys, indexes and foreign keys with it', () => {
    expect(tableOf(schema, 'partial')).toMatchObject({
      primaryKey: ['id'],
      uniques: [['id']],
      indexed: ['name'],
      foreignKeys: [{ columns: ['boss'], toTable: 'partial' }],
    })
    expect(tableOf(schema, 'keyless')).toMatchObject({ primaryKey: [], uniques: [['code']] })
    expect(tableOf(schema, 'keyless').foreignKeys).toMatchObject([{ columns: ['open'] }])
    expect(tableOf(schema, 'pointing').foreignKeys).toEqual([])
  })

  test('what it may do', () => {
    const permissionModel = (name: string) => tableOf(schema, name).privileges
    expect(permissionModel('open')).toEqual({ insert: true, update: true, delete: true })
    expect(permissionModel('partial')).toEqual({ insert: false, update: true, delete: false })
    expect(permissionModel('looking')).toEqual({ insert: false, update: false, delete: false })
  })

  test('a superuser sees all of it', async () => {
    const all = await introspect(database.query, everything)
    expect(all.tables).toHaveLength(7)
    expect(all.hidden).toEqual([])
  })
})
