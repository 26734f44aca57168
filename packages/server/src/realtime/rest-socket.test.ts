import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@tain/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { mirrorOf, table } from '../testing/schema.ts'
import { anonymous, type Actor } from '../access/actor.ts'
import type { RealtimeConfig } from '../config/realtime.ts'
import { createClientAddress } from '../lib/client-address.ts'
import type { Watched } from './caller-watch.ts'
import type { Caller } from './callers.ts'
import type { Audience, Hub, Told, Wish } from './hub.ts'
import { createPlaces } from './places.ts'
import { createRestSocket, type RestSocket } from './rest-socket.ts'
import { createSocketServer, type SocketServer } from './socket-server.ts'
import type { SocketServices } from './socket-services.ts'

const SECOND = 1000
const standard: RealtimeConfig = {
  hasSockets: true,
  hasRestSocket: true,
  restSocketPath: '/websocket',
  restSocketAuth: 'handshake',
  restSocketAuthTimeout: 5,
  restSocketConnections: 20,
  hasGraphqlSocket: false,
  graphqlSocketPath: '/graphql',
  graphqlSocketAuth: 'handshake',
  graphqlSocketAuthTimeout: 5,
  graphqlSocketConnections: null,
  hasHeartbeat: true,
  heartbeatPeriod: 30,
  userConnections: 3,
  connectionSubscriptions: 2,
  messageSize: 10_000,
  messageRate: 50,
  realtimeBuffer: 100_000,
  liveInterval: 250,
}

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }
const ana: Actor = { ...anonymous, user: 'ana' }

/** A hub that keeps what it is asked for, so that tests tell things themselves. */
interface Heard {
  readonly audience: Audience
  readonly wish: Wish
  readonly tell: (told: Told) => void
  isClosed: boolean
}

interface Stage {
  readonly url: string
  readonly heard: Heard[]
  readonly changed: Audience[]
  readonly watched: Set<Watched>
  /** Subscriptions begin after it, and the token `late` is found. */
  ready: Promise<void>
  /** Milliseconds since 1970 at which the token `short` runs out. */
  expires: number
  readonly sockets: SocketServer
}

let close: () => Promise<void> = async () => undefined
let stage: Stage

async function createStage(settings: Partial<RealtimeConfig> = {}): Promise<Stage> {
  const config = { ...standard, ...settings }
  const heard: Heard[] = []
  const changed: Audience[] = []
  const watched = new Set<Watched>()
  const hub: Hub = {
    async subscribe(audience, wish, tell) {
      if (wish.collection === 'hidden') throw new ServiceError('FORBIDDEN')
      const entry: Heard = { audience, wish, tell, isClosed: false }
      heard.push(entry)
      await made.ready
      return { close: () => void (entry.isClosed = true) }
    },
    place: () => Promise.reject(new Error('nobody asks')),
    changed: (audience) => void changed.push(audience),
    start: () => undefined,
    stop: async () => undefined,
  }
  const find = async (credentials: Caller['credentials']): Promise<Caller> => {
    const { token } = credentials
    if (token === 'late') await made.ready
    if (token === null) return { credentials, actor: anonymous, proof: null }
    if (token === 'away') throw new ServiceError('SERVICE_UNAVAILABLE')
    if (token !== 'good' && token !== 'short' && token !== 'late') throw new ServiceError('INVALID_CREDENTIALS')
    const expires = token === 'short' ? made.expires : null
    return { credentials, actor: ana, proof: { kind: 'token', key: token, expires } }
  }
  const services: SocketServices = {
    engine: { schema: () => mirrorOf([table('tags', { id: 'int4' })]) } as SocketServices['engine'],
    limits,
    procedures: {},
    callers: { find, renew: ({ actor }) => actor, confirm: async () => undefined },
    watch: {
      add(each) {
        watched.add(each)
        return () => watched.delete(each)
      },
      start: () => undefined,
      stop: async () => undefined,
    },
    hub,
    config,
    observe: () => undefined,
  }
  const rest: RestSocket = createRestSocket(services)
  const sockets = createSocketServer({
    endpoints: [rest.endpoint],
    callers: services.callers,
    places: createPlaces(config.userConnections),
    cookies: { sessionCookie: 'session', publicUrl: 'https://example.com', origins: ['https://app.example.com', '*'] },
    addressOf: createClientAddress({ trustProxy: false, addressHeader: null }),
    countRequest: async () => undefined,
    messageSize: config.messageSize ?? 0,
    observe: () => undefined,
  })
  const server: Server = createServer().on('upgrade', sockets.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  rest.start()
  close = async () => {
    rest.stop()
    await sockets.stop()
    server.close()
  }
  const { port } = server.address() as AddressInfo
  const made: Stage = {
    url: `ws://127.0.0.1:${port}/websocket`,
    heard,
    changed,
    watched,
    ready: Promise.resolve(),
    expires: 0,
    sockets,
  }
  return made
}

beforeEach(async () => {
  stage = await createStage()
})
afterEach(() => close())

async function restage(settings: Partial<RealtimeConfig>): Promise<void> {
  await close()
  stage = await createStage(settings)
}

type Message = Readonly<Record<string, unknown>>

interface Client {
  readonly socket: WebSocket
  readonly stream: Socket
  send(message: unknown): void
  /** The next message that was not handed out yet. */
  next(): Promise<Message>
  readonly closed: Promise<readonly [code: number, reason: string]>
}

async function dial(query = '', headers: Record<string, string> = {}): Promise<Client> {
  const socket = new WebSocket(`${stage.url}${query}`, { headers })
  const waiting: Message[] = []
  const wishes: ((message: Message) => void)[] = []
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message
    const wish = wishes.shift()
    if (wish === undefined) waiting.push(message)
    else wish(message)
  })
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]))
  })
  let stream: Socket | null = null
  socket.once('upgrade', (response: IncomingMessage) => (stream = response.socket))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => reject(new Error(`status ${response.statusCode}`)))
    socket.on('error', reject)
  })
  if (stream === null) throw new Error('there was no upgrade')
  return {
    socket,
    stream,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: async () => waiting.shift() ?? new Promise((resolve) => wishes.push(resolve)),
    closed,
  }
}

