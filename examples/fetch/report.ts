// Orders of the shop by status and customer, with web standards alone.
import { env } from 'node:process'

const url = env['TAIN_URL'] ?? 'http://127.0.0.1:8055'
const token = env['TAIN_TOKEN']
if (token === undefined) throw new Error('Set TAIN_TOKEN to the token that tain demo prints.')

interface ServiceError {
  readonly message: string
  readonly extensions: { readonly code: string }
}

/** The data of a response. The errors of the service say what is wrong, so they are worth showing. */
async function read<T>(path: string, query: Readonly<Record<string, string>>): Promise<T> {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as { readonly data: T } | { readonly errors: readonly ServiceError[] }
  if ('errors' in body)
    throw new Error(body.errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n'))
  return body.data
}

/** Counts and sums are texts: they keep all their digits. */
interface StatusTotal {
  readonly status: string
  readonly count: { readonly id: string }
}

const byStatus = await read<readonly StatusTotal[]>('/items/orders', {
  groupBy: 'status',
  'aggregate[count]': 'id',
  sort: '-count.id',
})
for (const { status, count } of byStatus) console.log(`${status.padEnd(10)} ${count.id.padStart(5)} orders`)

interface CustomerOrders {
  readonly first_name: string
  readonly last_name: string
  readonly orders_count: number
}

const best = await read<readonly CustomerOrders[]>('/items/customers', {
  fields: 'first_name,last_name,count(orders)',
  sort: '-count(orders),id',
  limit: '3',
})
for (const { first_name, last_name, orders_count } of best)
  console.log(`${first_name} ${last_name}: ${orders_count} orders`)
