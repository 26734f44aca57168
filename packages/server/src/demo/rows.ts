import { addressCount, linesOf, productCategoryCount, type ShopCounts } from './counts.ts'
import { randomOf } from './random.ts'
import {
  adjectives,
  categories,
  cities,
  FIRST_LEAF,
  firstNames,
  jobs,
  lastNames,
  materials,
  nouns,
  opinions,
  sentences,
  streets,
  tags,
} from './words.ts'

export type Cell = string | number | null
export type ShopRow = readonly Cell[]

const FIRST_DAY = Date.UTC(2024, 0, 1)
const SECONDS = 730 * 86_400

const timestamp = (seconds: number): string => new Date(FIRST_DAY + seconds * 1000).toISOString().replace('.000Z', 'Z')
const day = (seconds: number): string => timestamp(seconds).slice(0, 10)

function* numbered(count: number, row: (id: number) => ShopRow): Generator<ShopRow> {
  for (let id = 1; id <= count; id += 1) yield row(id)
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^a-z]/giu, '')
    .toLowerCase()

/** In whole cents, so that an order item can repeat the price of its product without reading it. */
const centsOf = (product: number): number => 490 + randomOf('price', product).below(400) * 50
const price = (cents: number): string => (cents / 100).toFixed(2)

export const customers = ({ customers: count }: ShopCounts): Iterable<ShopRow> =>
  numbered(count, (id) => {
    const { pick, below, chance } = randomOf('customers', id)
    const [first, last] = [pick(firstNames), pick(lastNames)]
    const email = `${plain(first)}.${plain(last)}.${id}@example.com`
    return [id, first, last, email, chance(0.2) ? 1 : 0, timestamp(below(SECONDS))]
  })

/** The first addresses are the customers' own; the others belong to every third customer. */
export const addresses = ({ customers: count }: ShopCounts): Iterable<ShopRow> =>
  numbered(addressCount(count), (id) => {
    const { pick, below } = randomOf('addresses', id)
    const [city, country, postcode] = pick(cities)
    const customer = id <= count ? id : (id - count) * 3
    const code = `${postcode}${String(below(1000)).padStart(3, '0')}`
    return [
      id,
      customer,
      id <= count ? 'billing' : 'shipping',
      `${pick(streets)} ${1 + below(90)}`,
      code,
      city,
      country,
    ]
  })

export const suppliers = ({ suppliers: count }: ShopCounts): Iterable<ShopRow> =>
  numbered(count, (id) => {
    const { pick } = randomOf('suppliers', id)
    const [city, country] = pick(cities)
    return [id, `${pick(lastNames)} & ${pick(lastNames)}`, city, country]
  })

/** The first employee leads the shop; the manager of any other has a lower number. */
export const employees = ({ employees: count }: ShopCounts): Iterable<ShopRow> =>
  numbered(count, (id) => {
    const { pick, below } = randomOf('employees', id)
    const manager = id === 1 ? null : 1 + below(Math.min(id - 1, Math.ceil(id / 4)))
    return [id, pick(firstNames), pick(lastNames), id === 1 ? 'Director' : pick(jobs), manager, day(below(SECONDS))]
  })

export const categoryRows = (): Iterable<ShopRow> =>
  numbered(categories.length, (id) => {
    const [name, parent] = categories[id - 1] ?? ['', null]
    const above = categories.findIndex(([other]) => other === parent)
    return [id, name, plain(name), above < 0 ? null : above + 1]
  })

const NAMES = adjectives.length * materials.length * nouns.length

const nounOf = (product: number): number => (product - 1) % nouns.length

/** Names differ: adjectives, materials and nouns are counted through, and a number follows when all are used. */
function productName(id: number): string {
  const index = id - 1
  const rest = Math.floor(index / nouns.length)
  const material = materials[rest % materials.length] ?? ''
  const adjective = adjectives[(Math.floor(rest / materials.length) + index) % adjectives.length] ?? ''
  const series = Math.floor(index / NAMES)
  return `${adjective} ${material} ${nouns[nounOf(id)] ?? ''}${series === 0 ? '' : ` ${series + 1}`}`
}

export const products = ({ products: count, suppliers: firms }: ShopCounts): Iterable<ShopRow> =>
  numbered(count, (id) => {
    const { pick, below, chance } = randomOf('products', id)
    const own = [...new Set([pick(tags), pick(tags)])]
    return [
      id,
      `P-${String(id).padStart(6, '0')}`,
      productName(id),
      `${pick(sentences)} ${pick(sentences)}`,
      price(centsOf(id)),
      below(500),
      chance(0.9) ? 1 : 0,
      1 + below(firms),
      JSON.stringify(own),
    ]
  })

/** The leaf of its noun, and for every second product a category of the first level. */
export const productCategories = ({ products: count }: ShopCounts): Iterable<ShopRow> =>
  numbered(productCategoryCount(count), (row) => {
    const product = row <= count ? row : (row - count) * 2
    const category = row <= count ? FIRST_LEAF + 1 + nounOf(product) : 1 + randomOf('also in', product).below(4)
    return [product, category]
  })

const statuses = ['new', 'paid', 'packed', 'shipped', 'delivered', 'delivered', 'delivered', 'cancelled'] as const

export const orders = (counts: ShopCounts): Iterable<ShopRow> =>
  numbered(counts.orders, (id) => {
    const { pick, below, chance } = randomOf('orders', id)
    const customer = 1 + below(counts.customers)
    return [
      id,
      customer,
      customer,
      1 + below(counts.employees),
      pick(statuses),
      timestamp(below(SECONDS)),
      chance(0.1) ? 'Please leave it with the neighbours.' : null,
    ]
  })

export function* orderItems({ orders: count, products: known }: ShopCounts): Generator<ShopRow> {
  for (let order = 1; order <= count; order += 1) {
    const { below } = randomOf('order_items', order)
    for (let line = 1; line <= linesOf(order); line += 1) {
      const product = 1 + below(known)
      yield [order, line, product, 1 + below(4), price(centsOf(product))]
    }
  }
}

export const reviews = (counts: ShopCounts): Iterable<ShopRow> =>
  numbered(counts.reviews, (id) => {
    const { pick, below } = randomOf('reviews', id)
    const rating = pick([1, 2, 3, 3, 4, 4, 4, 5, 5, 5])
    const text = pick(opinions[rating - 1] ?? [])
    return [id, 1 + below(counts.products), 1 + below(counts.customers), rating, text, timestamp(below(SECONDS))]
  })
