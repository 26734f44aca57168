// A filter hook: it runs inside the transaction of every write, before the row is written.
import { defineExtension } from 'tain/extensions'

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '')

export const extension = defineExtension((api) => {
  // A category without a slug gets one that is made from its name.
  api.filter('categories', ['create', 'update'], ({ action, values }) => {
    const { name, slug } = values
    if (typeof name !== 'string' || typeof slug === 'string') return
    if (slugOf(name) === '') throw api.refuse('The name of a category needs a letter or a digit.')
    return action === 'create' ? { slug: slugOf(name) } : undefined
  })

  // A category with products stays.
  api.filter('categories', ['delete'], async ({ key }, { items }) => {
    const filter = { category: { _eq: key } }
    const products = await items.list('product_categories', { fields: ['product'], filter, limit: 1 })
    if (products.length > 0) throw api.refuse('This category has products. Move them first.')
  })
})