const good = () => dial('?access_token=good')

async function subscribed(client: Client, uid: string): Promise<Heard> {
  const count = stage.heard.length
  client.send({ type: 'subscribe', collection: 'tags', uid })
  while (stage.heard.length === count) await sleep(5)
  const last = stage.heard.at(-1)
  if (last === undefined) throw new Error('nothing was subscribed to')
  return last
}

const update = (data = '[{"id":1}]'): Told => ({ kind: 'update', data, rows: [], position: 'a-1' })

describe('an upgrade', () => {
  test('elsewhere is not found, and one with wrong credentials is refused', async () => {
    await expect(dial('/more')).rejects.toThrow('status 404')
    await expect(dial('?access_token=wrong')).rejects.toThrow('status 401')
    await expect(dial('?access_token=away')).rejects.toThrow('status 503')
    await expect(dial('?access_token=good', { authorization: 'Bearer good' })).rejects.toThrow('status 400')
  })

  const withCookieOf = (origin: string) => dial('', { cookie: 'session=good', origin })

  test.each(['https://evil.example', '*', 'null'])('with a cookie of a page of %s is refused', async (origin) => {
    await expect(withCookieOf(origin)).rejects.toThrow('status 403')
  })

  test.each(['https://example.com', 'https://app.example.com'])(
    'with a cookie of a page of %s is served',
    async (origin) => {
      const client = await withCookieOf(origin)
      client.send({ type: 'ping' })
      expect(await client.next()).toEqual({ type: 'pong' })
    },
  )

  test('needs a place of the user and of the process, which become free again', async () => {
    const [first] = await Promise.all([good(), good(), good()])
    await expect(good()).rejects.toThrow('status 429')
    first.socket.terminate()
    await sleep(50)
    await good()
    await restage({ restSocketConnections: 1 })
    await good()
    await expect(good()).rejects.toThrow('status 503')
  })
})

