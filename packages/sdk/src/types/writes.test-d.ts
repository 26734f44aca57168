// Compiled by "npm run check", never run: payloads, forbidden verbs, batches, procedures, and clients without a schema.
import { createClient, type LooseRow } from '../index.ts'
import { login, myRoles, readCollection, readMe, serverPing } from '../procedures.ts'
import { exactly, type Schema } from './sample.test-d.ts'

const tain = createClient<Schema>({ url: 'http://localhost' })
const orders = tain.items('orders')

exactly<{ id: number }>()(() => orders.create({ total: '1.00' }, { fields: ['id'] }))
exactly<{ id: number }[]>()(() => orders.create([{ total: 1 }, { total: 2 }], { fields: ['id'] }))
exactly<{ id: number; customer: { name: string } | null }>()(() =>
  orders.update(1, { status: 'paid' }, { fields: ['id', 'customer.name'] }),
)
exactly<{ status: 'open' | 'paid' }[]>()(() => orders.updateMany([1, 2], { status: 'paid' }, { fields: ['status'] }))
exactly<{ id: number }[]>()(() =>
  orders.updateMany({ filter: { status: { _eq: 'open' } } }, { status: 'paid' }, { fields: ['id'] }),
)
exactly<{ id: number }>()(() => orders.upsert({ total: 1 }, { fields: ['id'], on_conflict: 'id' }))
exactly<void>()(() => orders.delete(1, { ifMatch: '"x"' }))
exactly<void>()(() => orders.deleteMany({ filter: { id: { _gt: 5 } } }))
exactly<void>()(() => orders.deleteMany({ all: true, sort: 'id', limit: 5 }))
exactly<undefined>()(() => tain.items('letters').create({ text: 'Hello' }))
exactly<{ motto: string | null }>()(() => tain.items('settings').update({ motto: null }, { fields: ['motto'] }))
exactly<{ email: string | null }>()(() =>
  tain.items('service_users').update('a', { email: 'b' }, { fields: ['email'] }),
)

exactly<[{ id: number; name: string }, { id: number; name: string }[], undefined]>()(() =>
  tain.batch((items) => [
    items('cities').create({ name: 'Oslo' }),
    items('cities').create([{ name: 'Bergen' }]),
    items('orders').delete(1),
  ]),
)

exactly<string>()(() => tain.call(serverPing))
exactly<{ email: string | null }>()(() => tain.call(readMe, { fields: ['email'] }))
exactly<{ id: string; email: string | null }>()(() => tain.call(readMe))
exactly<LooseRow[]>()(() => tain.call(myRoles, { fields: ['name'] }))
exactly<string>()(async () => (await tain.call(readCollection, { collection: 'orders' })).collection)

export const refused = async () => {
  // @ts-expect-error: no such field
  await orders.create({ total: 1, totl: 2 })
  // @ts-expect-error: a required field is missing
  await orders.create({ status: 'open' })
  // @ts-expect-error: no such value
  await orders.update(1, { status: 'lost' })
  // @ts-expect-error: no such field in the result
  await orders.create({ total: 1 }, { fields: ['totl'] })
  // @ts-expect-error: customers are read only
  await tain.items('customers').create({})
  // @ts-expect-error: cities cannot be changed
  await tain.items('cities').update(1, { name: 'x' })
  // @ts-expect-error: nor deleted
  await tain.items('cities').delete(1)
  // @ts-expect-error: nor upserted
  await tain.items('cities').upsert({ name: 'x' })
  // @ts-expect-error: no such field in the filter
  await orders.deleteMany({ filter: { nothing: { _eq: 1 } } })
  // @ts-expect-error: collections of the service are not part of batches
  await tain.batch((items) => [items('service_users').create({ email: 'x' })])
  // @ts-expect-error: customers are read only
  await tain.batch((items) => [items('customers').create({})])
  // @ts-expect-error: no such field of the user
  await tain.call(readMe, { fields: ['emial'] })
  // @ts-expect-error: the input is missing
  await tain.call(readCollection)
  // @ts-expect-error: a member is missing
  await tain.call(login, { email: 'a@b.c' })
}

/** Without a schema, everything is allowed and nothing is known. */
export const loose = async () => {
  const client = createClient({ url: 'http://localhost' })
  const rows = await client.items('anything').list({ fields: ['a.b', '*.*'], filter: { a: { b: 1 } }, sort: '-a' })
  const text: string = rows[0]?.['a'].b
  await client.items('anything').update(1, { a: text })
  await client.items('motto').update({ a: text })
  await client.items('motto').read()
  const [made] = await client.batch((items) => [items('anything').create({ a: 1 })])
  return made['a']
}
