import { createClient, isTainError, type TainError } from '@tain/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOKEN } from '../lib/service.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.end())

const items = <C extends Parameters<World['tain']['items']>[0]>(name: C) => world.tain.items<C>(name)
const namesOf = async (start: string) =>
  (await items('tags').list({ fields: ['name'], filter: { name: { _starts_with: start } }, sort: 'id' })).map(
    ({ name }) => name,
  )
const errorOf = async (call: Promise<unknown>): Promise<TainError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!isTainError(error)) throw new Error('no refusal', { cause: error })
  return error
}

describe('items', () => {
  test('are created, one or several, with related rows', async () => {
    const one = await items('orders').create(
      {
        customer: { name: 'Grace' },
        total: '5.50',
        placed: '2026-01-01T10:00:00',
        order_lines: [{ line: 1, quantity: 4 }],
      },
      { fields: ['total', 'customer.name', 'order_lines.quantity'] },
    )
    expect(one).toEqual({ total: '5.50', customer: { name: 'Grace' }, order_lines: [{ quantity: 4 }] })
    const several = await items('tags').create([{ name: 'made a' }, { name: 'made b' }], { fields: ['name'] })
    expect(several).toEqual([{ name: 'made a' }, { name: 'made b' }])
  })

  test('are changed by key, by keys and by a query', async () => {
    const [a, b] = await items('tags').create([{ name: 'change a' }, { name: 'change b' }])
    expect(await items('tags').update(a?.id ?? 0, { name: 'changed a' }, { fields: ['name'] })).toEqual({
      name: 'changed a',
    })
    const filter = { id: { _in: [a?.id ?? 0, b?.id ?? 0] } }
    const orders = await items('orders').create([
      { total: 1, placed: '2026-01-01T10:00:00' },
      { total: 2, placed: '2026-01-01T10:00:00' },
    ])
    const keys = orders.map(({ id }) => id)
    expect(await items('orders').updateMany(keys, { status: 'sent' }, { fields: ['status'] })).toHaveLength(2)
    const byQuery = { filter: { status: { _eq: 'sent' } } }
    expect(await items('orders').updateMany(byQuery, { status: 'lost' }, { fields: ['id'] })).toEqual(
      keys.map((id) => ({ id })),
    )
    await items('tags').deleteMany({ filter })
    expect(await namesOf('change')).toEqual([])
  })

  test('are created or changed by a unique field', async () => {
    const rows = await items('tags').upsert([{ name: 'steel' }, { name: 'upserted' }], { on_conflict: 'name' })
    expect(rows.map(({ name }) => name)).toEqual(['steel', 'upserted'])
    expect(rows[0]?.id).toBe(1)
  })

  test('with composite keys are changed and deleted', async () => {
    expect(await items('order_lines').update([1, 2], { quantity: 21 }, { fields: ['quantity'] })).toEqual({
      quantity: 21,
    })
    expect(await items('order_lines').updateMany([[1, 1]], { quantity: 2 }, { fields: ['quantity'] })).toEqual([
      { quantity: 2 },
    ])
    expect(await items('order_lines').update('1,2', { quantity: 22 }, { fields: ['quantity'] })).toEqual({
      quantity: 22,
    })
    const [batched] = await world.tain.batch((on) => [on('order_lines').update('1,2', { quantity: 23 })])
    expect(batched.quantity).toBe(23)
    await items('order_lines').delete([2, 1])
    await expect(items('order_lines').read([2, 1])).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('the singleton', async () => {
    expect(await items('site').update({ motto: 'Closed' }, { fields: ['motto'] })).toEqual({ motto: 'Closed' })
  })

  test('a dry run answers and keeps nothing', async () => {
    const made = await items('tags').create({ name: 'dry' }, { fields: ['name'] }, { dryRun: true })
    expect(made).toEqual({ name: 'dry' })
    expect(await namesOf('dry')).toEqual([])
  })

  test('a row that has changed meanwhile is not overwritten', async () => {
    const { meta } = await items('tags').listWithMeta({ filter: { id: { _eq: 3 } }, meta: ['etag'] })
    await items('tags').update(3, { name: 'very heavy' }, {}, { ifMatch: meta.etags[0] ?? '' })
    const { data, etag } = await items('tags').readWithMeta(2, { fields: ['name'] })
    expect(data).toEqual({ name: 'gift' })
    const ifMatch = etag ?? ''
    await items('tags').update(2, { name: 'gifts' }, {}, { ifMatch })
    const refused = await errorOf(items('tags').update(2, { name: 'late' }, {}, { ifMatch }))
    expect(refused).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 })
    expect(refused.extensions['current']).toMatchObject({ name: 'gifts' })
  })
})

