import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from 'pg'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { PostgresProtocol } from '../../packages/server/src/sql/database.ts'
import type { Driver, Row, Statement } from '../../packages/server/src/sql/driver.ts'
import {
  createPostgresDriver,
  type PostgresDriverOptions,
} from '../../packages/server/src/sql/dialects/postgres/driver.ts'

const url = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const drivers: Driver[] = []
let postgresProtocol: PostgresProtocol

function connect(options: Partial<PostgresDriverOptions> = {}): Driver {
  const driver = createPostgresDriver({
    url,
    poolMax: 1,
    acquireTimeout: 2000,
    statementTimeout: 15_000,
    lockTimeout: 500,
    connectTimeout: 3000,
    preparedStatements: 10,
    postgresProtocol,
    applicationName: 'tain-driver-test',
    ...options,
  })
  drivers.push(driver)
  return driver
}

afterEach(async () => {
  await Promise.all(drivers.splice(0).map((driver) => driver.close()))
})

function sql(text: string, ...values: Statement['values']): Statement {
  return { text, values }
}

async function collect(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const backendPid = sql('select pg_backend_pid()')

function wideRow(n: number): Row {
  const picture = String.fromCodePoint(128_000 + (n % 50))
  return [String(n), 'x'.repeat(n % 400), null, 'ä'.repeat(n % 300), picture, '', '€'.repeat(n % 5)]
}

function params(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(',')
}

function manyValues(count: number): string[] {
  return Array.from({ length: count }, () => 'x')
}

describe.each(['direct', 'driver'] as const)('%s', (protocol) => {
  beforeAll(() => {
    postgresProtocol = protocol
  })

  describe('query', () => {
    test('answers rows of text, whatever the types', async () => {
      const driver = connect()
      const text = `select 1::int8, 1.50::numeric, true, null, '\\x00ff'::bytea, '{"a": 1}'::jsonb, 0.1::float8,
      timestamptz '2024-05-06 07:08:09.123456+02', date '2024-05-06', interval '1 day 2 hours', array['a', null], 'ü😀'`
      expect(await driver.query(sql(text))).toEqual([
        [
          '1',
          '1.50',
          't',
          null,
          String.raw`\x00ff`,
          '{"a": 1}',
          '0.1',
          '2024-05-06 05:08:09.123456+00',
          '2024-05-06',
          'P1DT2H',
          '{a,NULL}',
          'ü😀',
        ],
      ])
      expect(driver.isReachable).toBe(true)
    })

    test('carries values of every kind and size', async () => {
      const driver = connect()
      const long = 'ä€😀'.repeat(50_000)
      const list = ['plain', 'with "quotes"', String.raw`back\slash`, 'a,b{}', '', 'NULL', null, 'ü']
      const text = 'select $1::text, $2::text, $3::text[] = $4::text[], $5::text, $6::text, array_to_json($3::text[])'
      const [row] = await driver.query(sql(text, long, null, list, list, '', 'ö'))
      expect(row).toEqual([long, null, 't', '', 'ö', JSON.stringify(list)])
      // The next message starts from a fresh buffer.
      expect(await driver.query(sql('select $1::text', 'x'))).toEqual([['x']])
      expect(
        await driver.query(sql(`select count(v) from unnest(array[${params(65_535)}]) v`, ...manyValues(65_535))),
      ).toEqual([['65535']])
      await expect(driver.query(sql('select 1', ...manyValues(65_536)))).rejects.toMatchObject({ fault: 'too-complex' })
    })

    test('reads rows of any width, however the network cuts them', async () => {
      const driver = connect()
      const text = `select n, repeat('x', n % 400), null, repeat('ä', n % 300), chr(128000 + n % 50), '', repeat('€', n % 5)
      from generate_series(1, 5000) n`
      const expected = Array.from({ length: 5000 }, (_, index) => wideRow(index + 1))
      expect(await driver.query(sql(text))).toEqual(expected)
      const [[large]] = (await driver.query(sql(`select repeat('ab€', 5000000)`))) as [[string]]
      expect(large === 'ab€'.repeat(5_000_000)).toBe(true)
      const columns = Array.from({ length: 1600 }, (_, index) => String(index))
      expect(await driver.query(sql(`select ${columns.join(',')}`))).toEqual([columns])
    })

    test('answers nothing for a statement without rows, and for an empty one', async () => {
      const driver = connect()
      expect(await driver.query(sql('select where false'))).toEqual([])
      expect(await driver.query(sql(''))).toEqual([])
      expect(await driver.query(sql(`set local work_mem = '4MB'`))).toEqual([])
    })

    test('rows beyond the limit fail their statement only', async () => {
      const driver = connect()
      const rows = sql(`select n, repeat('x', 100) from generate_series(1, 20000) n`)
      const failure = { fault: 'too-large', details: { mostBytes: 100_000 } }
      await expect(driver.query({ ...rows, mostBytes: 100_000 })).rejects.toMatchObject(failure)
      const large = { ...sql(`select repeat('x', 5000000)`), mostBytes: 100_000 }
      await expect(driver.query(large)).rejects.toMatchObject(failure)
      expect(await driver.query({ ...rows, mostBytes: 3_000_000 })).toHaveLength(20_000)
    })

    test('refuses a script', async () => {
      const driver = connect()
      await expect(driver.query(sql('select 1; select 2'))).rejects.toMatchObject({ databaseCode: '42601' })
      await expect(driver.query({ ...sql('select 1; select 2'), name: 'n' })).rejects.toMatchObject({ fault: 'other' })
    })

    test('sets the session up', async () => {
      const settings = `select current_setting('TimeZone'), current_setting('DateStyle'), current_setting('IntervalStyle'),
      current_setting('bytea_output'), current_setting('client_encoding'), current_setting('jit'),
      current_setting('statement_timeout'), current_setting('lock_timeout'),
      current_setting('idle_in_transaction_session_timeout'), current_setting('application_name')`
      const expected = ['UTC', 'ISO, MDY', 'iso_8601', 'hex', 'UTF8', 'off', '15s', '500ms', '15s', 'tain-driver-test']
      expect(await connect().query(sql(settings))).toEqual([expected])
      expect(await connect({ preparedStatements: 0 }).query(sql(settings))).toEqual([expected])
      const withOptions = `${url}?options=${encodeURIComponent('-c TimeZone=Asia/Tokyo -c search_path=tain_test')}`
      expect(await connect({ url: withOptions }).query(sql(settings))).toEqual([expected])
      expect(await connect({ url: withOptions }).query(sql('show search_path'))).toEqual([['tain_test']])
    })

    test('shows every statement to the hook', async () => {
      const seen: string[] = []
      const driver = connect({ onStatement: (statement) => seen.push(statement.text) })
      await driver.query(sql('select 1'))
      await driver.transaction((transaction) => transaction.query(sql('select 2')))
      expect(seen).toEqual(['select 1', 'begin', 'select 2', 'commit'])
    })
  })

  describe('faults', () => {
    test.each([
      ['schema-changed', sql('select * from tain_no_such_table')],
      ['schema-changed', sql('select no_such_column from pg_class')],
      ['schema-changed', sql('select null::no_such_type')],
      ['invalid-value', sql('select $1::int', 'x')],
      ['invalid-value', sql('select $1::uuid', 'x')],
      ['invalid-value', sql('select $1::timestamptz', 'x')],
      ['invalid-value', sql('select $1::date', '2024-13-45')],
      ['invalid-value', sql('select $1::text', 'a\0b')],
      ['invalid-value', sql("select 'a' ~ $1", '(')],
      ['out-of-range', sql('select $1::int', '99999999999')],
      ['computation', sql('select 1/$1::int', '0')],
      ['other', sql('selec')],
    ])('%s: %o', async (fault, statement) => {
      const driver = connect()
      await expect(driver.query(statement)).rejects.toMatchObject({ name: 'DatabaseError', fault })
      await expect(driver.query({ ...statement, name: 'named' })).rejects.toMatchObject({ fault })
      expect(await driver.query(sql('select 1'))).toEqual([['1']])
    })

    test('a statement that runs too long, a lock that does not come', async () => {
      const driver = connect({ statementTimeout: 100 })
      await expect(driver.query(sql('select pg_sleep(5)'))).rejects.toMatchObject({ fault: 'too-slow' })
      const [holder, waiter] = [connect(), connect()]
      await holder.transaction(async (transaction) => {
        await transaction.query(sql('lock table pg_catalog.pg_description in access exclusive mode'))
        await expect(waiter.query(sql('select count(*) from pg_description'))).rejects.toMatchObject({
          fault: 'timeout',
        })
      })
    })

    test('permission', async () => {
      const driver = connect()
      const peeking = driver.transaction(async (transaction) => {
        await transaction.query(sql('set local role pg_monitor'))
        await transaction.query(sql('select * from pg_authid'))
      })
      await expect(peeking).rejects.toMatchObject({ fault: 'permission' })
    })

    test('a backend that is terminated fails its statement only', async () => {
      const [driver, other] = [connect(), connect()]
      const [[pid]] = (await driver.query(backendPid)) as [[string]]
      const running = driver.query(sql('select pg_sleep(10)'))
      const failure = failureOf(running)
      await sleep(50)
      await other.query(sql('select pg_terminate_backend($1::int)', pid))
      expect(await failure).toMatchObject({ fault: 'unavailable', databaseCode: '57P01' })
      const [[next]] = (await driver.query(backendPid)) as [[string]]
      expect(next).not.toBe(pid)
      // An idle connection that was terminated is dropped before it is used again.
      await other.query(sql('select pg_terminate_backend($1::int)', next))
      await sleep(50)
      expect(await driver.query(sql('select 1'))).toEqual([['1']])
    })
  })

  describe('named statements', () => {
    const prepared = sql('select statement from pg_prepared_statements order by prepare_time')

    test('are prepared once and bounded, the least recently used goes first', async () => {
      const driver = connect({ preparedStatements: 3 })
      for (const number of [1, 2, 3, 1, 4]) await driver.query({ ...sql(`select ${number}`), name: `n${number}` })
      expect(await driver.query(prepared)).toEqual([['select 1'], ['select 3'], ['select 4']])
      for (let number = 0; number < 100; number++) {
        expect(await driver.query({ ...sql(`select ${number}`), name: `n${number}` })).toEqual([[String(number)]])
        expect((await driver.query(prepared)).length).toBeLessThanOrEqual(3)
      }
    })

    test('a name with another text is prepared anew; long names are kept apart', async () => {
      const driver = connect()
      const name = 'n'.repeat(80)
      expect(await driver.query({ ...sql('select 1'), name: `${name}a` })).toEqual([['1']])
      expect(await driver.query({ ...sql('select 2'), name: `${name}b` })).toEqual([['2']])
      expect(await driver.query({ ...sql('select 3'), name: `${name}a` })).toEqual([['3']])
      await driver.query(sql('select 1'))
      expect(await driver.query(prepared)).toEqual([['select 2'], ['select 3']])
    })

    test('are bounded by their size; a long one is not prepared at all', async () => {
      const driver = connect({ preparedStatements: 1000 })
      const size = sql('select count(*), coalesce(sum(length(statement)), 0) from pg_prepared_statements')
      const memory = sql('select sum(total_bytes) from pg_backend_memory_contexts')
      const selectOf = (terms: number, number: number) =>
        `select ${Array.from({ length: terms }, (_, index) => `(select ${index + number})`).join(', ')}`
      await driver.query(memory)
      const [[before]] = (await driver.query(memory)) as [[string]]
      for (let number = 0; number < 5; number++)
        await driver.query({ ...sql(selectOf(1000, number)), name: `long${number}` })
      expect(await driver.query(size)).toEqual([['0', '0']])
      const [[after]] = (await driver.query(memory)) as [[string]]
      expect(Number(after) - Number(before)).toBeLessThan(4 * 1024 ** 2)
      for (let number = 0; number < 120; number++)
        await driver.query({ ...sql(selectOf(300, number)), name: `middle${number}` })
      const [[count, characters]] = (await driver.query(size)) as [[string, string]]
      expect(Number(count)).toBeGreaterThan(50)
      expect(Number(characters)).toBeLessThanOrEqual(512 * 1024)
    })

    test('none with a bound of 0', async () => {
      const driver = connect({ preparedStatements: 0 })
      for (const number of [1, 2]) await driver.query({ ...sql(`select ${number}`), name: `n${number}` })
      expect(await driver.query(prepared)).toEqual([])
    })

    test('statements that fail while they are prepared leave nothing behind', async () => {
      const driver = connect()
      for (let number = 0; number < 5; number++) {
        const invalid = driver.query({ ...sql(`select $1::int + ${number}`, 'x'), name: `n${number}` })
        await expect(invalid).rejects.toMatchObject({ fault: 'invalid-value' })
        const missing = driver.query({ ...sql(`select ${number} from tain_no_such_table`), name: `m${number}` })
        await expect(missing).rejects.toMatchObject({ fault: 'schema-changed' })
      }
      expect(await driver.query(prepared)).toEqual([])
    })

    test('an invalid value leaves the statement prepared', async () => {
      const driver = connect()
      const statement = { ...sql('select $1::int', '1'), name: 'n' }
      await driver.query(statement)
      await expect(driver.query({ ...statement, values: ['x'] })).rejects.toMatchObject({ fault: 'invalid-value' })
      const [[before]] = (await driver.query(sql('select count(*) from pg_prepared_statements'))) as [[string]]
      expect(before).toBe('1')
      expect(await driver.query(statement)).toEqual([['1']])
    })

    test('a changed table fails once with schema-changed, then is planned anew on every connection', async () => {
      const driver = connect({ poolMax: 2 })
      await driver.query(sql('drop table if exists driver_test_plan'))
      await driver.query(sql('create table driver_test_plan (a int)'))
      await driver.query(sql('insert into driver_test_plan values (1)'))
      const statement = { ...sql('select * from driver_test_plan'), name: 'plan' }
      await Promise.all([driver.query(sql('select pg_sleep(0.05)')), driver.query(sql('select pg_sleep(0.05)'))])
      await Promise.all([driver.query(statement), driver.query(statement)])
      await driver.query(sql('alter table driver_test_plan alter a type text'))
      await expect(driver.query(statement)).rejects.toMatchObject({ fault: 'schema-changed', databaseCode: '0A000' })
      expect(await Promise.all([driver.query(statement), driver.query(statement)])).toEqual([[['1']], [['1']]])
      await driver.query(sql('drop table driver_test_plan'))
    })
  })

  describe('cancel', () => {
    const sleepers =
      sql(`select count(*) from pg_stat_activity where query like '%driver_test_sleep%' and state = 'active'
    and pid <> pg_backend_pid()`)

    test('frees the backend within a second, and the connection serves the next statement right', async () => {
      const [driver, other] = [connect(), connect()]
      const [[pid]] = (await driver.query(backendPid)) as [[string]]
      const controller = new AbortController()
      const running = driver.query(sql(`select pg_sleep(30), 'driver_test_sleep'`), { signal: controller.signal })
      const failure = failureOf(running)
      await sleep(200)
      expect(await other.query(sleepers)).toEqual([['1']])
      const start = performance.now()
      controller.abort()
      const next = driver.query(backendPid)
      expect(await failure).toMatchObject({ fault: 'cancelled' })
      expect(await next).toEqual([[pid]])
      expect(performance.now() - start).toBeLessThan(1000)
      expect(await other.query(sleepers)).toEqual([['0']])
    })

    test('never hits another statement', async () => {
      const driver = connect({ poolMax: 3, queueMax: 10_000, acquireTimeout: 30_000 })
      const outcomes = { cancelled: 0, done: 0 }
      const doomed = async (index: number): Promise<void> => {
        const signal = AbortSignal.timeout(60 + (index % 90))
        await driver.query(sql('select pg_sleep(0.1)'), { signal }).then(
          () => outcomes.done++,
          (error: unknown) => {
            expect(error).toMatchObject({ fault: 'cancelled' })
            outcomes.cancelled++
          },
        )
      }
      const innocent = async (index: number): Promise<void> => {
        expect(await driver.query(sql('select $1::int, pg_sleep(0.005)', String(index)))).toEqual([[String(index), '']])
      }
      for (let round = 0; round < 40; round++) {
        await Promise.all([doomed(round), innocent(1), doomed(round * 7), innocent(2), innocent(3)])
      }
      expect(outcomes.cancelled).toBeGreaterThan(0)
    })

    test('a statement that still waits is just removed', async () => {
      const seen: string[] = []
      const driver = connect({ onStatement: (statement) => seen.push(statement.text) })
      const running = driver.query(sql('select pg_sleep(0.5)'))
      const controller = new AbortController()
      const waiting = driver.query(sql('select 2'), { signal: controller.signal })
      controller.abort()
      await expect(waiting).rejects.toMatchObject({ fault: 'cancelled' })
      await expect(driver.query(sql('select 3'), { signal: controller.signal })).rejects.toMatchObject({
        fault: 'cancelled',
      })
      await running
      expect(seen).toEqual(['select pg_sleep(0.5)'])
    })
  })

  describe('stream', () => {
    test('gives all rows in batches and the connection back', async () => {
      const driver = connect()
      const rows = await collect(driver.stream(sql('select n, null from generate_series(1, $1::int) n', '1234')))
      expect(rows.length).toBe(1234)
      expect(rows.at(-1)).toEqual(['1234', null])
      expect(await collect(driver.stream(sql('select 1 where false')))).toEqual([])
      expect(await collect(driver.stream(sql('select n from generate_series(1, 500) n')))).toHaveLength(500)
      expect(await driver.query(sql('select 1'))).toEqual([['1']])
    })

    test('early return gives the connection back, clean', async () => {
      const driver = connect()
      const [[pid]] = (await driver.query(backendPid)) as [[string]]
      for await (const rows of driver.stream(sql('select generate_series(1, 1000000)'))) {
        expect(rows.length).toBe(20)
        break
      }
      expect(
        await driver.query(sql('select pg_backend_pid(), (select count(*) from pg_cursors where name <> $$$$)')),
      ).toEqual([[pid, '0']])
    })

    test('an error, also in the middle, gives the connection back', async () => {
      const driver = connect()
      await expect(collect(driver.stream(sql('select * from tain_no_such_table')))).rejects.toMatchObject({
        fault: 'schema-changed',
      })
      let seen = 0
      const stream = async (): Promise<void> => {
        for await (const rows of driver.stream(sql('select 1 / (1200 - n) from generate_series(1, 5000) n'))) {
          seen += rows.length
        }
      }
      await expect(stream()).rejects.toMatchObject({ fault: 'computation', databaseCode: '22012' })
      expect(seen).toBe(1020)
      expect(await driver.query(sql('select 1'))).toEqual([['1']])
    })

    test('statement_timeout bounds each fetch, not the whole nor the reader', async () => {
      const driver = connect({ statementTimeout: 600 })
      let seen = 0
      const slow = sql('select n, case when n % 500 = 0 then pg_sleep(0.15) end from generate_series(1, 2500) n')
      for await (const rows of driver.stream(slow)) {
        seen += rows.length
        await sleep(200)
      }
      expect(seen).toBe(2500)
      await expect(collect(driver.stream(sql('select pg_sleep(5)')))).rejects.toMatchObject({ fault: 'too-slow' })
    })

    test('abort ends it, while it reads and while it waits for its reader', async () => {
      const driver = connect()
      const reading = new AbortController()
      setTimeout(() => reading.abort(), 100)
      const running = collect(driver.stream(sql('select pg_sleep(30)'), { signal: reading.signal }))
      await expect(running).rejects.toMatchObject({ fault: 'cancelled' })
      const waiting = new AbortController()
      const endless = driver.stream(sql('select generate_series(1, 1000000)'), { signal: waiting.signal })
      const iterator = endless[Symbol.asyncIterator]()
      await iterator.next()
      waiting.abort()
      // The reader never continues, and the only connection is still released.
      expect(await driver.query(sql('select 1'))).toEqual([['1']])
      await expect(iterator.next()).rejects.toMatchObject({ fault: 'cancelled' })
      expect(await driver.query(sql('select 1'))).toEqual([['1']])
    })

    // Measured on the whole process: concurrent work can only increase it.
    test('memory stays constant over a million rows', { retry: 2 }, async () => {
      const driver = connect()
      let [seen, peak] = [0, 0]
      const before = process.memoryUsage.rss()
      for await (const rows of driver.stream(sql(`select n, repeat('x', 100) from generate_series(1, 1000000) n`))) {
        seen += rows.length
        peak = Math.max(peak, process.memoryUsage.rss())
      }
      expect(seen).toBe(1_000_000)
      expect((peak - before) / 2 ** 20).toBeLessThan(150)
    })
  })

  describe('transaction', () => {
    const count = sql('select count(*) from driver_test_rows')

    async function table(driver: Driver): Promise<void> {
      await driver.query(sql('create temp table driver_test_rows (a int unique deferrable initially deferred)'))
    }

    const insert = (value: number) => sql('insert into driver_test_rows values ($1::int)', String(value))

    test('commits, and rolls back on error', async () => {
      const driver = connect()
      await table(driver)
      expect(await driver.transaction(async (transaction) => (await transaction.query(insert(1))).length)).toBe(0)
      expect(await driver.query(count)).toEqual([['1']])
      const failing = driver.transaction(async (transaction) => {
        await transaction.query(insert(2))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await driver.query(count)).toEqual([['1']])
    })

    test('a failed statement that the work swallowed does not pass for a commit', async () => {
      const driver = connect()
      await table(driver)
      const swallowing = driver.transaction(async (transaction) => {
        await transaction.query(insert(1))
        await transaction.query(sql('select 1/0')).catch(() => undefined)
      })
      await expect(swallowing).rejects.toMatchObject({ databaseCode: '22012' })
      expect(await driver.query(count)).toEqual([['0']])
    })

    test('a commit that fails is an error, and the connection lives', async () => {
      const driver = connect()
      await table(driver)
      const duplicate = driver.transaction(async (transaction) => {
        await transaction.query(insert(1))
        await transaction.query(insert(1))
      })
      await expect(duplicate).rejects.toMatchObject({ databaseCode: '23505' })
      expect(await driver.query(count)).toEqual([['0']])
    })

    test('runs statements one after another, also those nobody waits for', async () => {
      const driver = connect()
      await table(driver)
      await driver.transaction(async (transaction) => {
        await Promise.all([1, 2, 3, 4, 5].map((value) => transaction.query(insert(value))))
        void transaction.query(insert(6))
      })
      expect(await driver.query(count)).toEqual([['6']])
    })

    test('is over when it is over', async () => {
      const driver = connect()
      const leaked = await driver.transaction((transaction) => Promise.resolve(transaction))
      await expect(leaked.query(sql('select 1'))).rejects.toMatchObject({ fault: 'other' })
    })

    test('a connection left in a transaction is destroyed', async () => {
      const driver = connect()
      const [[pid]] = (await driver.query(backendPid)) as [[string]]
      await driver.query(sql('begin'))
      expect(await driver.query(backendPid)).not.toEqual([[pid]])
    })
  })

  describe('pool', () => {
    test('grows lazily, and no further than told', async () => {
      const driver = connect({ poolMax: 3, applicationName: 'tain-driver-growth' })
      const size = sql(`select count(*) from pg_stat_activity where application_name = 'tain-driver-growth'`)
      for (let turn = 0; turn < 5; turn++) expect(await driver.query(size)).toEqual([['1']])
      await Promise.all(Array.from({ length: 20 }, () => driver.query(sql('select pg_sleep(0.01)'))))
      expect(await driver.query(size)).toEqual([['3']])
    })

    test('the queue is bounded, first come first served', async () => {
      const driver = connect({ queueMax: 5 })
      await driver.query(sql('select 1'))
      const order: number[] = []
      const running = driver.query(sql('select pg_sleep(0.2)'))
      const waiting = [1, 2, 3, 4, 5].map((number) => driver.query(sql('select 1')).then(() => order.push(number)))
      const start = performance.now()
      await expect(driver.query(sql('select 6'))).rejects.toMatchObject({ fault: 'unavailable' })
      expect(performance.now() - start).toBeLessThan(50)
      await Promise.all([running, ...waiting])
      expect(order).toEqual([1, 2, 3, 4, 5])
    })

    test('whoever waits too long for a connection is told', async () => {
      const driver = connect({ acquireTimeout: 200 })
      const running = driver.query(sql('select pg_sleep(1)'))
      const start = performance.now()
      await expect(driver.query(sql('select 1'))).rejects.toMatchObject({ fault: 'unavailable' })
      expect(performance.now() - start).toBeLessThan(500)
      await running
    })

    test('close waits for what runs and refuses what comes', async () => {
      const driver = connect()
      const running = driver.query(sql('select pg_sleep(0.2), 1'))
      await sleep(50)
      const closed = driver.close()
      await expect(driver.query(sql('select 1'))).rejects.toMatchObject({ fault: 'unavailable' })
      expect(await running).toEqual([['', '1']])
      await closed
    })
  })
})

describe('a driver whose inside differs', () => {
  /** One more listener on the socket, as another version of node-postgres could have. */
  function changeDriver(): void {
    type Attach = (this: unknown, stream: Duplex) => void
    const { prototype } = Connection as unknown as { prototype: { attachListeners: Attach } }
    const { attachListeners } = prototype
    prototype.attachListeners = function (stream) {
      attachListeners.call(this, stream)
      stream.on('data', () => undefined)
    }
    onTestFinished(() => {
      prototype.attachListeners = attachListeners
    })
  }

  test('is refused by the direct protocol, with what to do', async () => {
    changeDriver()
    postgresProtocol = 'direct'
    const failure = await failureOf(connect().query(sql('select 1')))
    expect(failure).toMatchObject({ fault: 'unavailable', databaseCode: 'UNSUITABLE_DRIVER' })
    expect((failure as Error).message).toContain('Set POSTGRES_PROTOCOL=driver')
  })

  test('is served by the public interface', async () => {
    changeDriver()
    postgresProtocol = 'driver'
    expect(await connect().query(sql('select 1'))).toEqual([['1']])
  })
})
