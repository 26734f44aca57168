// GraphQL subscriptions of the unmodified client graphql-ws, on each database.
import { createClient, type Client } from 'graphql-ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { untilCaptured } from '../events/log.ts'
import { openService, TOKEN, type Service } from '../lib/service.ts'

let database: TestDatabase
let service: Service
let client: Client
beforeAll(async () => {
  database = await createDatabase()
  await database.query(`
    create table owners (id integer primary key, name varchar(50) not null);
    create table things (
      id integer primary key, name varchar(50) not null, price decimal(30, 2), owner integer references owners);
    insert into owners values (1, 'Ada');
    insert into things values (1, 'lamp', 12345678901234567890.25, 1), (2, 'chair', 3, null)`)
  service = await openService({ DATABASE_URL: database.url, WEBSOCKETS_ENABLED: 'true' })
  client = createClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { access_token: TOKEN },
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
  })
})
afterAll(async () => {
  await client.dispose()
  await service.stop()
  await database.drop()
})

interface Mutated {
  readonly key: string
  readonly event: string
  readonly position: string
  readonly data: Readonly<Record<string, unknown>> | null
}

/** The results of a subscription; undefined after its end. */
function listen(query: string, variables: Record<string, unknown> = {}) {
  const results = client.iterate<{ things_mutated: Mutated }>({ query, variables })
  return {
    next: async () => (await results.next()).value?.data?.things_mutated,
    end: () => results.return?.(),
  }
}

/** The protocol does not say when a subscription has begun: some time after changes are kept for it. */
async function begun(): Promise<void> {
  await untilCaptured(database)
  await new Promise((resolve) => setTimeout(resolve, 1500))
}

const selection = '{ key event position data { id name owner { name } } }'

test('changes are told one by one, go on from a position, and end when it is gone', async () => {
  const all = listen(`subscription { things_mutated ${selection} }`)
  const first = all.next()
  await begun()
  await service.send('PATCH', '/items/things', { keys: [1, 2], data: { name: 'new' } })
  const told = [await first, await all.next()]
  expect(told.map((each) => each?.data)).toEqual([
    { id: '1', name: 'new', owner: { name: 'Ada' } },
    { id: '2', name: 'new', owner: null },
  ])
  await service.send('DELETE', '/items/things/2')
  expect(await all.next()).toMatchObject({ key: '2', event: 'delete', data: null })
  await all.end()

  const resumed = listen(
    `subscription ($from: String, $event: EventEnum) { things_mutated(from: $from, event: $event) ${selection} }`,
    { from: told[0]?.position, event: 'delete' },
  )
  expect(await resumed.next()).toMatchObject({ key: '2', event: 'delete' })
  await resumed.end()

  const gone = listen('subscription { things_mutated(from: "elsewhere-1") { key } }')
  await expect(gone.next()).rejects.toMatchObject([{ extensions: { code: 'POSITION_GONE' } }])
})

test('a filter narrows a subscription, and numbers keep their digits', async () => {
  const texts: string[] = []
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  socket.on('message', (data: Buffer) => texts.push(data.toString()))
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ type: 'connection_init', payload: { access_token: TOKEN } }))
  await expect.poll(() => texts.length, { timeout: 10_000 }).toBe(1)
  const query = 'subscription { things_mutated(filter: { owner: { name: { _eq: "Ada" } } }) { data { price } } }'
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }))
  await begun()
  await service.send('POST', '/items/things', { id: 5, name: 'other' })
  await service.send('PATCH', '/items/things/1', { name: 'seen' })
  await expect.poll(() => texts.length, { timeout: 10_000 }).toBe(2)
  // As a query shows it: not every database keeps so many digits.
  const { text } = await service.send('POST', '/graphql', { query: '{ data: things_by_id(id: 1) { price } }' })
  const [price] = /"data":\{"price":[^}]+\}/u.exec(text) ?? []
  expect(price).toContain('.')
  expect(texts[1]).toContain(price)
  socket.close()
})

test('queries and mutations work, and requests over HTTP cannot subscribe', async () => {
  const results = client.iterate({ query: 'mutation { update_things_item(id: 1, data: { name: "graph" }) { name } }' })
  expect((await results.next()).value).toEqual({ data: { update_things_item: { name: 'graph' } } })
  expect((await results.next()).done).toBe(true)
  const { status, text } = await service.send('POST', '/graphql', { query: 'subscription { things_mutated { key } }' })
  expect([status, text.includes('graphql-transport-ws')]).toEqual([400, true])
})
