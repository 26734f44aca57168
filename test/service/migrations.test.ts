// How databases get the service's tables, and what later versions add to them.
import { beforeEach, describe, expect, test } from 'vitest'
import { isPrepared, migrate } from '../../packages/server/src/schema/migrate.ts'
import { planRemoval, remove } from '../../packages/server/src/schema/removal.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import type { Statement, Transaction } from '../../packages/server/src/sql/driver.ts'
import { serviceHistory, type ServiceHistory } from '../../packages/server/src/sql/service/migrations.ts'
import { tables } from '../../packages/server/src/sql/service/tables.ts'
import { sql, table } from '../../packages/server/src/sql/sql.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase, type TestDialect } from '../lib/databases.ts'

const { service_locks: locks } = tables

/** Two versions after this one: the first adds a table, columns and indexes, the second a column of the new table. */
const next: ServiceHistory = {
  tables: {
    ...tables,
    service_locks: {
      ...locks,
      columns: {
        ...locks.columns,
        reason: { type: 'text', isNullable: true, isIndexed: true },
        rank: { type: 'integer', default: 3 },
      },
      indexes: [['rank', 'name']],
    },
    service_extras: {
      note: 'A table of a later version.',
      key: 'id',
      isNumbered: true,
      columns: {
        id: { type: 'counter' },
        lock: { type: 'text', length: 255, isIndexed: true, to: { collection: 'service_locks' } },
        weight: { type: 'counter', default: 7 },
      },
    },
  },
  migrations: {
    ...serviceHistory.migrations,
    '0002-extras': {
      tables: ['service_extras'],
      columns: { service_locks: ['reason', 'rank'] },
      indexes: { service_locks: [['rank', 'name']] },
      fill: (schema) => [sql`update ${table(schema, 'service_locks')} set reason = 'none' where reason is null`],
    },
    '0003-weight': { columns: { service_extras: ['weight'] } },
  },
}

/** Everything that the catalogue knows of the tables. */
const catalogues: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: [
    `select table_name, column_name, ordinal_position, data_type, column_default, is_nullable, generation_expression, is_identity
      from information_schema.columns where table_schema = 'tain' order by 1, 3`,
    `select indexname, indexdef from pg_indexes where schemaname = 'tain' order by 1`,
    `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'tain'::regnamespace order by 1, 2`,
  ],
  mysql: [
    `select table_name, column_name, ordinal_position, column_type, collation_name, column_default, is_nullable, extra,
      generation_expression from information_schema.columns where table_schema = database() order by 1, 3`,
    `select table_name, index_name, seq_in_index, column_name, non_unique from information_schema.statistics
      where table_schema = database() order by 1, 2, 3`,
    `select table_name, constraint_name, column_name, referenced_table_name from information_schema.key_column_usage
      where table_schema = database() order by 1, 2, 3`,
    `select table_name, table_comment from information_schema.tables where table_schema = database() order by 1`,
  ],
  sqlite: [`select type, name, tbl_name, sql from sqlite_schema order by 1, 2`],
}

const prefix = (dialect: TestDialect): string => (dialect === 'postgres' ? 'tain.' : '')

class Killed extends Error {}

/** The same database, on which the statement at this place, or none if there are fewer, ends a start. */
function endingAt(database: Database, place: number): Database {
  let count = 0
  const ending = (transaction: Transaction): Transaction => ({
    ...transaction,
    query(statement: Statement) {
      count += 1
      return count > place ? Promise.reject(new Killed()) : transaction.query(statement)
    },
  })
  const { driver } = database
  const transaction: typeof driver.transaction = (work) => driver.transaction((given) => work(ending(given)))
  return { ...database, driver: { ...driver, transaction } }
}