describe('batches', () => {
  test('are one transaction with a result for each write', async () => {
    const [tag, several, nothing] = await world.tain.batch((on) => [
      on('tags').create({ name: 'batch a' }),
      on('tags').create([{ name: 'batch b' }, { name: 'batch c' }]),
      on('order_lines').delete([1, 1]),
    ])
    expect(tag).toEqual({ id: expect.any(Number), name: 'batch a' })
    expect(several.map(({ name }) => name)).toEqual(['batch b', 'batch c'])
    expect(nothing).toBeUndefined()
  })

  test('are refused as a whole', async () => {
    const refused = await errorOf(
      world.tain.batch((on) => [on('tags').create({ name: 'whole' }), on('tags').create({ name: 'steel' })]),
    )
    expect(refused.code).toBe('RECORD_NOT_UNIQUE')
    expect(await namesOf('whole')).toEqual([])
  })
})

/** Sends every request, and loses the responses to the first ones. */
function losing(count: number): { readonly fetch: typeof fetch; sent: number } {
  const state = {
    sent: 0,
    fetch: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request)
      state.sent += 1
      if (state.sent > count) return response
      await response.arrayBuffer()
      throw new TypeError('fetch failed')
    },
  }
  return state
}

describe('a connection that breaks after the commit', () => {
  test('a write happens once, and its response is the first one', async () => {
    const broken = losing(2)
    const made = await world.client({ auth: TOKEN, fetch: broken.fetch }).items('tags').create({ name: 'once' })
    expect(broken.sent).toBe(3)
    expect(await items('tags').list({ filter: { name: { _eq: 'once' } } })).toEqual([made])
  })

  test('so does a batch, and a deletion is not refused', async () => {
    const tain = world.client({ auth: TOKEN, fetch: losing(1).fetch })
    const [made] = await tain.batch((on) => [on('tags').create({ name: 'batched once' })])
    expect(await namesOf('batched')).toEqual(['batched once'])
    await world
      .client({ auth: TOKEN, fetch: losing(1).fetch })
      .items('tags')
      .delete(made.id)
    expect(await namesOf('batched')).toEqual([])
  })

  test('a key of the caller makes a write safe across clients', async () => {
    const write = () =>
      world.client({ auth: TOKEN }).items('tags').create({ name: 'keyed' }, {}, { idempotencyKey: 'import 7' })
    expect(await write()).toEqual(await write())
  })
})

describe('errors', () => {
  test('name the field, and all of them', async () => {
    const loose = createClient({ url: world.service.url, auth: TOKEN })
    const refused = await errorOf(loose.items('tags').create({ name: null }))
    expect(refused).toMatchObject({ code: 'FAILED_VALIDATION', status: 400 })
    expect(refused.extensions['field']).toBe('name')
    expect(refused.errors).toHaveLength(1)
    expect((await errorOf(loose.items('tags').list({ fields: ['nmae'] }))).message).toContain('Did you mean "name"?')
    expect((await errorOf(loose.items('nothing').list())).code).toBe('FORBIDDEN')
    expect((await errorOf(loose.graphql('{ tags { nmae } }'))).code).toBe('GRAPHQL_VALIDATION')
  })

  test('a caller without a token is refused', async () => {
    expect((await errorOf(world.client({}).items('tags').list())).code).toBe('FORBIDDEN')
    expect((await errorOf(world.client({ auth: 'wrong' }).items('tags').list())).status).toBe(401)
  })
})
