import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { dataOf, until } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import { startReceiver, type Answer, type Receiver } from './receiver.ts'

const AT_ONCE = 20

describe.each(testDialects)('receivers on %s', (dialect) => {
  const open: (() => Promise<unknown>)[] = []

  const { service } = useWorld({
    dialect,
    tables: 'create table tags (id integer primary key, name varchar(200))',
    environment: {
      WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1/32',
      WEBHOOKS_RETRY_DELAYS: Array.from({ length: 40 }, () => '100ms').join(','),
      WEBHOOKS_TIMEOUT: '60s',
    },
  })
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
    const { status, text } = await service.send('DELETE', '/items/tags', { all: true })
    if (status !== 204) throw new Error(text)
  })

  async function hooked(answer?: () => Answer): Promise<Receiver & { readonly id: string }> {
    const receiver = await startReceiver(answer)
    open.push(receiver.close)
    const body = { name: 'test', url: receiver.url, collections: ['tags'] }
    const { id } = dataOf(await service.send('POST', '/webhooks', body)) as { id: string }
    open.unshift(() => service.send('DELETE', `/webhooks/${id}`))
    return Object.assign(receiver, { id })
  }
  const stateOf = async ({ id }: { readonly id: string }) =>
    dataOf(await service.get(`/webhooks/${id}`)) as Readonly<Record<string, string | null>>
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

  test('a receiver that fails shows it, keeps its deliveries, leaves others alone, and gets all in order when it is back', async () => {
    let isDown = true
    const failing = await hooked(() => (isDown ? 503 : 204))
    const sound = await hooked()
    await write(AT_ONCE + 5)
    await until(async () => (await stateOf(failing))['failing_since'] !== null, 30, 'the receiver fails')
    expect((await stateOf(failing))['next_probe']).toMatch(/^2\d{3}-/u)
    for (const name of ['second', 'third']) dataOf(await service.send('PATCH', '/items/tags/0', { name }))
    await sound.until(AT_ONCE + 7)
    expect(await stateOf(sound)).toMatchObject({ failing_since: null, next_probe: null })
    isDown = false
    const before = failing.received.length
    await failing.until(before + AT_ONCE + 7)
    await until(async () => (await stateOf(failing))['failing_since'] === null, 30, 'the receiver recovers')
    const names = failing.received
      .slice(before)
      .flatMap(({ body: { data } }) => (data['key'] === 0 ? [(data['item'] as { name: string }).name] : []))
    expect(names).toEqual(['new', 'second', 'third'])
    const logged = (text: RegExp) => service.lines().filter(({ msg }) => text.test(msg))
    for (const text of [/receiver of a webhook fails/u, /takes deliveries again/u]) {
      await until(() => logged(text).length > 0, 30, 'the log says so')
      expect(logged(text)).toHaveLength(1)
    }
  })
})
