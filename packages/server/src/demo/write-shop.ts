import type { Database } from '../sql/database.ts'
import type { ShopStatements } from '../sql/demo/shop-tables.ts'
import type { Driver } from '../sql/driver.ts'
import type { ShopRow } from './rows.ts'
import { shopOf, type ShopTable } from './shop.ts'

const ROWS_AT_ONCE = 5000

type ShopDatabase = Pick<Database, 'driver' | 'shop'>

export async function isEmpty({ driver, shop }: ShopDatabase): Promise<boolean> {
  // In a transaction, because SQLite creates a new file for a writer only.
  const [there] = await driver.transaction((transaction) => transaction.query(shop.countTables))
  return Number(there?.[0]) === 0
}

/** Writes the demo shop into an empty database. */
export async function writeShop(
  { driver, shop }: ShopDatabase,
  rows: number,
  advance: (done: number) => void,
): Promise<void> {
  await driver.transaction(async (transaction) => {
    for (const text of shop.tables) await transaction.query({ text, values: [] })
  })
  let done = 0
  for (const table of shopOf(rows))
    await writeTable(driver, shop, table, (count) => {
      done += count
      advance(done)
    })
  for (const statement of shop.finish) await driver.execute(statement)
}

/** One transaction per table; rows are generated while they are written, so memory does not grow with them. */
const writeTable = (
  driver: Driver,
  { insertRows }: ShopStatements,
  { name, rows }: ShopTable,
  advance: (count: number) => void,
): Promise<void> =>
  driver.transaction(async (transaction) => {
    const write = async (batch: readonly ShopRow[]) => {
      if (batch.length === 0) return
      await transaction.query(insertRows(name, batch))
      advance(batch.length)
    }
    let batch: ShopRow[] = []
    for (const row of rows) {
      batch.push(row)
      if (batch.length < ROWS_AT_ONCE) continue
      await write(batch)
      batch = []
    }
    await write(batch)
  })
