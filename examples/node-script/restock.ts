// Fills the stock of products that sell: reads page by page, writes everything at once.
import { createClient, isTainError } from '@tain/sdk'
import type { Schema } from '../schema.ts'

const FEWEST = 20
const url = process.env['TAIN_URL'] ?? 'http://127.0.0.1:8055'
const token = process.env['TAIN_TOKEN']
if (token === undefined) throw new Error('Set TAIN_TOKEN to the token that tain demo prints.')

const tain = createClient<Schema>({ url, auth: token })

interface Delivery {
  readonly id: number
  readonly name: string
  readonly supplier: string
  readonly amount: number
  /** After the delivery. */
  readonly stock: number
}

/** Products with little stock, and how many of each are to be ordered. */
async function* deliveries(): AsyncGenerator<Delivery> {
  const products = tain.items('products').each({
    fields: ['id', 'name', 'stock', 'supplier.name', 'count(order_items)'],
    filter: { is_active: { _eq: true }, stock: { _lt: FEWEST } },
    limit: 50,
  })
  for await (const { id, name, stock, supplier, order_items_count } of products) {
    const amount = FEWEST - stock + order_items_count
    yield { id, name, supplier: supplier?.name ?? 'nobody', amount, stock: stock + amount }
  }
}

try {
  const found = await Array.fromAsync(deliveries())
  for (const { name, supplier, amount } of found) console.log(`${amount} × ${name} from ${supplier}`)
  await tain.batch((items) => found.map(({ id, stock }) => items('products').update(id, { stock })))
  console.log(`${found.length} products restocked`)
} catch (error) {
  if (!isTainError(error, 'FORBIDDEN')) throw error
  console.error(`The token may not do that: ${error.message}`)
  process.exitCode = 1
}
