import { countsFor, type ShopCounts } from './counts.ts'
import { blockCollections, blocks, pages, pagesBlocks } from './pages.ts'
import {
  addresses,
  categoryRows,
  customers,
  employees,
  orderItems,
  orders,
  productCategories,
  products,
  reviews,
  suppliers,
  type ShopRow,
} from './rows.ts'

export interface ShopTable {
  readonly name: string
  readonly rows: Iterable<ShopRow>
}

const tables: readonly (readonly [name: string, rows: (counts: ShopCounts) => Iterable<ShopRow>])[] = [
  ['customers', customers],
  ['addresses', addresses],
  ['suppliers', suppliers],
  ['employees', employees],
  ['categories', categoryRows],
  ['products', products],
  ['product_categories', productCategories],
  ['orders', orders],
  ['order_items', orderItems],
  ['reviews', reviews],
  ['pages', pages],
  ['pages_blocks', pagesBlocks],
  ...blockCollections.map((name) => [name, () => blocks(name)] as const),
]

/** The rows of the demo shop, parents before children. The same number of rows gives the same rows. */
export function shopOf(rows: number): readonly ShopTable[] {
  const counts = countsFor(rows)
  return tables.map(([name, rowsOf]) => ({ name, rows: rowsOf(counts) }))
}
