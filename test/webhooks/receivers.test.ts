import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../databases.ts'
import { dataOf, startService, until, type Service } from '../service.ts'
import { startReceiver, type Answer, type Receiver } from './receiver.ts'

const AT_ONCE = 20

describe.each(testDialects)('receivers on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  const open: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await database.query('create table tags (id integer primary key, name varchar(200))')
    service = await startService({
      DATABASE_URL: database.url,
      WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1/32',
      WEBHOOKS_RETRY_DELAYS: '100ms,100ms',
      WEBHOOKS_TIMEOUT: '60s',
    })
  })
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
    await service.send('DELETE', '/items/tags', { query: { limit: -1 } })
  })
  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  async function hooked(answer?: () => Answer): Promise<Receiver> {
    const receiver = await startReceiver(answer)
    open.push(receiver.close)
    const body = { name: 'test', url: receiver.url, collections: ['tags'] }
    const { id } = dataOf(await service.send('POST', '/webhooks', body)) as { id: string }
    open.unshift(() => service.send('DELETE', `/webhooks/${id}`))
    return receiver
  }
  const write = async (count: number) =>
    dataOf(
      await service.send(
        'POST',
        '/items/tags',
        Array.from({ length: count }, (_, id) => ({ id, name: 'new' })),
      ),
    )

  test('20 deliveries are sent at once, over connections that serve the next ones', async () => {
    const held: ServerResponse[] = []
    let most = 0
    const receiver = await hooked(() => (response) => {
      held.push(response)
      most = Math.max(most, held.length)
    })
    await write(3 * AT_ONCE)
    for (let taken = 0; taken < 3 * AT_ONCE; taken += AT_ONCE) {
      await until(() => held.length === AT_ONCE, 60, `${AT_ONCE} at once, there are ${held.length}`)
      for (const response of held.splice(0)) response.writeHead(204).end()
    }
    expect([most, receiver.received.length]).toEqual([AT_ONCE, 3 * AT_ONCE])
    expect(receiver.connections()).toBeLessThan(2 * AT_ONCE)
  })
})
