import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { fakeService, json, refusal } from './fake-service.ts'
import { createClient, isTainError, type ClientOptions } from './index.ts'
import { realtime, type RealtimeOptions } from './realtime.ts'

type Message = Readonly<Record<string, unknown>>

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Line {
  readonly socket: ServerSocket
  readonly address: string
  readonly next: () => Promise<Message>
  readonly send: (message: Message) => void
}

/** A service that the test speaks for. */
async function serve() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const waiting: Line[] = []
  let wake = () => {}
  server.on('connection', (socket, request) => {
    const heard: Message[] = []
    let tell = () => {}
    socket.on('message', (data: Buffer) => {
      heard.push(JSON.parse(data.toString()) as Message)
      tell()
    })
    waiting.push({
      socket,
      address: request.url ?? '',
      send: (message) => socket.send(JSON.stringify(message)),
      async next() {
        while (heard.length === 0) await new Promise<void>((resolve) => (tell = resolve))
        return heard.shift() ?? {}
      },
    })
    wake()
  })
  ends.push(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async line(): Promise<Line> {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return waiting.shift() as Line
    },
    /** A connection that has signed in. */
    async signedIn(token = 'token'): Promise<Line> {
      const line = await this.line()
      expect(await line.next()).toEqual({ type: 'auth', access_token: token })
      line.send({ type: 'auth', status: 'ok' })
      return line
    },
  }
}

function live(url: string, options: RealtimeOptions = {}, auth: ClientOptions['auth'] = 'token') {
  const made = realtime(createClient({ url, auth }), options)
  ends.push(made.close)
  return made
}

const told = (event: string, position: string, more: Message = {}): Message => ({
  type: 'subscription',
  event,
  uid: '1',
  position,
  ...more,
})

describe('a subscription', () => {
  test('gives events, and is ended by its reader', async () => {
    const service = await serve()
    const orders = live(service.url).subscribe('orders', { fields: ['id'] })
    const line = await service.signedIn()
    expect(await line.next()).toEqual({
      type: 'subscribe',
      collection: 'orders',
      query: { fields: ['id'] },
      uid: '1',
      positions: true,
    })
    line.send(told('init', 'e-1', { data: [{ id: 1 }] }))
    line.send(told('create', 'e-2', { data: [{ id: 2 }] }))
    line.send(told('delete', 'e-3', { data: [1] }))
    line.send(told('position', 'e-9'))
    expect((await orders.next()).value).toEqual({ event: 'init', position: 'e-1', data: [{ id: 1 }] })
    expect((await orders.next()).value).toEqual({ event: 'create', position: 'e-2', data: [{ id: 2 }] })
    expect((await orders.next()).value).toEqual({ event: 'delete', position: 'e-3', data: [1] })
    await expect.poll(() => orders.position).toBe('e-9')
    const next = orders.next()
    await orders.return?.()
    expect((await next).done).toBe(true)
    expect(await line.next()).toEqual({ type: 'unsubscribe', uid: '1' })
    await once(line.socket, 'close')
  })

  test('answers pings, and asks for one kind, a position, or live results', async () => {
    const service = await serve()
    const { subscribe } = live(service.url)
    subscribe('orders', {}, { event: 'delete', from: 'e-5' })
    subscribe('orders', { limit: 3 }, { live: true })
    const line = await service.signedIn()
    expect(await line.next()).toMatchObject({ uid: '1', event: 'delete', from: 'e-5' })
    expect(await line.next()).toEqual({
      type: 'subscribe',
      collection: 'orders',
      query: { limit: 3 },
      uid: '2',
      live: true,
    })
    line.send({ type: 'ping' })
    expect(await line.next()).toEqual({ type: 'pong' })
  })

  test('throws what the service refuses it with, and others go on', async () => {
    const service = await serve()
    const { subscribe } = live(service.url)
    const [secret, orders] = [subscribe('secrets'), subscribe('orders')]
    const line = await service.signedIn()
    line.send({ type: 'subscribe', status: 'error', uid: '1', error: { code: 'FORBIDDEN', message: 'No.' } })
    line.send({ ...told('init', 'e-1', { data: [] }), uid: '2' })
    await expect(secret.next()).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'No.' })
    expect((await secret.next()).done).toBe(true)
    expect((await orders.next()).value).toMatchObject({ event: 'init' })
  })

  test('is asked for again if the service is busy', async () => {
    const service = await serve()
    const orders = live(service.url).subscribe('orders')
    const line = await service.signedIn()
    await line.next()
    line.send({ type: 'subscribe', status: 'error', uid: '1', error: { code: 'REQUESTS_EXCEEDED', message: 'Later.' } })
    expect(await line.next()).toMatchObject({ type: 'subscribe', uid: '1' })
    line.send(told('init', 'e-1', { data: [] }))
    expect((await orders.next()).value).toMatchObject({ event: 'init' })
  })

  test('ends with its signal, and without an error with the client', async () => {
    const service = await serve()
    const { subscribe, close } = live(service.url)
    const [stop, done] = [new AbortController(), AbortSignal.abort(new Error('before'))]
    const [one, other, never] = [
      subscribe('orders', {}, { signal: stop.signal }),
      subscribe('orders'),
      subscribe('orders', {}, { signal: done }),
    ]
    await service.signedIn()
    const next = one.next()
    stop.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    await expect(never.next()).rejects.toThrow('before')
    close()
    expect((await other.next()).done).toBe(true)
  })
})

