import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { statementOf, type Database } from '../../packages/server/src/sql/database.ts'
import type { Ask, SampledTable } from '../../packages/server/src/sql/distribution.ts'
import type { Statement } from '../../packages/server/src/sql/driver.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { sql, table as tableNamed } from '../../packages/server/src/sql/sql.ts'
import { typed } from '../../packages/server/src/schema/typed-column.ts'
import type { ColumnField } from '../../packages/server/src/schema/schema.ts'

const ROWS = 20_000

const connect = (url: string, sent: Statement[]): Promise<Database> =>
  connectDatabase(
    connectOptions(url, { poolMax: 1, preparedStatements: 0, onStatement: (statement) => sent.push(statement) }),
  )

const askIn =
  ({ driver, dialect }: Database): Ask =>
  (query) =>
    driver.query(statementOf(query, dialect))

describe.each(testDialects)('the distribution of rows on %s', (dialect) => {
  let origin: TestDatabase
  let database: Database
  let ask: Ask
  const sent: Statement[] = []

  beforeAll(async () => {
    origin = await createDatabase(dialect)
    await origin.query(
      'create table events (id int not null primary key, worth int not null, price decimal(12, 2) not null, kind varchar(20), day date not null)',
    )
    const rows = Array.from(
      { length: ROWS },
      (_, n) =>
        `(${n * n}, ${n < ROWS / 2 ? n : n * 50}, ${n / 100}, ${n % 10 === 0 ? 'null' : `'${n % 3 === 0 ? 'rare' : `k${n}`}'`}, '2020-01-${String((n % 28) + 1).padStart(2, '0')}')`,
    )
    for (let at = 0; at < ROWS; at += 5000)
      await origin.query(`insert into events values ${rows.slice(at, at + 5000).join(', ')}`)
    database = await connect(origin.url, sent)
    ask = askIn(database)
  })

  afterAll(async () => {
    await closeDatabase(database)
    await origin.drop()
  })

  async function tableOf(name: string) {
    const scope = { systemSchema: database.systemSchema('service'), schemas: null }
    const { tables } = await database.introspect((statement) => database.driver.query(statement), scope)
    const found = tables.find((entry) => entry.name === name)
    if (found === undefined) throw new Error(`there is no table ${name}`)
    const columnOf = (wanted: string) => {
      const column = found.columns.find((entry) => entry.name === wanted)
      if (column === undefined) throw new Error(`there is no column ${wanted}`)
      const type = database.dialect.fieldTypeOf(column)
      return typed({
        kind: 'column',
        name: wanted,
        type,
        column,
        specials: [],
        meta: null,
        relation: null,
      } satisfies ColumnField)
    }
    const table: SampledTable = {
      schema: found.schema,
      table: name,
      kind: found.kind,
      key: found.primaryKey.map(columnOf),
      columns: found.columns.map((column) => column.name),
    }
    return { table, columnOf }
  }

  test('a sample comes from all parts of a table, with few and short searches', async () => {
    const { table } = await tableOf('events')
    sent.length = 0
    const sample = (await database.distribution.sampleOf(table, ask)) ?? []
    expect(sent.length).toBeLessThanOrEqual(6)
    expect(sample.length).toBeLessThan(9000)
    const total = sample.reduce((sum, { weight }) => sum + weight, 0)
    expect(Math.abs(total / ROWS - 1)).toBeLessThan(0.15)
    // Keys are squares, so that a quarter of the rows has a sixteenth of the numbers.
    for (const share of [0.1, 0.25, 0.5, 0.75]) {
      const below = sample.filter(({ key }) => Number(key[0]) < (share * ROWS) ** 2)
      expect(Math.abs(below.reduce((sum, { weight }) => sum + weight, 0) / total - share)).toBeLessThan(0.04)
    }
  })

  test('a sample within some rows does not depend on the others', async () => {
    const { table } = await tableOf('events')
    const rows = (name: string) => ({
      alias: 't',
      from: sql`${tableNamed(table.schema, name)} as t`,
      where: sql`t.worth >= 5000`,
    })
    await origin.query(
      'create table some_events (id int not null primary key, worth int not null, price decimal(12, 2) not null, kind varchar(20), day date not null)',
    )
    await origin.query('insert into some_events select * from events where worth >= 5000')
    const sample = await database.distribution.sampleWithin(table, rows('events'), ask)
    expect(sample?.length).toBeGreaterThan(1000)
    expect(await database.distribution.sampleWithin(table, rows('some_events'), ask)).toEqual(sample)
  })

  /** The share of rows below a value, as the table has it. */
  const shareBelow = async (column: string, text: string) => {
    const [row] = await origin.query(`select count(*) from events where ${column} < '${text}'`)
    return Number(row?.[0]) / ROWS
  }

  /** Columns without statistics, and values whose share is more than 5 % from the truth. */
  async function wrongStatistics(names: readonly string[]): Promise<readonly string[]> {
    const { table, columnOf } = await tableOf('events')
    const wrong: string[] = []
    for (const name of names) {
      const { knots = [], rows = 0 } = (await database.distribution.statisticsOf(table, columnOf(name), ask)) ?? {}
      if (knots.length < 20 || rows !== ROWS) wrong.push(`${name}: ${knots.length} values of ${rows} rows`)
      for (const { text, below } of knots.filter((_, index) => index % 7 === 0)) {
        const share = await shareBelow(name, text)
        if (Math.abs(share - below) > 0.05) wrong.push(`${name} ${text}: ${below} instead of ${share}`)
      }
    }
    return wrong
  }

  test.runIf(dialect === 'postgres')('statistics have values with the shares of rows below them', async () => {
    await origin.query('analyze events')
    expect(await wrongStatistics(['id', 'worth', 'price', 'kind', 'day'])).toEqual([])
  })

  test.runIf(dialect === 'mysql').each([
    ['DOUBLE_PREC_HB', ['worth', 'price']],
    ['JSON_HB', ['worth', 'price', 'kind', 'day']],
  ])('statistics have values with the shares of rows below them: %s', async (kind, names) => {
    await origin.query(`set session histogram_type = '${kind}'; analyze table events persistent for all`)
    expect(await wrongStatistics(names)).toEqual([])
  })

  test.runIf(dialect === 'mysql')('a role that cannot read the statistics of the server has none', async () => {
    const role = `seek_${origin.name.slice(-12)}`
    await origin.query(`create user '${role}'@'%'; grant all on ${origin.name}.* to '${role}'@'%'`)
    const url = new URL(origin.url)
    url.username = role
    url.password = ''
    const own = await connect(url.href, [])
    const { table, columnOf } = await tableOf('events')
    try {
      const askAs = askIn(own)
      expect(await own.distribution.statisticsOf(table, columnOf('worth'), askAs)).toBeNull()
      expect((await own.distribution.sampleOf(table, askAs))?.length).toBeGreaterThan(1000)
    } finally {
      await closeDatabase(own)
      await origin.query(`drop user '${role}'@'%'`)
    }
  })

  test('there are none of a column that was never analysed', async () => {
    await origin.query('create table fresh (id int not null primary key)')
    const { table, columnOf } = await tableOf('fresh')
    expect(await database.distribution.statisticsOf(table, columnOf('id'), ask)).toBeNull()
  })
})
