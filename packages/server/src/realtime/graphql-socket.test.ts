import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@tain/contract'
import { createClient } from 'graphql-ws'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { administrator, anonymous } from '../access/actor.ts'
import { createAsyncQueue, type AsyncQueue } from '../lib/async-queue.ts'
import type { Watched } from './caller-watch.ts'
import type { Caller } from './callers.ts'
import type { GraphqlOperation, GraphqlResult } from './graphql-operation.ts'
import { createGraphqlSocket, type GraphqlSocketOptions } from './graphql-socket.ts'
import { createPlaces } from './places.ts'
import { createSocketServer } from './socket-server.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const callerOf = (token: string | null, expires: number | null): Caller => ({
  credentials: { token, address: null },
  actor: token === null ? anonymous : { ...administrator, user: token },
  proof: token === null ? null : { kind: 'token', key: token, expires },
})

/** A service with one endpoint. Tokens begin with `good`; `good 200` runs out after so many milliseconds. */
async function serve(given: Partial<GraphqlSocketOptions> = {}) {
  const operations: GraphqlOperation[] = []
  const feeds: AsyncQueue<GraphqlResult>[] = []
  const watched = new Set<Watched>()
  const state = { closed: 0, subscribed: 0 }
  const find: GraphqlSocketOptions['callers']['find'] = async ({ token }) => {
    if (token?.startsWith('good') === false) throw new ServiceError('INVALID_CREDENTIALS')
    const after = Number(token?.split(' ')[1] ?? Number.NaN)
    return callerOf(token, Number.isNaN(after) ? null : Date.now() + after)
  }
  const endpoint = createGraphqlSocket({
    path: '/graphql',
    mode: 'handshake',
    most: null,
    initTimeout: 300,
    heartbeat: null,
    operations: 3,
    rate: 50,
    buffer: 64 * 1024,
    callers: { find, renew: ({ actor }) => actor, confirm: async () => undefined },
    watch: {
      add: (each) => {
        watched.add(each)
        return () => watched.delete(each)
      },
    },
    hub: {
      subscribe: async () => {
        state.subscribed += 1
        return { close: () => (state.closed += 1) }
      },
      place: async () => ({ epoch: 'e', number: 1 }),
    },
    open: async (operation, { hub, audience }) => {
      operations.push(operation)
      const { query } = operation
      if (query === 'wrong') throw new ServiceError('GRAPHQL_VALIDATION')
      if (query !== 'changes')
        return { kind: 'reply', reply: `{"data":{"echo":${JSON.stringify(operation.variables ?? null)}}}` }
      const subscription = await hub.subscribe(audience, {} as never, () => undefined)
      const feed = createAsyncQueue<GraphqlResult>(() => subscription.close())
      feeds.push(feed)
      return { kind: 'changes', changes: feed.values }
    },
    observe: (observation) => {
      throw new Error(JSON.stringify(observation), { cause: 'error' in observation ? observation.error : null })
    },
    ...given,
  })
  const sockets = createSocketServer({
    endpoints: [endpoint],
    callers: { find },
    places: createPlaces(3),
    cookies: { sessionCookie: 'session', publicUrl: null, origins: [] },
    addressOf: () => '127.0.0.1',
    countRequest: async () => undefined,
    messageSize: 100_000,
    observe: () => undefined,
  })
  const server = createServer().on('upgrade', sockets.upgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    await sockets.stop()
    server.close()
  })
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  return { url, operations, feeds, watched, state, sockets }
}

type Sent = Readonly<Record<string, unknown>>

