// An endpoint, and a job that runs on one replica at a time.
import { defineExtension } from 'tain/extensions'

interface Product {
  readonly id: number
  readonly name: string
  readonly stock: number
}

export const extension = defineExtension((api) => {
  const scarce = (below: number) => ({
    fields: ['id', 'name', 'stock'],
    filter: { stock: { _lt: below }, is_active: { _eq: true } },
    sort: ['stock', 'id'],
  })

  // GET /extensions/stock/below/5 answers with what the caller may read.
  api.endpoint('GET', '/below/:count', async ({ params, items }) => {
    const below = Number(params.count)
    if (!Number.isInteger(below)) throw api.refuse('The last part of the address has to be a number.', 'INVALID_QUERY')
    const products = await items.list<Product>('products', { ...scarce(below), limit: 20 })
    return { body: { data: products } }
  })

  // Every ten seconds; "0 6 * * *" would be at six in the morning, UTC.
  api.job('restock', '*/10 * * * * *', async ({ items }) => {
    const products = await items.list<Product>('products', { ...scarce(5), limit: 100 })
    for (const { id, stock } of products) await items.update('products', id, { stock: stock + 20 })
    if (products.length > 0) api.log.info('restocked', { products: products.length })
  })
})
