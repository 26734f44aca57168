import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_ROWS, LEAST_ROWS } from './counts.ts'
import { connectDatabase } from '../sql/dialects/index.ts'
import { shopOf } from './shop.ts'
import { writeShop } from './write-shop.ts'

/** A thread with its own connection starts first. */
const PATIENCE = 60_000

async function writeFile(file: string, advance: (done: number) => void): Promise<void> {
  const database = await connectDatabase({
    url: `sqlite:${file}`,
    poolMax: 1,
    acquireTimeout: PATIENCE,
    statementTimeout: PATIENCE,
    lockTimeout: PATIENCE,
    connectTimeout: PATIENCE,
    preparedStatements: 50,
    applicationName: 'tain',
  })
  await writeShop(database, DEFAULT_ROWS, advance)
  await Promise.all([database.driver, database.schemaDriver, database.backgroundDriver].map((each) => each.close()))
}

const counted = (rows: number) => shopOf(rows).map(({ name, rows: all }) => [name, [...all].length] as const)

test('two runs give the same rows', () => {
  const rowsOf = () => JSON.stringify(shopOf(DEFAULT_ROWS).map(({ name, rows }) => [name, [...rows]]))
  expect(rowsOf()).toBe(rowsOf())
})

test.each([LEAST_ROWS, DEFAULT_ROWS, 12_345])('a shop of %i rows has that many', (rows) => {
  const tables = counted(rows)
  expect(tables).toHaveLength(15)
  expect(tables.reduce((sum, [, count]) => sum + count, 0)).toBe(rows)
  expect(tables.filter(([, count]) => count === 0)).toEqual([])
})

describe('the file', () => {
  let folder: string
  let database: BetterSqlite.Database | undefined
  const done: number[] = []
  const value = (text: string): unknown => database?.prepare(text).pluck().get()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-shop-'))
    await writeFile(join(folder, 'shop.db'), (count) => done.push(count))
    database = new BetterSqlite(join(folder, 'shop.db'), { readonly: true })
  }, PATIENCE)
  afterAll(async () => {
    database?.close()
    await rm(folder, { recursive: true })
  })

  test('has every row, and no key without its row', () => {
    const rows = counted(DEFAULT_ROWS)
    expect(rows.map(([name]) => [name, value(`select count(*) from ${name}`)])).toEqual(rows)
    expect(database?.pragma('foreign_key_check')).toEqual([])
    expect(done.at(-1)).toBe(DEFAULT_ROWS)
  })

  test(
    'is the same in every byte when it is written again',
    async () => {
      await writeFile(join(folder, 'again.db'), () => undefined)
      const bytes = await Promise.all(['shop.db', 'again.db'].map((name) => readFile(join(folder, name))))
      expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0))).toBe(true)
    },
    PATIENCE,
  )

  test('has 15 tables and a view, in one file', () => {
    expect(value(`select count(*) from sqlite_schema where type = 'table'`)).toBe(15)
    expect(value('pragma journal_mode')).toBe('delete')
    expect(value('select count(*) from order_totals')).toBe(value('select count(*) from orders'))
  })

  test('has a block for every place on a page', () => {
    const missing = ['block_text', 'block_gallery', 'block_quote'].map((name) =>
      value(`select count(*) from pages_blocks p where collection = '${name}'
        and not exists (select 1 from ${name} b where b.id = p.item)`),
    )
    expect(missing).toEqual([0, 0, 0])
    expect(value('select count(distinct collection) from pages_blocks')).toBe(3)
  })

  test('has trees whose roots are few, and prices that order items repeat', () => {
    expect(value('select count(*) from categories where parent is null')).toBe(4)
    expect(value('select count(*) from employees where manager is null')).toBe(1)
    const differing = `select count(*) from order_items i join products p on p.id = i.product where p.price <> i.unit_price`
    expect(value(differing)).toBe(0)
    expect(value('select count(distinct name) = count(*) from products')).toBe(1)
  })
})
