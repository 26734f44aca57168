import { connectDatabase } from '../sql/dialects/index.ts'
import { closeJournal, insertRows, shopIndexes, shopTables } from '../sql/demo/shop-tables.ts'
import type { Driver } from '../sql/driver.ts'
import { shopOf, type ShopTable } from './shop.ts'

const ROWS_AT_ONCE = 5000
const TIMEOUT = 600_000

/** Writes the demo shop into a new file. */
export async function writeShop(file: string, rows: number, advance: (done: number) => void): Promise<void> {
  const database = await connectDatabase({
    url: `sqlite:${file}`,
    poolMax: 1,
    acquireTimeout: TIMEOUT,
    statementTimeout: TIMEOUT,
    lockTimeout: TIMEOUT,
    connectTimeout: TIMEOUT,
    preparedStatements: 50,
    applicationName: 'tain',
  })
  const { driver, schemaDriver, backgroundDriver } = database
  try {
    await execute(driver, shopTables)
    let done = 0
    for (const table of shopOf(rows))
      await writeTable(driver, table, (count) => {
        done += count
        advance(done)
      })
    await execute(driver, shopIndexes)
    await driver.execute(closeJournal)
  } finally {
    await Promise.all([driver, schemaDriver, backgroundDriver].map((each) => each.close()))
  }
}

const execute = (driver: Driver, texts: readonly string[]): Promise<void> =>
  driver.transaction(async (transaction) => {
    for (const text of texts) await transaction.query({ text, values: [] })
  })

/** One transaction per table; rows are generated while they are written, so memory does not grow with them. */
const writeTable = (driver: Driver, { name, rows }: ShopTable, advance: (count: number) => void): Promise<void> =>
  driver.transaction(async (transaction) => {
    const write = async (batch: readonly (readonly unknown[])[]) => {
      if (batch.length === 0) return
      await transaction.query(insertRows(name, batch[0]?.length ?? 0, batch))
      advance(batch.length)
    }
    let batch: (readonly unknown[])[] = []
    for (const row of rows) {
      batch.push(row)
      if (batch.length < ROWS_AT_ONCE) continue
      await write(batch)
      batch = []
    }
    await write(batch)
  })
