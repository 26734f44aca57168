// Compiled by "npm run check", never run: the types of results, and the errors of wrong queries.
import { createClient, type LooseRow } from '../index.ts'
import { exactly, type Schema } from './sample.test-d.ts'

const tain = createClient<Schema>({ url: 'http://localhost' })
const orders = tain.items('orders')

interface PlainOrder {
  id: number
  customer: number | null
  status: 'open' | 'paid'
  total: string
  created: string
  shipped: string | null
}

// names, and what `*` selects
exactly<PlainOrder[]>()(() => orders.list())
exactly<PlainOrder[]>()(() => orders.list({ filter: { status: { _eq: 'open' } }, limit: 5 }))
exactly<{ id: number; total: string }[]>()(() => orders.list({ fields: ['id', 'total'] }))
exactly<{ customer: number | null; lines: string[] }[]>()(() => orders.list({ fields: ['customer', 'lines'] }))
exactly<{ id: number } | null>()(() => orders.find({ fields: ['id'] }))
exactly<{ id: number }>()(() => orders.read(1, { fields: ['id'] }))
exactly<{ data: { id: number }; etag: string | null }>()(() => orders.readWithMeta(1, { fields: ['id'] }))

// paths, to one row and to many
exactly<{ customer: { name: string; city: { name: string } | null } | null }[]>()(() =>
  orders.list({ fields: ['customer.name', 'customer.city.name'] }),
)
exactly<{ lines: { quantity: number }[] }[]>()(() => orders.list({ fields: ['lines.quantity'] }))
exactly<{ name: string; orders: { id: number; lines: { line: number }[] }[] }[]>()(() =>
  tain.items('customers').list({ fields: ['name', 'orders.id', 'orders.lines.line'] }),
)

// wildcards below a relation, and one level deeper
exactly<
  {
    id: number
    customer: {
      id: number
      name: string
      born: string | null
      city: number | null
      details: unknown
      orders: number[]
    } | null
  }[]
>()(() => orders.list({ fields: ['id', 'customer.*'] }))
exactly<{ order_id: PlainOrder; line: number; quantity: number }[]>()(() =>
  tain.items('order_lines').list({ fields: ['*.*'] }),
)
exactly<
  Omit<PlainOrder, 'customer'> & { customer: { name: string } | null } extends infer T
    ? { [K in keyof T]: T[K] }[]
    : never
>()(() => orders.list({ fields: ['*', 'customer.name'] }))

// many-to-any
// names with a dot, comma or parenthesis are escaped in paths, and plain in rows and filters
const oddities = tain.items('oddities')
exactly<{ id: number; 'a.b': number; 'c,d': string | null; 'g(h)': number; '-rank': number }[]>()(() => oddities.list())
exactly<{ 'a.b': number; 'c,d': string | null; 'g(h)': number; '-rank': number }[]>()(() =>
  oddities.list({
    fields: ['a\\.b', 'c\\,d', 'g\\(h\\)', '\\-rank'],
    sort: ['-a\\.b', 'c\\,d'],
    filter: { 'a.b': { _gt: 1 } },
  }),
)
exactly<{ max: { 'a.b': number | null } }[]>()(() => oddities.aggregate({ aggregate: { max: 'a\\.b' } }))

exactly<{ item: string | null }[]>()(() => tain.items('page_blocks').list({ fields: ['item'] }))
exactly<{ item: { title: string } | string | null }[]>()(() =>
  tain.items('page_blocks').list({ fields: ['item:articles.title'] }),
)
exactly<{ item: { title: string } | { url: string; id: string } | null }[]>()(() =>
  tain.items('page_blocks').list({ fields: ['item:articles.title', 'item:pictures.url', 'item:pictures.id'] }),
)
exactly<{ item: { id: number } | { id: string } | null }[]>()(() =>
  tain.items('page_blocks').list({ fields: ['item.id'] }),
)

// functions and aliases
exactly<{ created_year: number; shipped_hour: number | null }[]>()(() =>
  orders.list({ fields: ['year(created)', 'hour(shipped)'] }),
)
exactly<{ customer: { born_year: number | null } | null; lines_count: number }[]>()(() =>
  orders.list({ fields: ['customer.year(born)', 'count(lines)'] }),
)
exactly<{ customer: { born_year: number | null } | null }[]>()(() => orders.list({ fields: ['year(customer.born)'] }))
exactly<{ details_size_diameter_json: unknown; details_colours_0_json: unknown }[]>()(() =>
  tain.items('customers').list({ fields: ['json(details, size.diameter)', 'json(details, colours[0])'] }),
)
exactly<{ big: { quantity: number }[]; when: string; year: number }[]>()(() =>
  orders.list({
    fields: ['big.quantity', 'when', 'year'],
    alias: { big: 'lines', when: 'created', year: 'year(created)' },
    deep: { big: { _filter: { quantity: { _gt: 10 } }, _sort: '-quantity' } },
  }),
)