async function dial(url: string, { protocols = ['graphql-transport-ws'], token = '' } = {}) {
  const socket = new WebSocket(url, protocols, token === '' ? {} : { headers: { authorization: `Bearer ${token}` } })
  const messages: Sent[] = []
  const texts: string[] = []
  let wake = () => {}
  socket.on('message', (data: Buffer) => {
    texts.push(data.toString())
    messages.push(JSON.parse(data.toString()) as Sent)
    wake()
  })
  const closes = once(socket, 'close').then(([code]) => Number(code))
  socket.on('error', () => undefined)
  ends.push(() => socket.terminate())
  await once(socket, 'open')
  return {
    socket,
    messages,
    texts,
    closes,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async next(): Promise<Sent> {
      while (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return messages.shift() ?? {}
    },
  }
}

async function connected(url: string, token: string | null = 'good') {
  const client = await dial(url)
  client.send({ type: 'connection_init', ...(token === null ? {} : { payload: { access_token: token } }) })
  expect(await client.next()).toEqual({ type: 'connection_ack' })
  return client
}

const subscribe = (id: string, query: string, variables?: unknown) => ({
  type: 'subscribe',
  id,
  payload: { query, ...(variables === undefined ? {} : { variables }) },
})

describe('signing in', () => {
  test('by connection_init, by the upgrade, or not at all where the public may connect', async () => {
    const { url, operations } = await serve()
    await connected(url)
    const early = await dial(url, { token: 'good-upgrade' })
    early.send({ type: 'connection_init' })
    expect(await early.next()).toEqual({ type: 'connection_ack' })
    early.send(subscribe('1', 'echo'))
    await early.next()
    expect(operations[0]?.actor.user).toBe('good-upgrade')
    const open = await serve({ mode: 'public' })
    await connected(open.url, null)
  })

  test.each([
    ['a wrong token', { access_token: 'bad' }, 4403],
    ['no token', {}, 4403],
    ['a token that is no text', { access_token: 1 }, 4403],
  ])('is refused for %s', async (_, payload, code) => {
    const { url } = await serve()
    const client = await dial(url)
    client.send({ type: 'connection_init', payload })
    expect(await client.closes).toBe(code)
    expect(client.messages).toEqual([])
  })

  test('strict mode refuses upgrades without a token', async () => {
    const { url } = await serve({ mode: 'strict' })
    const socket = new WebSocket(url, 'graphql-transport-ws')
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('401')
  })

  test('takes its time', async () => {
    const { url } = await serve()
    expect(await (await dial(url)).closes).toBe(4408)
  })

  test('counts the connections of a user', async () => {
    const { url } = await serve()
    for (let count = 0; count < 3; count += 1) await connected(url)
    const client = await dial(url)
    client.send({ type: 'connection_init', payload: { access_token: 'good' } })
    expect([1013, 4403]).toContain(await client.closes)
  })

  test('ends with the token, and with what it rests on', async () => {
    const { url, watched } = await serve()
    expect(await (await connected(url, 'good 100')).closes).toBe(4401)
    const client = await connected(url)
    for (const each of watched) each.lost()
    expect(await client.closes).toBe(4401)
    while (watched.size > 0) await sleep(5)
  })
})

describe('the protocol', () => {
  test.each([
    ['no JSON', 'junk', 4400],
    ['a message before connection_init', subscribe('1', 'echo'), 4401],
  ])('closes after %s', async (_, message, code) => {
    const { url } = await serve()
    const client = await dial(url)
    client.send(message)
    expect(await client.closes).toBe(code)
  })

  test('closes after a second connection_init, an id twice and another sub-protocol', async () => {
    const { url } = await serve()
    const twice = await connected(url)
    twice.send({ type: 'connection_init', payload: { access_token: 'good' } })
    expect(await twice.closes).toBe(4429)
    const same = await connected(url)
    same.send(subscribe('1', 'changes'))
    same.send(subscribe('1', 'changes'))
    expect(await same.closes).toBe(4409)
    expect(await (await dial(url, { protocols: [] })).closes).toBe(4406)
  })

  test('closes a connection with the limit of its messages', async () => {
    const { url } = await serve()
    const client = await connected(url)
    client.send(subscribe('1', 'x'.repeat(100_001)))
    expect(await client.closes).toBe(1009)
  })

  test('tells clients to come back when the service stops', async () => {
    const { url, sockets } = await serve()
    const client = await connected(url)
    await sockets.stop()
    expect(await client.closes).toBe(1012)
  })
})

describe('operations', () => {
  test('a query is answered once, with all digits', async () => {
    const { url } = await serve()
    const client = await connected(url)
    client.send('{"type":"subscribe","id":"q","payload":{"query":"echo","variables":{"n":12345678901234567890}}}')
    expect(await client.next()).toMatchObject({ id: 'q', type: 'next' })
    expect(client.texts.join('')).toContain('{"n":12345678901234567890}')
    expect(await client.next()).toEqual({ id: 'q', type: 'complete' })
  })

  test('a refusal is an error with its code, and the connection stays', async () => {
    const { url } = await serve()
    const client = await connected(url)
    client.send(subscribe('1', 'wrong'))
    expect(await client.next()).toMatchObject({
      id: '1',
      type: 'error',
      payload: [{ message: 'GraphQL validation error.', extensions: { code: 'GRAPHQL_VALIDATION' } }],
    })
    client.send({ type: 'ping' })
    expect(await client.next()).toEqual({ type: 'pong' })
  })

  test('a subscription gives results until it is completed', async () => {
    const { url, feeds, state } = await serve()
    const client = await connected(url)
    client.send(subscribe('s', 'changes'))
    while (feeds.length === 0) await sleep(5)
    feeds[0]?.push({ data: { n: 1 } })
    expect(await client.next()).toEqual({ id: 's', type: 'next', payload: { data: { n: 1 } } })
    client.send({ type: 'complete', id: 's' })
    while (state.closed === 0) await sleep(5)
    feeds[0]?.push({ data: { n: 2 } })
    await sleep(50)
    expect(client.messages).toEqual([])
  })

  test('an error ends a subscription with its code', async () => {
    const { url, feeds } = await serve()
    const client = await connected(url)
    client.send(subscribe('s', 'changes'))
    while (feeds.length === 0) await sleep(5)
    feeds[0]?.fail(new ServiceError('POSITION_GONE'))
    expect(await client.next()).toMatchObject({
      id: 's',
      type: 'error',
      payload: [{ extensions: { code: 'POSITION_GONE' } }],
    })
    await sleep(20)
    expect(client.messages).toEqual([])
  })

  test('subscriptions end with their connection, also when an id was used twice in a hurry', async () => {
    const { url, state, feeds } = await serve()
    const client = await connected(url)
    client.send(subscribe('s', 'changes'))
    client.send({ type: 'complete', id: 's' })
    client.send(subscribe('s', 'changes'))
    while (feeds.length < 2) await sleep(5)
    client.socket.close()
    await client.closes
    while (state.closed < 2) await sleep(5)
    expect(state).toEqual({ subscribed: 2, closed: 2 })
  })

  test('a connection has a most of operations at a time and in a second', async () => {
    const { url } = await serve({ rate: 5 })
    const client = await connected(url)
    for (const id of ['1', '2', '3', '4']) client.send(subscribe(id, 'changes'))
    expect(await client.next()).toMatchObject({ id: '4', payload: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] })
    client.send({ type: 'complete', id: '1' })
    client.send(subscribe('5', 'echo'))
    expect(await client.next()).toMatchObject({ id: '5', type: 'next' })
    await client.next()
    client.send(subscribe('6', 'echo'))
    expect(await client.next()).toMatchObject({ id: '6', payload: [{ extensions: { code: 'REQUESTS_EXCEEDED' } }] })
  })

  test('a client that does not read is closed with 1013', async () => {
    const { url, feeds, state } = await serve()
    const client = await connected(url)
    client.send(subscribe('s', 'changes'))
    while (feeds.length === 0) await sleep(5)
    client.socket.pause()
    const text = 'x'.repeat(50_000)
    for (let count = 0; count < 400 && state.closed === 0; count += 1) {
      feeds[0]?.push({ data: { text } })
      await sleep(1)
    }
    client.socket.resume()
    expect(await client.closes).toBe(1013)
  })

  test('the client of graphql-ws gets results', async () => {
    const { url, feeds } = await serve()
    const client = createClient({ url, webSocketImpl: WebSocket, connectionParams: { access_token: 'good' } })
    ends.push(() => client.dispose())
    const results = client.iterate({ query: 'changes' })
    const next = results.next()
    while (feeds.length === 0) await sleep(5)
    feeds[0]?.push({ data: { n: 1 } })
    expect((await next).value).toEqual({ data: { n: 1 } })
    await results.return?.()
  })

  test('clients that do not answer pings are left', async () => {
    const { url } = await serve({ heartbeat: 60 })
    const lively = await connected(url)
    const dead = await connected(url)
    dead.socket.pause()
    await sleep(300)
    dead.socket.resume()
    expect(await dead.closes).toBe(1006)
    expect(lively.socket.readyState).toBe(WebSocket.OPEN)
  })
})