describe('signing in', () => {
  test('in time, else the connection ends', async () => {
    await restage({ restSocketAuthTimeout: 0.1 })
    const client = await dial()
    expect(await client.next()).toMatchObject({ type: 'auth', status: 'error', error: { code: 'AUTH_TIMEOUT' } })
    expect(await client.closed).toEqual([4401, ''])
  })

  test('again after the token has run out lets subscriptions go on', async () => {
    stage.expires = Date.now() + 300
    const client = await dial('?access_token=short')
    const { audience } = await subscribed(client, 'a')
    expect(audience.actor()?.user).toBe('ana')
    expect(await client.next()).toMatchObject({ type: 'auth', error: { code: 'TOKEN_EXPIRED' } })
    expect(audience.actor()).toBe(null)
    expect(stage.changed).toEqual([audience, audience])
    client.send({ type: 'subscribe', collection: 'tags', uid: 'b' })
    expect(await client.next()).toMatchObject({ type: 'subscribe', error: { code: 'TOKEN_EXPIRED' }, uid: 'b' })
    client.send({ type: 'auth', access_token: 'good', uid: 1 })
    expect(await client.next()).toEqual({ type: 'auth', status: 'ok', uid: 1 })
    expect(audience.actor()?.user).toBe('ana')
    expect(stage.changed).toEqual([audience, audience, audience])
  })

  test('that runs out while the first subscription begins is told all the same', async () => {
    stage.expires = Date.now() + 300
    const begun = Promise.withResolvers<void>()
    stage.ready = begun.promise
    const client = await dial('?access_token=short')
    client.send({ type: 'subscribe', collection: 'tags', uid: 'a' })
    expect(await client.next()).toMatchObject({ type: 'auth', error: { code: 'TOKEN_EXPIRED' } })
    begun.resolve()
    expect(stage.heard).toHaveLength(1)
    expect(stage.changed).toEqual([stage.heard[0]?.audience, stage.heard[0]?.audience])
  })

  test('that fails where the public may connect leaves the rights of the public', async () => {
    await restage({ restSocketAuth: 'public' })
    const client = await good()
    const { audience } = await subscribed(client, 'a')
    client.send({ type: 'auth', access_token: 'wrong' })
    expect(await client.next()).toMatchObject({ type: 'auth', error: { code: 'AUTH_FAILED' } })
    expect(audience.actor()).toBe(anonymous)
    expect(stage.watched.size).toBe(1)
    const other = await dial('?access_token=wrong')
    expect(await other.next()).toMatchObject({ type: 'auth', error: { code: 'AUTH_FAILED' } })
  })

  test('while the service is not available changes nothing', async () => {
    const client = await good()
    client.send({ type: 'auth', access_token: 'away', uid: 1 })
    expect(await client.next()).toMatchObject({ type: 'auth', error: { code: 'SERVICE_UNAVAILABLE' }, uid: 1 })
    client.send({ type: 'ping' })
    expect(await client.next()).toEqual({ type: 'pong' })
  })

  test('ends with the credentials', async () => {
    const client = await good()
    for (const { lost } of stage.watched) lost()
    expect(await client.closed).toEqual([4401, ''])
    await sleep(20)
    expect(stage.watched.size).toBe(0)
  })
})

describe('a subscription', () => {
  test('is told under its name, replaced by the same name, and closed with its connection', async () => {
    const client = await good()
    const first = await subscribed(client, 'a')
    first.tell(update())
    expect(await client.next()).toMatchObject({ event: 'update', data: [{ id: 1 }], uid: 'a', position: 'a-1' })
    const second = await subscribed(client, 'a')
    expect([first.isClosed, second.isClosed]).toEqual([true, false])
    client.socket.terminate()
    await sleep(50)
    expect(second.isClosed).toBe(true)
  })

  test('that the hub ends makes room for another', async () => {
    const client = await good()
    const first = await subscribed(client, 'a')
    await subscribed(client, 'b')
    client.send({ type: 'subscribe', collection: 'tags', uid: 'c' })
    expect(await client.next()).toMatchObject({ type: 'subscribe', error: { code: 'LIMIT_EXCEEDED' }, uid: 'c' })
    first.tell({ kind: 'error', error: new ServiceError('FORBIDDEN') })
    expect(await client.next()).toMatchObject({ type: 'subscribe', error: { code: 'FORBIDDEN' }, uid: 'a' })
    await subscribed(client, 'c')
  })

  test.each([
    [{}, 'INVALID_PAYLOAD'],
    [{ collection: 'hidden' }, 'FORBIDDEN'],
    [{ collection: 'tags', event: 'burn' }, 'INVALID_PAYLOAD'],
    [{ collection: 'tags', from: 'yesterday' }, 'INVALID_PAYLOAD'],
    [{ collection: 'tags', live: true, event: 'create' }, 'INVALID_PAYLOAD'],
    [{ collection: 'tags', nonsense: 1 }, 'INVALID_PAYLOAD'],
    [{ collection: 'tags', query: { nonsense: 1 } }, 'INVALID_QUERY'],
    [{ collection: 'tags', query: { export: 'csv' } }, 'INVALID_QUERY'],
  ])('%j is %s', async (message, code) => {
    const client = await good()
    client.send({ type: 'subscribe', ...message, uid: 1 })
    expect(await client.next()).toMatchObject({ type: 'subscribe', status: 'error', error: { code }, uid: 1 })
  })
})