describe.each(testDialects)('tables of the service on %s', (dialect) => {
  let origin: TestDatabase
  let database: Database
  let schema = ''
  const sent: string[] = []

  const connect = (url: string) =>
    connectDatabase(connectOptions(url, { onStatement: ({ text }) => void sent.push(text) }))
  const catalogue = async () => {
    const found = []
    for (const query of catalogues[dialect]) found.push(...(await origin.query(query)))
    return found
  }
  const rowsOf = (name: string, columns = '*') => origin.query(`select ${columns} from ${prefix(dialect)}${name}`)
  const names = async () =>
    (await origin.query(`select name from ${prefix(dialect)}service_migrations order by name`)).map(([name]) => name)

  beforeEach(async () => {
    origin = await createDatabase(dialect)
    database = await connect(origin.url)
    schema = database.systemSchema('tain')
    return async () => {
      await closeDatabase(database)
      await origin.drop()
    }
  })

  test('a first start makes them, and a second one changes nothing', async () => {
    expect(await isPrepared(database, schema)).toBe(false)
    expect(await migrate(database, schema)).toBe('created')
    expect(await names()).toEqual(['0001-tables'])
    expect(await isPrepared(database, schema)).toBe(true)
    const before = [await catalogue(), await rowsOf('service_version'), await rowsOf('service_event_head')]
    sent.length = 0
    expect(await migrate(database, schema)).toBe('current')
    expect(sent.filter((text) => /^\s*(?:create|alter|drop|insert|update|delete)/iu.test(text))).toEqual([])
    expect([await catalogue(), await rowsOf('service_version'), await rowsOf('service_event_head')]).toEqual(before)
  })

  test('a later version gives a database in use what a new one has', async () => {
    await migrate(database, schema)
    const [[version] = []] = await rowsOf('service_version', 'version')
    await origin.query(`insert into ${prefix(dialect)}service_locks (name) values ('structure')`)
    await expect(isPrepared(database, schema, next)).rejects.toThrow('are of an older version')
    expect(await migrate(database, schema, next)).toBe('migrated')
    expect(await names()).toEqual(['0001-tables', '0002-extras', '0003-weight'])
    expect(await rowsOf('service_locks', `name, reason, ${dialect === 'mysql' ? '`rank`' : 'rank'}`)).toEqual([
      ['structure', 'none', '3'],
    ])
    expect(Number((await rowsOf('service_version', 'version'))[0]?.[0])).toBeGreaterThan(Number(version))
    const upgraded = await catalogue()
    expect(await migrate(database, schema, next)).toBe('current')
    expect(await catalogue()).toEqual(upgraded)
    const fresh = await createDatabase(dialect)
    const other = await connect(fresh.url)
    try {
      expect(await migrate(other, other.systemSchema('tain'), next)).toBe('created')
      const made = []
      for (const query of catalogues[dialect]) made.push(...(await fresh.query(query)))
      expect(made).toEqual(upgraded)
    } finally {
      await closeDatabase(other)
      await fresh.drop()
    }
  })

  /** What two starts do, the first of which ends before a statement. */
  async function endedAt(place: number) {
    await dropAll()
    const isEnded = await migrate(endingAt(database, place), schema, next).then(
      () => false,
      (error: unknown) => error instanceof Killed,
    )
    const isFinished = (await migrate(database, schema, next)) !== 'current'
    const single = ['service_version', 'service_settings', 'service_event_head']
    const counts = await Promise.all(single.map(async (name) => (await rowsOf(name, 'count(*)'))[0]?.[0]))
    return { isEnded, isFinished, counts, names: await names(), catalogue: await catalogue() }
  }

  test('a start that ended anywhere is finished by the next one', async () => {
    await migrate(database, schema, next)
    const whole = { counts: ['1', '1', '1'], names: await names(), catalogue: await catalogue() }
    let place = 0
    for (; ; place += 11) {
      const { isEnded, isFinished, ...found } = await endedAt(place)
      expect({ place, isFinished, ...found }).toEqual({ place, isFinished: isEnded, ...whole })
      if (!isEnded) break
    }
    expect(place).toBeGreaterThan(55)
  }, 180_000)

  async function dropAll(): Promise<void> {
    if (dialect === 'postgres') await origin.query('drop schema tain cascade')
    else if (dialect === 'mysql') {
      const all = (
        await origin.query('select table_name from information_schema.tables where table_schema = database()')
      )
        .map(([name]) => `drop table ${name}`)
        .join(';')
      await origin.query(`set foreign_key_checks = 0; ${all}; set foreign_key_checks = 1`)
    } else {
      const all = await origin.query(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
      await origin.query(`pragma foreign_keys = off; ${all.map(([name]) => `drop table ${name}`).join(';')}`)
      await origin.query('delete from sqlite_sequence')
    }
  }

  test.each([
    ['the first start', null, ['created', 'current']],
    ['an upgrade', serviceHistory, ['current', 'migrated']],
  ] as const)('of two replicas at once, one does it: %s', async (_, before, expected) => {
    if (before !== null) await migrate(database, schema, before)
    const other = await connect(origin.url)
    try {
      const found = await Promise.all([database, other].map((each) => migrate(each, schema, next)))
      expect(found.sort()).toEqual([...expected].sort())
      expect(await names()).toEqual(['0001-tables', '0002-extras', '0003-weight'])
      expect(await rowsOf('service_version', 'count(*)')).toEqual([['1']])
    } finally {
      await closeDatabase(other)
    }
  })

  test('a program refuses tables of a newer one, and changes nothing', async () => {
    await migrate(database, schema, next)
    const before = [await catalogue(), await rowsOf('service_version'), await names()]
    const message = 'migrations that this program does not know: 0002-extras, 0003-weight. A newer version'
    await expect(migrate(database, schema)).rejects.toThrow(message)
    await expect(isPrepared(database, schema)).rejects.toThrow(message)
    await expect(planRemoval(database, schema)).rejects.toThrow(message)
    expect([await catalogue(), await rowsOf('service_version'), await names()]).toEqual(before)
  })

  const asLeft = 'are those of a build before 0.1.0, or what an interrupted "tain eject" has left'

  /** What two starts, a start after `tain eject`, and the catalogue before and after the first two say. */
  async function startTwice() {
    const refusal = (start: Promise<unknown>) =>
      start.then(
        () => null,
        (error: unknown) => (error as Error).message,
      )
    const before = [await catalogue(), await rowsOf('service_version')]
    const refusals = [await refusal(migrate(database, schema)), await refusal(isPrepared(database, schema))]
    const after = [await catalogue(), await rowsOf('service_version')]
    const { kind } = await remove(database, schema, await planRemoval(database, schema))
    return {
      refusals,
      isChanged: JSON.stringify(after) !== JSON.stringify(before),
      kind,
      next: await migrate(database, schema),
    }
  }

  const message = expect.stringContaining(asLeft) as string
  const refused = { refusals: [message, message], isChanged: false, kind: 'done', next: 'created' }

  test('tables of a build before 0.1.0 are refused and can be removed', async () => {
    const mark = dialect === 'mysql' ? ` comment = 'kept by tain'` : ''
    if (dialect === 'postgres') await origin.query('create schema tain')
    await origin.query(`create table ${prefix(dialect)}service_version (only_row boolean primary key, version bigint,
      migration integer, rights bigint, stamp varchar(50))${mark}`)
    await origin.query(`create table ${prefix(dialect)}service_users (id char(36) primary key)${mark}`)
    await origin.query(`insert into ${prefix(dialect)}service_version values (true, 23, 22, 1, '23.1')`)
    expect(await startTwice()).toEqual(refused)
  })

  test('what an interrupted removal leaves is refused and can be removed', async () => {
    await migrate(database, schema)
    const [first] = (await planRemoval(database, schema)).parts
    await database.driver.query(first!.statement)
    expect(await startTwice()).toEqual(refused)
  })
})