describe('after a break', () => {
  test.each([
    ['a network loss', (line: Line) => line.socket.terminate()],
    ['a restart', (line: Line) => line.socket.close(1012, '20')],
    ['a slow reader', (line: Line) => line.socket.close(1013)],
  ])('of %s it goes on from the last position, without a word', async (_, cut) => {
    const service = await serve()
    const states: string[] = []
    const orders = live(service.url, { onConnection: (state) => states.push(state) }).subscribe('orders')
    const line = await service.signedIn()
    line.send(told('init', 'e-1', { data: [] }))
    line.send(told('create', 'e-4', { data: [{ id: 1 }] }))
    await orders.next()
    await orders.next()
    cut(line)
    const back = await service.signedIn()
    expect(await back.next()).toMatchObject({ type: 'subscribe', uid: '1', from: 'e-4' })
    back.send(told('init', 'e-4', { resumed: true }))
    back.send(told('update', 'e-5', { data: [{ id: 1 }] }))
    expect((await orders.next()).value).toMatchObject({ event: 'update', position: 'e-5' })
    expect(states).toEqual(['open', 'lost', 'open'])
  })

  test('it tells that changes may be missing', async () => {
    const service = await serve()
    const orders = live(service.url).subscribe('orders')
    const line = await service.signedIn()
    line.send(told('init', 'e-1', { data: [] }))
    await orders.next()
    line.socket.terminate()
    const back = await service.signedIn()
    back.send(told('init', 'f-0', { resumed: false, data: [{ id: 7 }] }))
    expect((await orders.next()).value).toEqual({ event: 'init', position: 'f-0', resumed: false, data: [{ id: 7 }] })
  })

  test('a live query begins anew', async () => {
    const service = await serve()
    const orders = live(service.url).subscribe('orders', {}, { live: true })
    const line = await service.signedIn()
    await line.next()
    line.send(told('init', 'e-1', { data: [] }))
    await orders.next()
    line.socket.terminate()
    const back = await service.signedIn()
    expect(await back.next()).toEqual({ type: 'subscribe', collection: 'orders', query: {}, uid: '1', live: true })
  })

  test('a connection that is silent is left', async () => {
    const service = await serve()
    live(service.url, { heartbeat: 50 }).subscribe('orders')
    const line = await service.signedIn()
    await line.next()
    expect(await line.next()).toEqual({ type: 'ping' })
    await service.signedIn()
  })

  test('it gives up after so many attempts, and at once if its own message was the reason', async () => {
    const service = await serve()
    const orders = live(service.url).subscribe('orders')
    ;(await service.signedIn()).socket.close(1009)
    await expect(orders.next()).rejects.toMatchObject({ code: 'NETWORK' })
    const nowhere = live('http://127.0.0.1:1', { retries: 1 }).subscribe('orders')
    await expect(nowhere.next()).rejects.toMatchObject({ code: 'NETWORK' })
  })
})

describe('signing in', () => {
  test('a wrong token ends all subscriptions', async () => {
    const service = await serve()
    const orders = live(service.url).subscribe('orders')
    const line = await service.line()
    await line.next()
    line.send({ type: 'auth', status: 'error', error: { code: 'INVALID_CREDENTIALS', message: 'No.' } })
    line.socket.close(4401)
    const error = await orders.next().then(null, (thrown: unknown) => thrown)
    expect(isTainError(error, 'INVALID_CREDENTIALS')).toBe(true)
  })

  test('a function is asked for another token when one has run out', async () => {
    const service = await serve()
    let count = 0
    const orders = live(service.url, {}, () => `token-${(count += 1)}`).subscribe('orders')
    const line = await service.signedIn('token-1')
    line.send(told('init', 'e-3', { data: [] }))
    await orders.next()
    line.send({ type: 'auth', status: 'error', error: { code: 'TOKEN_EXPIRED', message: 'Expired.' } })
    const back = await service.line()
    expect(await back.next()).toMatchObject({
      type: 'auth',
      access_token: expect.stringMatching(/^token-[23]$/u) as string,
    })
    back.send({ type: 'auth', status: 'ok' })
    expect(await back.next()).toMatchObject({ from: 'e-3' })
  })

  test('a session renews its token on the open connection, before it runs out', async () => {
    const service = await serve()
    let number = 0
    const { fetch } = fakeService(({ url }) => {
      if (!url.includes('/auth/')) return refusal(401, 'INVALID_CREDENTIALS')
      number += 1
      return json({ data: { access_token: `access-${number}`, refresh_token: 'r', expires: 1500 } })
    })
    const client = createClient({ url: service.url, fetch })
    await client.login({ email: 'a@b.c', password: 'secret' })
    const { subscribe, close } = realtime(client)
    ends.push(close)
    subscribe('orders')
    const line = await service.signedIn('access-1')
    await line.next()
    expect(await line.next()).toEqual({ type: 'auth', access_token: 'access-2' })
  })

  test('a strict service gets the token in the address', async () => {
    const service = await serve()
    live(service.url, { authMode: 'strict', path: '/socket' }).subscribe('orders')
    const line = await service.line()
    expect(line.address).toBe('/socket?access_token=token')
    expect(await line.next()).toMatchObject({ type: 'subscribe' })
  })

  test('without credentials nothing is sent before the subscriptions', async () => {
    const service = await serve()
    const { subscribe, close } = realtime(createClient({ url: service.url }))
    ends.push(close)
    subscribe('orders')
    expect(await (await service.line()).next()).toMatchObject({ type: 'subscribe' })
  })
})
