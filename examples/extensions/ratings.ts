// An action hook: it runs after the commit, at least once for every change, in the order of the changes.
import { defineExtension } from 'tain/extensions'

interface Figures {
  readonly count: number
  readonly avg: { readonly rating: string | number | null }
}

export const extension = defineExtension((api) => {
  // Keeps the number of reviews and their average in the tags of a product. It computes both anew, so that an event
  // that comes twice does no harm.
  api.action('reviews', ['create', 'update', 'delete'], async ({ before, after }, { items }) => {
    const products = new Set([before?.product, after?.product].filter((key) => typeof key === 'number'))
    for (const product of products) {
      const aggregate = { count: ['*'], avg: ['rating'] }
      const [figures] = await items.list<Figures>('reviews', { aggregate, filter: { product: { _eq: product } } })
      const stars = Number(figures?.avg.rating ?? 0).toFixed(1)
      await items.update('products', product, { tags: [`${figures?.count ?? 0} reviews`, `${stars} stars`] })
    }
  })
})
