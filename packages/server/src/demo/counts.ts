import { randomOf } from './random.ts'
import { categories, pageTitles } from './words.ts'

/** Rows of each table whose number depends on the size of the shop. The other tables always have the same rows. */
export interface ShopCounts {
  readonly customers: number
  readonly addresses: number
  readonly suppliers: number
  readonly employees: number
  readonly products: number
  readonly productCategories: number
  readonly orders: number
  readonly orderItems: number
  readonly reviews: number
}

export const DEFAULT_ROWS = 2000
export const LEAST_ROWS = 500
export const MOST_ROWS = 20_000_000

export const BLOCKS_PER_PAGE = 3
const FIXED_ROWS = categories.length + pageTitles.length * (1 + 2 * BLOCKS_PER_PAGE)

/** Every third customer has a second address. */
export const addressCount = (customers: number): number => customers + Math.floor(customers / 3)

/** Every second product is in a second category. */
export const productCategoryCount = (products: number): number => products + Math.floor(products / 2)

const MOST_LINES = 5
export const linesOf = (order: number): number => 1 + randomOf('lines', order).below(MOST_LINES)

/** The shop has exactly this many rows: reviews are what the other tables leave. */
export function countsFor(rows: number): ShopCounts {
  const share = (part: number) => Math.max(1, Math.floor((rows - FIXED_ROWS) * part))
  const customers = share(0.09)
  const products = share(0.03)
  const orders = share(0.15)
  const suppliers = Math.max(5, Math.floor(products / 20))
  const employees = Math.max(10, Math.floor(orders / 200))
  const addresses = addressCount(customers)
  const productCategories = productCategoryCount(products)
  let orderItems = 0
  for (let order = 1; order <= orders; order += 1) orderItems += linesOf(order)
  const others =
    FIXED_ROWS + customers + addresses + suppliers + employees + products + productCategories + orders + orderItems
  return {
    customers,
    addresses,
    suppliers,
    employees,
    products,
    productCategories,
    orders,
    orderItems,
    reviews: rows - others,
  }
}