// a condition on one row puts null in its place
exactly<{ customer: { name: string } | null }[]>()(() =>
  orders.list({ fields: ['customer.name'], deep: { customer: { _filter: { name: { _eq: 'Ada' } } } } }),
)

// lists made at run time are not checked
exactly<LooseRow[]>()(() => orders.list({ fields: process.argv }))

// meta, aggregates and the iterator
exactly<{ data: { id: number }[]; next: string | null; count: number }>()(async () => {
  const { data, meta } = await orders.listWithMeta({ fields: ['id'], meta: ['cursor', 'filter_count'] })
  return { data, next: meta.next_cursor, count: meta.filter_count }
})
exactly<
  {
    count: string
    sum: { total: string | null }
    max: { created: string | null }
    status: 'open' | 'paid'
    created_year: number
  }[]
>()(() =>
  orders.aggregate({
    aggregate: { count: '*', sum: 'total', max: ['created'] },
    groupBy: ['status', 'year(created)'],
    sort: '-count',
  }),
)
exactly<
  { count: string; customer: { name: string | null; city: { name: string | null } }; status: 'open' | 'paid' }[]
>()(() => orders.aggregate({ aggregate: { count: '*' }, groupBy: ['customer.name', 'customer.city.name', 'status'] }))
exactly<{ count: string; customer: number | null }[]>()(() =>
  orders.aggregate({ aggregate: { count: '*' }, groupBy: ['customer'] }),
)
exactly<{ id: number } | undefined>()(async () => {
  for await (const row of orders.each({ fields: ['id'], sort: '-created' })) return row
  return undefined
})
exactly<{ motto: string | null }>()(() => tain.items('settings').read({ fields: ['motto'] }))

export const refused = async () => {
  // @ts-expect-error: no such field
  await orders.list({ fields: ['id', 'totl'] })
  // @ts-expect-error: no such field of the relation
  await orders.list({ fields: ['customer.nmae'] })
  // @ts-expect-error: a field that is no relation
  await orders.list({ fields: ['status.name'] })
  // @ts-expect-error: a collection that the relation does not lead to
  await tain.items('page_blocks').list({ fields: ['item:cities.name'] })
  // @ts-expect-error: a function of another type
  await orders.list({ fields: ['year(total)'] })
  // @ts-expect-error: no such field
  await orders.read(1, { fields: ['nothing'] })
  // @ts-expect-error: an operator that numbers do not have
  await orders.list({ filter: { id: { _contains: 'x' } } })
  // @ts-expect-error: a value of another type
  await orders.list({ filter: { id: { _eq: 'x' } } })
  // @ts-expect-error: no such field in the filter of a relation
  await orders.list({ filter: { customer: { nmae: { _eq: 'x' } } } })
  // @ts-expect-error: a path would follow the dot
  await tain.items('oddities').list({ fields: ['a.b'] })
  // @ts-expect-error: a list would be split at the comma
  await tain.items('oddities').list({ fields: ['c,d'] })
  // @ts-expect-error: no such field to sort by
  await orders.list({ sort: ['-creatd'] })
  // @ts-expect-error: a filter of another collection
  await orders.list({ deep: { lines: { _filter: { name: { _eq: 'x' } } } } })
  // @ts-expect-error: a line without an order would have null, which its type does not have
  await tain.items('order_lines').list({ deep: { order_id: { _filter: { status: { _eq: 'open' } } } } })
  // @ts-expect-error: one row has no order
  await orders.list({ deep: { customer: { _sort: 'name' } } })
  // @ts-expect-error: aggregates would replace the rows
  await orders.list({ deep: { lines: { _aggregate: { count: '*' } } } })
  // @ts-expect-error: no such relation
  await orders.list({ deep: { total: { _limit: 1 } } })
  // @ts-expect-error: no such collection
  tain.items('secrets')
  // @ts-expect-error: a key of another type
  await orders.read('one')
  // @ts-expect-error: a view has no keys
  await tain.items('open_orders').read([1])
  // @ts-expect-error: no such parameter
  await orders.list({ filters: {} })
  // @ts-expect-error: no such field to add up
  await orders.aggregate({ aggregate: { sum: ['totl'] } })
  // @ts-expect-error: a singleton has no list
  await tain.items('settings').list()
  // @ts-expect-error: may not be read
  await tain.items('letters').list()
  // @ts-expect-error: not asked for
  return (await orders.listWithMeta({ meta: ['cursor'] })).meta.total_count
}
