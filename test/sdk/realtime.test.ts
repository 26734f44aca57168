// Subscriptions of the SDK against a real service, also while it is killed and started again.
import { createClient, isTainError } from '@tain/sdk'
import { realtime, type Subscription } from '@tain/sdk/realtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { startService, TOKEN } from '../lib/service.ts'
import { startWorld, type World } from './world.ts'

const sockets = { WEBSOCKETS_ENABLED: 'true' }

let world: World
let live: ReturnType<typeof liveOf>
const liveOf = ({ tain }: World) => realtime(tain)
beforeAll(async () => {
  world = await startWorld(sockets)
  live = liveOf(world)
})
afterAll(async () => {
  live.close()
  await world.end()
})

async function next<E>(events: Subscription<E>): Promise<E> {
  const { value, done } = await events.next()
  if (done === true) throw new Error('the subscription is over')
  return value
}

describe('a subscription', () => {
  test('gives the rows of its query, and the changes with typed rows and keys', async () => {
    const tags = live.subscribe('tags', { fields: ['id', 'name'], sort: 'id', filter: { id: { _gt: 0 } } })
    const first = await next(tags)
    expect(first.event === 'init' && first.data?.map(({ name }) => name)).toEqual(['steel', 'gift', 'heavy'])
    const { id } = await world.tain.items('tags').create({ name: 'new' })
    expect(await next(tags)).toMatchObject({ event: 'create', data: [{ id, name: 'new' }] })
    await world.tain.items('tags').update(id, { name: 'newer' })
    expect(await next(tags)).toMatchObject({ event: 'update', data: [{ id, name: 'newer' }] })
    await world.tain.items('tags').delete(id)
    const last = await next(tags)
    expect([last.event, last.data]).toEqual(['delete', [id]])
    tags.close()
    expect((await tags.next()).done).toBe(true)
  })

  test('to one kind goes on from a position', async () => {
    const begin = live.subscribe('orders', { fields: ['id', 'status'] })
    const { position } = await next(begin)
    begin.close()
    await world.tain.items('orders').update(1, { status: 'sent' })
    const updates = live.subscribe('orders', { fields: ['id', 'customer.name'] }, { event: 'update', from: position })
    expect(await next(updates)).toMatchObject({ event: 'init', resumed: true })
    expect(await next(updates)).toMatchObject({ event: 'update', data: [{ id: 1, customer: { name: 'Ada' } }] })
    updates.close()
  })

  test('gives live results', async () => {
    const dearest = live.subscribe('orders', { fields: ['id'], sort: '-total', limit: 1 }, { live: true })
    expect(await next(dearest)).toMatchObject({ event: 'init', data: [{ id: 3 }] })
    await world.tain.items('orders').update(4, { total: '500.00' })
    expect(await next(dearest)).toMatchObject({ event: 'result', data: [{ id: 4 }] })
    dearest.close()
  })

  test('that is refused throws, and a wrong token ends all', async () => {
    const loose = realtime(createClient({ url: world.service.url, auth: TOKEN }))
    await expect(loose.subscribe('nothing').next()).rejects.toSatisfy((error) => isTainError(error, 'FORBIDDEN'))
    loose.close()
    const wrong = realtime(world.client({ auth: 'wrong' })).subscribe('tags')
    await expect(wrong.next()).rejects.toSatisfy((error) => isTainError(error))
  })
})

test('a session renews its token, and subscriptions go on', async () => {
  const own = await startWorld({ ...sockets, ACCESS_TOKEN_TTL: '3s' })
  try {
    const person = { email: 'live@example.com', password: 'correct horse battery' }
    const { body } = await own.service.get('/users/me?fields=role')
    const { role } = (body as { data: { role: string } }).data
    await own.service.send('POST', '/users', { ...person, role })
    const user = own.client({})
    await user.login(person)
    const mine = realtime(user)
    const tags = mine.subscribe('tags', { fields: ['name'] })
    await next(tags)
    await new Promise((resolve) => setTimeout(resolve, 4500))
    await own.tain.items('tags').update(1, { name: 'later' })
    expect(await next(tags)).toMatchObject({ event: 'update', data: [{ name: 'later' }] })
    mine.close()
  } finally {
    await own.end()
  }
})

test('no change is missed while the service is killed and started again', async () => {
  const database = await createDatabase()
  await database.query(
    'create table counters (id integer primary key, value integer not null); insert into counters values (1, 0), (2, 0), (3, 0)',
  )
  const port = String(await freePort())
  const start = () => startService({ DATABASE_URL: database.url, PORT: port, ...sockets })
  let service = await start()
  const tain = createClient({ url: service.url, auth: TOKEN, retries: 0 })
  const { subscribe, close } = realtime(tain)
  const [seen, told]: [Map<number, number>, string[]] = [new Map(), []]
  const counters = subscribe('counters', { fields: ['id', 'value'], sort: 'id' })
  const reading = (async () => {
    for await (const event of counters) {
      told.push(event.event)
      if (event.event === 'delete') throw new Error('nothing was deleted')
      for (const { id, value } of event.data ?? []) {
        // The states of one item never go back.
        expect(value).toBeGreaterThanOrEqual(seen.get(id as number) ?? 0)
        seen.set(id as number, value as number)
      }
    }
  })()
  await expect.poll(() => seen.size, { timeout: 20_000 }).toBe(3)
  let value = 0
  for (let round = 0; round < 3; round += 1) {
    const until = Date.now() + 300
    let isKilled = false
    for (; !isKilled; value += 1) {
      const last = Date.now() > until
      // The last write is under way when the service dies.
      const write = tain
        .items('counters')
        .update((value % 3) + 1, { value: value + 1 })
        .catch(() => undefined)
      if (last) await service.stop('SIGKILL')
      await write
      isKilled = last
    }
    service = await start()
  }
  const stored = await tain.items('counters').list({ fields: ['id', 'value'], sort: 'id' })
  const expected = stored.map((row) => [row['id'], row['value']])
  await expect.poll(() => [...seen].toSorted(([a], [b]) => a - b), { timeout: 20_000 }).toEqual(expected)
  // Every break was resumed: the rows were read once.
  expect(told.filter((event) => event === 'init')).toEqual(['init'])
  close()
  await reading
  await service.stop()
  await database.drop()
})