describe('limits', () => {
  test('who does not read is ended with 1013 after what may wait, and others are not held up', async () => {
    const [slow, quick] = [await good(), await good()]
    const subscriptions = [await subscribed(slow, 'a'), await subscribed(quick, 'a')]
    slow.stream.pause()
    const told = update(JSON.stringify('x'.repeat(10_000)))
    // Five at once are sent without a pause between them.
    const five = [1, 2, 3, 4, 5]
    for (let n = 0; n < 200; n += 1) {
      for (const { tell } of subscriptions) for (const _ of five) tell(told)
      for (const _ of five) await quick.next()
    }
    while (!subscriptions[0]?.isClosed) {
      slow.stream.resume()
      await sleep(20)
    }
    // It may have been ended before the loop; the code arrives only at a reader.
    slow.stream.resume()
    expect((await slow.closed)[0]).toBe(1013)
    expect(quick.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('who asks for something and reads nothing for a period is ended', async () => {
    await restage({ heartbeatPeriod: 0.5 })
    const client = await good()
    const subscription = await subscribed(client, 'a')
    client.stream.pause()
    subscription.tell(update(JSON.stringify('x'.repeat(50_000_000))))
    client.send({ type: 'ping' })
    await expect.poll(() => subscription.isClosed, { timeout: 20_000 }).toBe(true)
    client.socket.terminate()
  })

  test('who has read everything gets a message of any size', async () => {
    const client = await good()
    const { tell } = await subscribed(client, 'a')
    for (let n = 0; n < 3; n += 1) {
      tell(update(JSON.stringify('x'.repeat(5_000_000))))
      tell(update())
      expect(String((await client.next())['data']).length).toBe(5_000_000)
      expect(await client.next()).toMatchObject({ data: [{ id: 1 }] })
    }
  })

  test('too many messages in a second are refused, each with its uid', async () => {
    const client = await good()
    for (let n = 1; n <= 51; n += 1) client.send({ type: 'ping', uid: n })
    for (let n = 1; n <= 50; n += 1) await client.next()
    expect(await client.next()).toMatchObject({ type: 'server', error: { code: 'REQUESTS_EXCEEDED' }, uid: 51 })
    await sleep(SECOND)
    client.send({ type: 'ping' })
    expect(await client.next()).toEqual({ type: 'pong' })
  })

  test('who answers no ping is ended', async () => {
    await restage({ heartbeatPeriod: 0.3 })
    const [silent, talking] = [await good(), await good()]
    const talk = setInterval(() => talking.send({ type: 'pong' }), 100)
    expect(await silent.next()).toEqual({ type: 'ping' })
    expect(await silent.closed).toEqual([4408, ''])
    clearInterval(talk)
    expect(talking.socket.readyState).toBe(WebSocket.OPEN)
  })
})

test('at the end clients are told to come back, and when', async () => {
  const client = await good()
  await stage.sockets.stop()
  const [code, reason] = await client.closed
  expect(code).toBe(1012)
  expect(Number(reason)).toBeGreaterThanOrEqual(0)
  expect(Number(reason)).toBeLessThanOrEqual(5000)
  await expect(good()).rejects.toThrow('status 503')
})

test('at the end nobody comes in who was on the way', async () => {
  const found = Promise.withResolvers<void>()
  stage.ready = found.promise
  const late = dial('?access_token=late').then(
    () => 'open',
    (error: Error) => error.message,
  )
  await sleep(100)
  await stage.sockets.stop()
  found.resolve()
  expect(await late).toBe('status 503')
})

describe('hostile frames', () => {
  const headOf = (first: number, length: number) => Buffer.from([first, 0x80 | length, 0, 0, 0, 0])

  test.each([
    ['reserved bits', headOf(0xf1, 0), 1002],
    ['an unknown opcode', headOf(0x83, 0), 1002],
    ['no mask', Buffer.from([0x81, 0x00]), 1002],
    ['a long control frame', Buffer.from([0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0]), 1002],
    ['a continuation of nothing', headOf(0x80, 0), 1002],
    ['text that is no UTF-8', Buffer.concat([headOf(0x81, 2), Buffer.from([0xc3, 0x28])]), 1007],
    ['a length of petabytes', Buffer.from([0x81, 0xff, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1009],
    ['a close code that is none', Buffer.concat([headOf(0x88, 2), Buffer.from([0x00, 0x05])]), 1002],
  ])('%s ends its connection, and no other', async (_, bytes, code) => {
    const [other, client] = [await good(), await good()]
    client.stream.write(bytes)
    expect((await client.closed)[0]).toBe(code)
    other.send({ type: 'ping', uid: 1 })
    expect(await other.next()).toEqual({ type: 'pong', uid: 1 })
  })

  test('many fragments are no way around the limit', async () => {
    const client = await good()
    client.socket.send('x'.repeat(6000), { fin: false })
    client.socket.send('x'.repeat(6000), { fin: true })
    expect((await client.closed)[0]).toBe(1009)
  })
})
