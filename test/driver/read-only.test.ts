// Connections that the database itself keeps from writing, whatever statement is sent.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase, type TestDialect } from '../lib/databases.ts'

const connect = (url: string, isReadOnly: boolean): Promise<Database> =>
  connectDatabase(connectOptions(url, { poolMax: 3, lockTimeout: 1000, isReadOnly }))

const sql = (text: string) => ({ text, values: [] })

const writes = [
  'insert into notes values (2)',
  'update notes set id = 3',
  'delete from notes',
  'create table more (id int)',
  'drop table notes',
]

/** Statements that read by their verb and write through a function. */
const hidden: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: [
    `select nextval('numbers')`,
    'select public.leave_a_note()',
    'with made as (delete from notes returning id) select * from made',
  ],
  mysql: ['select nextval(numbers)', 'select leave_a_note()'],
  sqlite: ['with old as (select 1) delete from notes returning id', 'pragma user_version = 7'],
}

const objects: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: [
    'create sequence numbers',
    `create function leave_a_note() returns int language sql as 'insert into notes values (9) returning id'`,
  ],
  mysql: [
    'create sequence numbers',
    'create function leave_a_note() returns int modifies sql data begin insert into notes values (9); return 1; end',
  ],
  sqlite: [],
}

describe.each(testDialects)('a read-only connection to %s', (dialect) => {
  let database: TestDatabase
  let connected: Database

  beforeAll(async () => {
    database = await createDatabase(dialect)
    for (const text of ['create table notes (id int primary key)', 'insert into notes values (1)', ...objects[dialect]])
      await database.query(text)
    connected = await connect(database.url, true)
  })
  afterAll(async () => {
    await closeDatabase(connected)
    await database.drop()
  })

  const notes = () => database.query('select id from notes')

  test('reads, and says that it is read-only', async () => {
    expect(await connected.driver.query(sql('select id from notes'))).toEqual([['1']])
    const [row] = await connected.driver.query(connected.sessionFacts())
    expect(row).toEqual([expect.stringMatching(/^(PostgreSQL|MariaDB|MySQL|SQLite) \d+\.\d+/u), 't'])
  })

  test('a connection that may write says so', async () => {
    const other = await connect(database.url, false)
    const [row] = await other.driver.transaction((transaction) => transaction.query(other.sessionFacts()))
    await closeDatabase(other)
    expect(row?.[1]).toBe('f')
  })

  test.each([...writes, ...hidden[dialect]])('refuses: %s', async (text) => {
    for (const driver of [connected.driver, connected.schemaDriver, connected.backgroundDriver]) {
      await expect(driver.query(sql(text))).rejects.toThrow(/read-?\s?only/iu)
      await expect(driver.execute(sql(text))).rejects.toThrow(/read-?\s?only/iu)
      await expect(driver.transaction((transaction) => transaction.query(sql(text)))).rejects.toThrow(/read-?\s?only/iu)
    }
    expect(await notes()).toEqual([['1']])
  })
})

describe('a read-only connection to a file of SQLite', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-read-only-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each(['wal', 'delete'])('leaves the file and its folder as they were, in journal mode %s', async (mode) => {
    const file = join(folder, `${mode}.db`)
    const made = new BetterSqlite(file)
    made.pragma(`journal_mode = ${mode}`)
    made.exec('create table notes (id int); insert into notes values (1)')
    made.close()
    const before = [await readdir(folder), await readFile(file)]
    const connected = await connect(`sqlite:${file}`, true)
    expect(await connected.driver.query(sql('select id from notes'))).toEqual([['1']])
    expect(
      await connected.driver.transaction((transaction) => transaction.query(sql('select id from notes')), 'read'),
    ).toEqual([['1']])
    await closeDatabase(connected)
    expect([await readdir(folder), await readFile(file)]).toEqual(before)
  })

  test('does not create a missing file', async () => {
    const connected = await connect(`sqlite:${join(folder, 'missing.db')}`, true)
    await expect(connected.driver.execute(sql('create table a (id int)'))).rejects.toThrow(/open/u)
    await closeDatabase(connected)
    expect(await readdir(folder)).not.toContain('missing.db')
  })
})
