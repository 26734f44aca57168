import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMysql } from '../../packages/server/src/sql/dialects/mysql/connect.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import type { DatabaseTable } from '../../packages/server/src/sql/database-schema.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

const structure = `
  create table authors (id int auto_increment primary key, email varchar(100) unique comment 'where to write') comment 'people';
  create table articles (
    id bigint unsigned primary key, flag tinyint(1) not null default 1, small tinyint unsigned, mood enum('a', 'it''s', 'c,d'),
    tags set('x', 'y'), doc json, body longtext, price decimal(10, 2) default 1.50, code uuid, made timestamp(6) null,
    edited datetime, taken year, bits bit(4), raw varbinary(16), area polygon, name varchar(20) default 'none',
    twice decimal(20, 2) generated always as (price * 2) stored, author int, other_id int, key (name), unique (author, other_id),
    constraint written foreign key (author) references authors (id) on delete set null on update cascade);
  create view named as select id, name from articles;
  create table service_x (id int primary key)`

describe.runIf(testDialects.includes('mysql'))('introspection of MariaDB', () => {
  let database: TestDatabase
  let connected: Database
  const scope = () => ({ systemSchema: database.name, schemas: null })
  const fingerprint = async () => (await connected.driver.query(connected.dialect.fingerprint(scope())))[0]?.[0]

  beforeAll(async () => {
    database = await createDatabase('mysql')
    await database.query(structure)
    connected = connectMysql({
      url: database.url,
      poolMax: 1,
      acquireTimeout: 2000,
      statementTimeout: 15_000,
      lockTimeout: 1000,
      connectTimeout: 3000,
      preparedStatements: 0,
      applicationName: 'tain-mirror-test',
    })
  })

  afterAll(async () => {
    const { driver, schemaDriver, backgroundDriver, ownDrivers = [] } = connected
    await Promise.all([driver, schemaDriver, backgroundDriver, ...ownDrivers].map((each) => each.close()))
    await database.drop()
  })

  const tables = async (): Promise<ReadonlyMap<string, DatabaseTable>> => {
    const found = await connected.introspect((statement) => connected.driver.query(statement), scope())
    return new Map(found.tables.map((table) => [table.name, table]))
  }

  test('finds tables, views and tables that only look like ours', async () => {
    const found = await tables()
    expect([...found.keys()]).toEqual(['articles', 'authors', 'named', 'service_x'])
    expect(found.get('named')).toMatchObject({ kind: 'view', primaryKey: [], comment: null })
    expect(found.get('authors')).toMatchObject({ kind: 'table', comment: 'people', uniques: [['id'], ['email']] })
  })

  test('knows types, defaults, labels and what the server computes', async () => {
    const columns = new Map((await tables()).get('articles')?.columns.map((column) => [column.name, column]))
    const typeOf = (name: string) => {
      const column = columns.get(name)
      return column === undefined ? null : connected.dialect.fieldTypeOf(column)
    }
    const names = ['id', 'flag', 'small', 'mood', 'tags', 'doc', 'body', 'price', 'code', 'made', 'edited', 'taken']
    expect(names.map(typeOf)).toEqual(
      'bigInteger boolean integer string string json text decimal uuid timestamp dateTime integer'.split(' '),
    )
    expect(['bits', 'raw', 'area'].map(typeOf)).toEqual(['bigInteger', 'binary', 'geometry.Polygon'])
    expect(columns.get('mood')?.enumValues).toEqual(['a', "it's", 'c,d'])
    expect(columns.get('price')).toMatchObject({ numericPrecision: 10, numericScale: 2, defaultExpression: '1.50' })
    expect(columns.get('name')).toMatchObject({ maxLength: 20, defaultExpression: "'none'", isNullable: true })
    expect(columns.get('twice')).toMatchObject({ generationExpression: '`price` * 2', defaultExpression: null })
    expect(columns.get('made')?.defaultExpression).toBeNull()
    const [id] = (await tables()).get('authors')?.columns ?? []
    expect(id).toMatchObject({ hasAutoIncrement: true, isNullable: false })
  })

  test('knows keys, indexes and references', async () => {
    expect((await tables()).get('articles')).toMatchObject({
      primaryKey: ['id'],
      uniques: [['id'], ['author', 'other_id']],
      indexed: ['name'],
      foreignKeys: [
        { name: 'written', columns: ['author'], toTable: 'authors', onDelete: 'SET NULL', onUpdate: 'CASCADE' },
      ],
    })
  })

  test('knows defaults with characters that the catalogue does not show', async () => {
    await database.query(
      `create table smiles (id int primary key, face longtext default 'it''s 😀?', mark varchar(9) default '?')`,
    )
    const columns = (await tables()).get('smiles')?.columns
    await database.query('drop table smiles')
    expect(columns?.map(({ defaultExpression }) => defaultExpression)).toEqual([null, `'it''s 😀?'`, `'?'`])
  })

  test('tells keys apart whose names the catalogue cuts off', async () => {
    const name = 'x'.repeat(61)
    await database.query(
      `create table ${name} (id int primary key, a int, b int, c int);
      alter table ${name} add foreign key (a) references authors (id);
      alter table ${name} add foreign key (b, c) references articles (author, other_id) on delete cascade`,
    )
    const found = (await tables()).get(name)?.foreignKeys
    await database.query(`drop table ${name}`)
    const toSchema = database.name
    expect(found).toEqual([
      {
        name: `${name}_ibfk_1`,
        columns: ['a'],
        toSchema,
        toTable: 'authors',
        toColumns: ['id'],
        onUpdate: 'RESTRICT',
        onDelete: 'RESTRICT',
      },
      {
        name: `${name}_ibfk_2`,
        columns: ['b', 'c'],
        toSchema,
        toTable: 'articles',
        toColumns: ['author', 'other_id'],
        onUpdate: 'RESTRICT',
        onDelete: 'CASCADE',
      },
    ])
  })

  test('the fingerprint stays, and changes with whatever is changed', async () => {
    await expect.poll(async () => (await fingerprint()) === (await fingerprint()), { timeout: 10_000 }).toBe(true)
    let last = await fingerprint()
    for (const change of [
      'alter table authors add born date',
      `alter table authors modify born date comment 'day'`,
      'alter table authors add index (born)',
      'create or replace view named as select id from articles',
      'drop table service_x',
    ]) {
      await database.query(change)
      const next = await fingerprint()
      expect({ change, fingerprint: next }).not.toEqual({ change, fingerprint: last })
      last = next
    }
  })

  test('a table that is not ours stops the start', async () => {
    await database.query('create table service_users (id int primary key)')
    const { compile } = connected.dialect
    const { text, binds } = compile(connected.serviceTables.state(database.name))
    const [row] = await connected.driver.query({ text, values: binds.map(String) })
    expect(row?.[8]).toBe('service_users')
  })
})
