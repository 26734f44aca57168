// Compiled by "npm run check", never run: the types of events, and the errors of wrong subscriptions.
import { createClient, type LooseRow } from '../index.ts'
import { realtime, type ChangeEvent, type InitEvent, type ResultEvent } from '../realtime.ts'
import { exactly, type Schema } from './sample.test-d.ts'

const { subscribe } = realtime(createClient<Schema>({ url: 'http://localhost' }))

/** The event of a subscription. */
const first = async <E>(events: AsyncIterableIterator<E, undefined>): Promise<E> => {
  for await (const event of events) return event
  throw new Error('over')
}

// rows have the fields of the query, and deletes the type of the key
exactly<ChangeEvent<{ id: number; customer: { name: string } | null }, number>>()(() =>
  first(subscribe('orders', { fields: ['id', 'customer.name'], filter: { status: { _eq: 'open' } } })),
)
exactly<ChangeEvent<{ line: number }, string>>()(() => first(subscribe('order_lines', { fields: ['line'] })))

// events are told apart by their names
for await (const event of subscribe('orders', { fields: ['id'] }, { from: 'e-1' })) {
  if (event.event === 'delete') event.data satisfies number[]
  else if (event.event === 'init') event.data satisfies { id: number }[] | undefined
  else event.data satisfies { id: number }[]
  event.position satisfies string
}

// one kind, and live results
exactly<number[] | undefined>()(async () => (await first(subscribe('orders', {}, { event: 'delete' }))).data)
exactly<'init' | 'create'>()(async () => (await first(subscribe('orders', {}, { event: 'create' }))).event)
exactly<InitEvent<{ id: number }> | ResultEvent<{ id: number }>>()(() =>
  first(subscribe('orders', { fields: ['id'], sort: '-total', limit: 3 }, { live: true })),
)
exactly<number | undefined>()(
  async () => (await first(subscribe('orders', { meta: ['total_count'] }, { live: true }))).meta?.total_count,
)

// without a schema
const loose = realtime(createClient({ url: 'http://localhost' }))
exactly<ChangeEvent<LooseRow, string | number>>()(() => first(loose.subscribe('anything', { fields: ['a.b'] })))

// @ts-expect-error there is no such collection
subscribe('nothing')
// @ts-expect-error the caller may not read it
subscribe('letters')
// @ts-expect-error there is no such field
subscribe('orders', { fields: ['colour'] })
// @ts-expect-error there is no such condition
subscribe('orders', { filter: { status: { _like: 'x' } } })
// @ts-expect-error there is no such event
subscribe('orders', {}, { event: 'read' })
// @ts-expect-error a live query has all changes
subscribe('orders', {}, { live: true, event: 'create' })
// @ts-expect-error pages have no end that could be told
subscribe('orders', { cursor: 'x' })
