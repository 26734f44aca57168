import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMysqlDriver, type MysqlDriverOptions } from '../../packages/server/src/sql/dialects/mysql/driver.ts'
import type { Driver, Row, Statement } from '../../packages/server/src/sql/driver.ts'
import { connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

const drivers: Driver[] = []
let database: TestDatabase

const sql = (text: string, ...values: Statement['values']): Statement => ({ text, values })

function connect(options: Partial<MysqlDriverOptions> = {}): Driver {
  const driver = createMysqlDriver({
    ...connectOptions(database.url, { poolMax: 1, acquireTimeout: 2000, statementTimeout: 15_000, lockTimeout: 1000 }),
    ...options,
  })
  drivers.push(driver)
  return driver
}

async function collect(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

describe.runIf(testDialects.includes('mysql'))('the driver of MariaDB', () => {
  beforeAll(async () => {
    database = await createDatabase('mysql')
    await database.query(`create table parents (id int primary key, name varchar(10) not null unique, age int check (age > 0));
      create table children (id int primary key, parent int, foreign key (parent) references parents (id));
      insert into parents values (1, 'one', 1), (2, 'two', 2)`)
  })

  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()))
  })

  afterAll(() => database.drop())

  test('answers rows of text, whatever the types', async () => {
    const text = `select cast(1 as signed), 1.50, true, null, x'00ff', '{"a": 1}', 0.1e0, 18446744073709551615, b'101',
      timestamp'2024-05-06 07:08:09.123456', date'2024-05-06', time'-30:00:00.5', 'ü😀'`
    const expected = ['1', '1.50', '1', null, String.raw`\x00ff`, '{"a": 1}', '0.1', '18446744073709551615']
    const [row] = await connect().query(sql(text))
    expect(row?.slice(0, 8)).toEqual(expected)
    expect(row?.slice(9)).toEqual(['2024-05-06 07:08:09.123456', '2024-05-06', '-30:00:00.5', 'ü😀'])
  })

  test('carries values of every kind and size, and lists as JSON', async () => {
    const long = `ä€😀'"\\\0\u001A%_?`.repeat(50_000)
    const list = ['plain', `with "quotes'`, String.raw`back\slash`, '', null]
    const [row] = await connect().query(
      sql('select ?, ?, ?, ? + 1, `a?` from (select 7 as `a?`) t', long, null, list, 41n),
    )
    expect(row?.[0] === long).toBe(true)
    expect(row?.slice(1)).toEqual([null, JSON.stringify(list), '42', '7'])
  })

  test('sets the session up', async () => {
    const settings =
      'select @@time_zone, @@tx_isolation, @@collation_connection, @@max_statement_time, @@innodb_lock_wait_timeout'
    expect(await connect().query(sql(settings))).toEqual([
      ['+00:00', 'READ-COMMITTED', 'utf8mb4_bin', '15.000000', '1'],
    ])
    const [[mode]] = (await connect().query(sql('select @@sql_mode'))) as [[string]]
    expect(mode).toContain('STRICT_ALL_TABLES')
    // The driver escapes values with backslashes.
    expect(mode).not.toMatch(/NO_BACKSLASH_ESCAPES|ANSI/u)
  })

  test('a list that does not fit is an error, and never half a list', async () => {
    const driver = connect()
    const cut = driver.transaction(async (transaction) => {
      await transaction.query(sql('set session group_concat_max_len = 10'))
      return transaction.query(sql('select group_concat(seq) from seq_1_to_100'))
    })
    await expect(cut).rejects.toMatchObject({ fault: 'too-large', databaseCode: '1260' })
    const tooLong = connect().query(sql('select concat(repeat(?, 9000000), repeat(?, 9000000))', 'a', 'b'))
    await expect(tooLong).rejects.toMatchObject({ fault: 'too-large', databaseCode: '1301' })
  })

  test.each([
    ['schema-changed', 'select * from no_such_table'],
    ['schema-changed', 'select no_such_column from parents'],
    ['unique', "insert into `DB`.`parents` values (3, 'one', 1)"],
    ['not-null', 'insert into `DB`.`parents` values (3, null, 1)'],
    ['not-null', 'insert into `DB`.`parents` (id) values (3)'],
    ['check', "insert into `DB`.`parents` values (3, 'three', 0)"],
    ['too-long', "insert into `DB`.`parents` values (3, 'much too long', 1)"],
    ['out-of-range', "insert into `DB`.`parents` values (99999999999, 'x', 1)"],
    ['invalid-value', "insert into `DB`.`parents` values ('x', 'x', 1)"],
    ['foreign-key', 'insert into `DB`.`children` values (1, 99)'],
    ['other', 'selec'],
  ])('%s: %s', async (fault, text) => {
    const driver = connect()
    const failing = driver.query(sql(text.replaceAll('DB', database.name)))
    await expect(failing).rejects.toMatchObject({ name: 'DatabaseError', fault })
    expect(await driver.query(sql('select 1'))).toEqual([['1']])
  })

  test('names what a refusal was about', async () => {
    const driver = connect()
    const names = { schema: database.name, table: 'parents' }
    const insert = (values: string) =>
      driver.query(sql(`insert into \`${database.name}\`.\`parents\` values (${values})`))
    await expect(insert(`3, 'one', 1`)).rejects.toMatchObject({
      details: { ...names, constraint: 'parents\u0000name' },
    })
    await expect(insert(`3, null, 1`)).rejects.toMatchObject({ details: { ...names, column: 'name' } })
    const child = driver.query(sql('insert into children values (1, 99)'))
    await expect(child).rejects.toMatchObject({ details: { table: 'children', constraint: 'children_ibfk_1' } })
  })

  test('a statement that runs too long, a lock that does not come', async () => {
    await expect(connect({ statementTimeout: 100 }).query(sql('select sleep(5)'))).rejects.toMatchObject({
      fault: 'too-slow',
    })
    const [holder, waiter] = [connect(), connect()]
    await holder.transaction(async (transaction) => {
      await transaction.query(sql('update parents set age = 5 where id = 1'))
      const waiting = waiter.query(sql('update parents set age = 6 where id = 1'))
      await expect(waiting).rejects.toMatchObject({ fault: 'timeout', databaseCode: '1205' })
    })
  })

  test('a connection that is killed fails its statement only', async () => {
    const [driver, other] = [connect(), connect()]
    const [[id]] = (await driver.query(sql('select connection_id()'))) as [[string]]
    const failure = driver.query(sql('select sleep(10)')).catch((error: unknown) => error)
    await sleep(50)
    await other.query(sql(`kill ${id}`))
    expect(await failure).toMatchObject({ fault: 'unavailable' })
    expect(await driver.query(sql('select 1'))).toEqual([['1']])
  })

  test('aborting ends the statement in the database, and hits no other', async () => {
    const driver = connect()
    const controller = new AbortController()
    const running = driver.query(sql('select sleep(30)'), { signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    const began = performance.now()
    await expect(running).rejects.toMatchObject({ fault: 'cancelled' })
    expect(performance.now() - began).toBeLessThan(2000)
    expect(await driver.query(sql('select sleep(0.05)'))).toEqual([['0']])
    const sleepers = sql(`select count(*) from information_schema.processlist where info like 'select sleep(30%'`)
    expect(await driver.query(sleepers)).toEqual([['0']])
  })

  test('a transaction keeps all or nothing, and after a failure goes on only from a savepoint', async () => {
    const driver = connect()
    const failing = driver.transaction(async (transaction) => {
      await transaction.query(sql('update parents set age = 50 where id = 2'))
      await transaction.query(sql(`insert into parents values (1, 'again', 1)`)).catch(() => undefined)
      // The server itself would execute this statement.
      await transaction.query(sql('update parents set age = 51 where id = 2')).catch(() => undefined)
    })
    await expect(failing).rejects.toMatchObject({ fault: 'unique' })
    expect(await driver.query(sql('select age from parents where id = 2'))).toEqual([['2']])
    await driver.transaction(async (transaction) => {
      await transaction.query(sql('savepoint tain'))
      await transaction.query(sql(`insert into parents values (1, 'again', 1)`)).catch(() => undefined)
      await transaction.query(sql('rollback to savepoint tain'))
      await transaction.query(sql('update parents set age = 52 where id = 2'))
    })
    expect(await driver.query(sql('select age from parents where id = 2'))).toEqual([['52']])
  })

  test('locks by name are given back with the transaction', async () => {
    const [driver, other] = [connect(), connect()]
    const lock = sql('select get_lock(?, 1)', `tain test ${database.name}`)
    await driver.transaction(async (transaction) => {
      await transaction.query(lock)
      const second = other.transaction((waiting) => waiting.query(lock))
      await expect(second).rejects.toMatchObject({ fault: 'timeout' })
    })
    expect(await other.transaction((waiting) => waiting.query(lock))).toEqual([['1']])
  })

  test('streams all rows in batches, and gives the connection back', async () => {
    const driver = connect()
    const rows = await collect(driver.stream(sql('select seq, ? from seq_1_to_12345', 'x')))
    expect(rows).toHaveLength(12_345)
    expect(rows.at(-1)).toEqual(['12345', 'x'])
    for await (const batch of driver.stream(sql('select seq from seq_1_to_1000000'))) {
      expect(batch).toHaveLength(500)
      break
    }
    expect(await driver.query(sql('select 1'))).toEqual([['1']])
  })

  test('a server that is not there fails at once, as unavailable', async () => {
    const driver = connect({ url: 'mysql://root@127.0.0.1:1/none' })
    await expect(driver.query(sql('select 1'))).rejects.toMatchObject({ fault: 'unavailable' })
    const began = performance.now()
    await expect(driver.query(sql('select 1'))).rejects.toMatchObject({ fault: 'unavailable' })
    expect(performance.now() - began).toBeLessThan(100)
    expect(driver.isReachable).toBe(false)
  })

  test('waiting for a connection ends with its time', async () => {
    const driver = connect({ acquireTimeout: 200 })
    const busy = driver.query(sql('select sleep(0.6)'))
    await expect(driver.query(sql('select 1'))).rejects.toMatchObject({ fault: 'unavailable' })
    await busy
  })
})
