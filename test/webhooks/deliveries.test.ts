import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, until } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import { startReceiver, type Answer, type Received, type Receiver } from './receiver.ts'

interface Made {
  readonly id: string
  readonly secret: string
}

interface Entry {
  readonly id: string
  readonly status: string
  readonly key: string
  readonly position: string
  readonly attempts: readonly { readonly response: number | null; readonly error: string | null }[]
}

describe.each(testDialects)('webhooks on %s', (dialect) => {
  const open: (() => Promise<unknown>)[] = []

  const { database, service } = useWorld({
    dialect,
    tables: `create table tags (id integer primary key, name varchar(200), color varchar(20));
      insert into tags values (1, 'math', 'red'), (2, 'art', 'blue'), (3, 'law', 'green')`,
    environment: {
      WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1/32',
      WEBHOOKS_RETRY_DELAYS: '150ms,150ms',
      WEBHOOKS_TIMEOUT: '2s',
    },
  })
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })

  async function receiver(answer?: (received: Received, count: number) => Answer): Promise<Receiver> {
    const made = await startReceiver(answer)
    open.push(made.close)
    return made
  }
  async function hook(url: string, values: object = {}): Promise<Made> {
    const made = dataOf(
      await service.send('POST', '/webhooks', { name: 'test', url, collections: ['tags'], ...values }),
    ) as Made
    open.unshift(() => service.send('DELETE', `/webhooks/${made.id}`))
    return made
  }
  const paint = async (id: number, color: string) => dataOf(await service.send('PATCH', `/items/tags/${id}`, { color }))
  const entries = async ({ id }: Made, query = '') =>
    dataOf(await service.get(`/webhooks/${id}/deliveries${query}`)) as readonly Entry[]
  const colorsOf = (received: readonly Received[]) =>
    received.map(({ body }) => (body.data['item'] as { color: string }).color)
  const ended = async (made: Made, status: string, count: number) => {
    const ofStatus = async () => (await entries(made)).filter((entry) => entry.status === status)
    await until(async () => (await ofStatus()).length === count, 30, `${count} ${status}`)
    return ofStatus()
  }

  test('every change arrives once, in order for each item, and its signature can be verified', async () => {
    const target = await receiver()
    const made = await hook(target.url)
    for (let n = 0; n < 20; n += 1) await Promise.all([paint(1, `a${n}`), paint(2, `b${n}`)])
    await target.until(40)
    await ended(made, 'delivered', 40)
    expect(target.received).toHaveLength(40)
    for (const [id, letter] of [
      [1, 'a'],
      [2, 'b'],
    ] as const)
      expect(colorsOf(target.received.filter(({ body }) => body.data['key'] === id))).toEqual(
        Array.from({ length: 20 }, (_, n) => `${letter}${n}`),
      )
    for (const { text, headers } of target.received)
      expect(new Webhook(made.secret).verify(text, headers as Record<string, string>)).toBeTruthy()
    expect(() => new Webhook(made.secret).verify('{}', target.received[0]?.headers as Record<string, string>)).toThrow(
      'signature',
    )
  })

  test('for a day after a rotation both secrets verify, and the secret is shown only when it is made', async () => {
    const target = await receiver()
    const made = await hook(target.url, { headers: { authorization: 'Bearer mine' } })
    const { secret } = dataOf(await service.send('POST', `/webhooks/${made.id}/rotate`)) as Made
    await paint(1, 'rotated')
    const [first] = await target.until(1)
    for (const each of [made.secret, secret])
      expect(new Webhook(each).verify(first?.text ?? '', first?.headers as Record<string, string>)).toBeTruthy()
    expect(secret).not.toBe(made.secret)
    expect(first?.headers.authorization).toBe('Bearer mine')
    const shown = dataOf(await service.get(`/webhooks/${made.id}`))
    expect(shown).toMatchObject({ secret: '**********', headers: '**********' })
    const stored = await database.query('select secret, headers from ' + systemTable(dialect, 'service_webhooks'))
    expect(JSON.stringify(stored)).not.toMatch(/whsec_|Bearer/u)
  })

  test('a response that is kept for a repeated request does not show the secret', async () => {
    const target = await receiver()
    const body = { name: 'twice', url: target.url, collections: ['tags'] }
    const headers = { 'idempotency-key': `webhook-${dialect}` }
    const [first, second] = [
      dataOf(await service.send('POST', '/webhooks', body, { headers })) as Made,
      dataOf(await service.send('POST', '/webhooks', body, { headers })) as Made,
    ]
    open.unshift(() => service.send('DELETE', `/webhooks/${first.id}`))
    expect([first.secret.startsWith('whsec_'), second.id, second.secret]).toEqual([true, first.id, '**********'])
  })

  test.each<[string, Answer, readonly (number | null)[], string | null]>([
    ['fails', 500, [500, 500, 500], null],
    [
      'redirects',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      [302, 302, 302],
      null,
    ],
    ['hangs', () => undefined, [null, null, null], 'TIMEOUT'],
    [
      'trickles',
      (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('.'), 50)
        response.on('close', () => clearInterval(timer))
      },
      [null, null, null],
      'TIMEOUT',
    ],
    [
      'lies about the length of its response',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('short')
        response.socket?.end()
      },
      [null, null, null],
      'ECONNRESET',
    ],
    ['closes the connection', (response) => response.socket?.destroy(), [null, null, null], 'ECONNRESET'],
  ])('a receiver that %s is asked again, and its deliveries die in full', async (_, answer, responses, error) => {
    const target = await receiver(() => answer)
    const made = await hook(target.url)
    await paint(1, 'dead')
    const [dead] = await ended(made, 'dead', 1)
    expect(dead?.attempts.map((attempt) => attempt.response)).toEqual(responses)
    expect(dead?.attempts.map((attempt) => attempt.error)).toEqual(responses.map(() => error))
    expect(new Set(target.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([dead?.id]))
    expect(dataOf(await service.get(`/webhooks/${made.id}`))).toMatchObject({ dead_count: 1 })
  })

  test('a response of any size is read to 64 KB, and counts', async () => {
    const target = await receiver(() => (response) => {
      response.writeHead(200)
      const fill = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', fill)
      fill()
    })
    const made = await hook(target.url)
    await paint(1, 'large')
    await ended(made, 'delivered', 1)
    expect(target.received).toHaveLength(1)
  })

  test('dead deliveries can be sent again, with their content, alone or from a position on', async () => {
    let isDown = true
    const target = await receiver(() => (isDown ? 503 : 200))
    const made = await hook(target.url)
    for (const color of ['x', 'y', 'z']) await paint(3, color)
    const [first] = [...(await ended(made, 'dead', 3))].sort((one, other) => (one.id < other.id ? -1 : 1))
    isDown = false
    target.received.length = 0
    dataOf(await service.send('POST', `/webhooks/${made.id}/deliveries/${first?.id}/replay`))
    expect(colorsOf(await target.until(1))).toEqual(['x'])
    expect(target.received[0]?.headers['webhook-id']).toBe(first?.id)
    dataOf(await service.send('POST', `/webhooks/${made.id}/replay`, { from: first?.position }))
    expect(colorsOf(await target.until(3))).toEqual(['x', 'y', 'z'])
    await ended(made, 'delivered', 3)
    expect(dataOf(await service.get(`/webhooks/${made.id}`))).toMatchObject({ dead_count: 0 })
    expect(codeOf(await service.send('POST', `/webhooks/${made.id}/replay`, { from: 'nonsense' }))).toBe(
      'INVALID_PAYLOAD',
    )
    expect(codeOf(await service.send('POST', `/webhooks/${made.id}/deliveries/none/replay`))).toBe('FORBIDDEN')
  })

  test('410 disables a webhook, which then drops what waits; enabled again it begins anew', async () => {
    let isGone = true
    const target = await receiver(() => (isGone ? 410 : 200))
    const made = await hook(target.url)
    const isDisabled = async () => (dataOf(await service.get(`/webhooks/${made.id}`)) as Entry).status === 'disabled'
    await paint(1, 'gone')
    await until(isDisabled, 5, 'disabled')
    await ended(made, 'dead', 1)
    await paint(1, 'unheard')
    isGone = false
    dataOf(await service.send('PATCH', `/webhooks/${made.id}`, { status: 'active' }))
    await paint(1, 'heard')
    await target.until(2)
    await sleep(300)
    expect(colorsOf(target.received)).toEqual(['gone', 'heard'])
  })

  test('addresses that are not public are refused when they are stored, and when a delivery finds them', async () => {
    for (const url of ['http://127.0.0.2/', 'http://[::1]/', 'http://10.0.0.1/'])
      expect(codeOf(await service.send('POST', '/webhooks', { name: 'n', url, collections: ['tags'] }))).toBe(
        'INVALID_PAYLOAD',
      )
    const target = await receiver()
    const made = await hook(target.url)
    // As if its name led elsewhere by now.
    await database.query(
      `update ${systemTable(dialect, 'service_webhooks')} set url = 'http://127.0.0.2:9/' where name = 'test'`,
    )
    await sleep(400)
    await paint(1, 'inside')
    const [dead] = await ended(made, 'dead', 1)
    expect(dead?.attempts).toMatchObject([{ response: null, error: 'ADDRESS_REFUSED' }])
  })

  test('a filter and a user decide, for deletions by the row before', async () => {
    const policy = dataOf(
      await service.send('POST', '/policies', {
        name: 'greens',
        permissions: [
          {
            collection: 'tags',
            action: 'read',
            fields: ['id', 'color'],
            permissions: { color: { _starts_with: 'green' } },
          },
        ],
      }),
    ) as Made
    const user = dataOf(
      await service.send('POST', '/users', { first_name: 'G', policies: { create: [{ policy: policy.id }] } }),
    ) as Made
    const target = await receiver()
    const made = await hook(target.url, { user: user.id, filter: { id: { _gt: 100 } } })
    for (const [id, color] of [
      [101, 'green'],
      [102, 'red'],
      [103, 'green too'],
    ] as const)
      dataOf(await service.send('POST', '/items/tags', { id, name: 'secret', color }))
    await paint(3, 'green')
    await paint(102, 'green now')
    await service.send('DELETE', '/items/tags', [101, 103])
    await ended(made, 'delivered', 5)
    const shown = target.received.map(({ body }) => [body.type, body.data['key'], body.data['item']])
    expect(shown.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))).toEqual([
      ['tags.create', 101, { id: 101, color: 'green' }],
      ['tags.create', 103, { id: 103, color: 'green too' }],
      ['tags.delete', 101, null],
      ['tags.delete', 103, null],
      ['tags.update', 102, { id: 102, color: 'green now' }],
    ])
    dataOf(await service.send('PATCH', `/users/${user.id}`, { status: 'suspended' }))
    await paint(102, 'green unseen')
    await sleep(500)
    expect(target.received).toHaveLength(5)
  })

  test.each([
    [{ collections: ['tegs'] }, '"collections" has "tegs", which is no collection; did you mean "tags"?'],
    [{ fields: ['colour'] }, '"fields" has "colour", which is no column of "tags"; did you mean "color"?'],
    [{ fields: ['owner.name'] }, '"fields" has "owner.name", which is no column of "tags"; related rows are not sent'],
    [
      { headers: { 'Webhook-Id': 'x' } },
      '"headers" cannot have "Webhook-Id": it is no name of a header, or the service sends it itself',
    ],
    [{ headers: { 'x-a': 'b\n' } }, 'The value of "x-a" in "headers" has to be a short text on one line'],
  ])('a refusal of %j names what is wrong', async (values, reason) => {
    const sent = { name: 'test', url: 'http://127.0.0.1/', collections: ['tags'], ...values }
    const refused = await service.send('POST', '/webhooks', sent)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ extensions: { reason } }] } })
  })

  test('a refused position is named', async () => {
    const made = await hook('http://127.0.0.1:1/')
    for (const [sent, name] of [
      [{ from: 'yesterday' }, 'from'],
      [{ from: 'a-1', to: 'today' }, 'to'],
    ] as const)
      expect(await service.send('POST', `/webhooks/${made.id}/replay`, sent)).toMatchObject({
        status: 400,
        body: { errors: [{ extensions: { reason: `"${name}" has to be the position of an event` } }] },
      })
  })
})

const systemTable = (dialect: string, name: string) => (dialect === 'postgres' ? `tain.${name}` : name)
