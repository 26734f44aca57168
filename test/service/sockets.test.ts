import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, openService, TOKEN, type Answer, type Service } from '../lib/service.ts'
import { cookieHeader, login, makePerson, makeRole, post, tokensOf, type Person } from './accounts.ts'
import { loadFixture } from './fixture.ts'

let database: TestDatabase
let service: Service
let replica: Service
let role: string

beforeAll(async () => {
  database = await createDatabase()
  await loadFixture(database)
  const environment = { DATABASE_URL: database.url, LOGIN_STALL_TIME: '5', WEBSOCKETS_ENABLED: 'true' }
  service = await openService(environment)
  replica = await openService(environment)
  role = await makeRole(database, { grants: ['tags'] })
})

afterAll(async () => {
  await Promise.all([service.stop(), replica.stop()])
  await database.drop()
})

type Message = Readonly<Record<string, unknown>>

interface Client {
  readonly socket: WebSocket
  ask(message: object): Promise<Message>
  next(): Promise<Message>
  readonly closed: Promise<number>
}

async function dial(query = '', headers: Record<string, string> = {}, at = service): Promise<Client> {
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}/websocket${query}`, { headers })
  const arrived: Message[] = []
  const wishes: ((message: Message) => void)[] = []
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message
    const wish = wishes.shift()
    if (wish === undefined) arrived.push(message)
    else wish(message)
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await once(socket, 'open')
  const next = async () => arrived.shift() ?? new Promise<Message>((resolve) => wishes.push(resolve))
  return {
    socket,
    next,
    ask: (message) => {
      socket.send(JSON.stringify(message))
      return next()
    },
    closed,
  }
}

/** The code that a connection ends with, if it does at all: how soon is a matter of the acceptance suite. */
const endOf = ({ closed }: Client): Promise<number | null> =>
  Promise.race([closed, new Promise<null>((resolve) => setTimeout(() => resolve(null), 15_000))])

const withToken = (token: string, at = service) => dial(`?access_token=${encodeURIComponent(token)}`, {}, at)
const reader = () => makePerson(database, { role })
const read = { type: 'items', collection: 'tags', action: 'read', query: { fields: ['id'], limit: 1 } }

describe('credentials that end', () => {
  const changes: Readonly<Record<string, (person: Person) => Promise<Answer>>> = {
    'a suspended user': ({ id }) => service.send('PATCH', `/users/${id}`, { status: 'suspended' }),
    'a deleted user': ({ id }) => service.send('DELETE', `/users/${id}`),
    'a replaced token': ({ id }) => service.send('PATCH', `/users/${id}`, { token: `other-token-of-${id}` }),
  }

  test.each(Object.keys(changes))('%s loses the connections of every process', async (name) => {
    const person = await reader()
    const clients = [await withToken(person.token), await withToken(person.token, replica)]
    for (const client of clients) expect(await client.ask(read)).toMatchObject({ type: 'items', data: [{}] })
    const answer = await changes[name]?.(person)
    expect(answer?.status).toBeLessThan(300)
    expect(await Promise.all(clients.map(endOf))).toEqual([4401, 4401])
  })

  test('a logout ends the connections of its login, and no others', async () => {
    const person = await reader()
    const [one, other] = [await tokensOf(service, person), await tokensOf(service, person)]
    const clients = [await withToken(one.access_token), await withToken(one.access_token, replica)]
    const kept = await withToken(other.access_token)
    await post(service, '/auth/logout', { refresh_token: one.refresh_token, mode: 'json' })
    expect(await Promise.all(clients.map(endOf))).toEqual([4401, 4401])
    expect(await kept.ask(read)).toMatchObject({ type: 'items', data: [{}] })
  })

  test('a session that ends takes its connections along', async () => {
    const cookie = cookieHeader(await login(service, await reader(), { mode: 'session' }))
    const client = await dial('', { cookie })
    expect(await client.ask(read)).toMatchObject({ type: 'items', data: [{}] })
    await post(service, '/auth/logout', { mode: 'session' }, { headers: { cookie } })
    expect(await endOf(client)).toBe(4401)
  })
})

describe('signing in by messages', () => {
  test('with address and password, then with the refresh token', async () => {
    const { email, password } = await reader()
    const client = await dial()
    const first = await client.ask({ type: 'auth', email, password, uid: 1 })
    expect(first).toMatchObject({ type: 'auth', status: 'ok', uid: 1 })
    const second = await client.ask({ type: 'auth', refresh_token: first['refresh_token'], uid: 2 })
    expect(second).toMatchObject({ type: 'auth', status: 'ok', uid: 2 })
    expect(second['refresh_token']).not.toBe(first['refresh_token'])
    expect(await client.ask(read)).toMatchObject({ type: 'items', data: [{}] })
  })

  test.each([
    {},
    { email: 'nobody@example.com', password: 'x' },
    { refresh_token: 5 },
    { access_token: 'x', extra: 1 },
  ])('%j fails', async (credentials) => {
    const client = await dial()
    expect(await client.ask({ type: 'auth', ...credentials })).toMatchObject({ error: { code: 'AUTH_FAILED' } })
    expect(await endOf(client)).toBe(4401)
  })
})

describe('items', () => {
  test('are created, changed, read and deleted', async () => {
    const client = await withToken(TOKEN)
    const items = (members: object) => client.ask({ type: 'items', collection: 'tags', ...members })
    const [made] = (
      await items({ action: 'create', data: [{ name: 'by socket' }], query: { fields: ['id', 'name'] } })
    )['data'] as readonly { id: number; name: string }[]
    const id = made?.id
    expect(made?.name).toBe('by socket')
    const changed = await items({ action: 'update', id, data: { name: 'changed' }, query: { fields: ['name'] } })
    expect(changed).toEqual({ type: 'items', data: { name: 'changed' } })
    expect(await items({ action: 'delete', query: { filter: { name: { _eq: 'changed' } } } })).toEqual({
      type: 'items',
      data: [id],
    })
    expect(await items({ action: 'read', id })).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('are all written only by "all"', async () => {
    const client = await withToken(TOKEN)
    const items = (members: object) => client.ask({ type: 'items', collection: 'tags', ...members })
    const data = { name: 'all' }
    for (const [members, code] of [
      [{ action: 'update', data }, 'INVALID_PAYLOAD'],
      [{ action: 'delete' }, 'INVALID_PAYLOAD'],
      [{ action: 'update', data, query: { fields: ['id'] } }, 'INVALID_QUERY'],
      [{ action: 'delete', query: {} }, 'INVALID_QUERY'],
      [{ action: 'delete', all: false, query: {} }, 'INVALID_PAYLOAD'],
      [{ action: 'delete', all: true, ids: [1] }, 'INVALID_PAYLOAD'],
      [{ action: 'update', all: true, id: 1, data }, 'INVALID_PAYLOAD'],
      [{ action: 'update', all: true, data: [{ id: 1 }] }, 'INVALID_PAYLOAD'],
      [{ action: 'delete', all: true, query: { search: 'a' } }, 'INVALID_PAYLOAD'],
      [{ action: 'read', all: true }, 'INVALID_PAYLOAD'],
    ] as const)
      expect([members, await items(members)]).toMatchObject([members, { error: { code } }])
    const first = { sort: ['id'], limit: 1, fields: ['name'] }
    expect(await items({ action: 'update', all: true, data, query: first })).toMatchObject({ data: [data] })
  })
})

describe('a stream of events', () => {
  test('begins with the rows, tells changes, and ends with its token', async () => {
    const person = await reader()
    const answer = await fetch(`${service.url}/realtime/items/tags?fields=name&limit=1&envelope=true`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const stream = answer.body?.pipeThrough(new TextDecoderStream())
    let heard = ''
    const reading = (async () => {
      for await (const chunk of stream ?? []) heard += chunk
    })()
    dataOf(await service.send('POST', '/items/tags', { name: 'streamed' }))
    await expect.poll(() => heard, { timeout: 5000 }).toContain('"name":"streamed"')
    expect(heard).toMatch(
      /^retry: 2000\n\nevent: init\nid: [0-9a-z]+-\d+\ndata: \{"type":"subscription","event":"init"/u,
    )
    dataOf(await service.send('PATCH', `/users/${person.id}`, { status: 'suspended' }))
    await reading
  })

  test('is refused like any other read', async () => {
    const statusOf = async (path: string, headers: Record<string, string> = {}) =>
      (await service.get(`/realtime/items/${path}`, { headers })).status
    expect(await statusOf('nothing')).toBe(403)
    expect(await statusOf('tags?nonsense=1')).toBe(400)
    expect(await statusOf('tags?from=yesterday')).toBe(400)
    expect(await statusOf('tags?live=perhaps')).toBe(400)
    expect(await statusOf('tags', { 'last-event-id': 'yesterday' })).toBe(400)
    expect((await service.send('HEAD', '/realtime/items/tags')).status).toBe(404)
  })
})

test('an upgrade to something else is an ordinary request', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.write('GET /server/ping HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK/u)
})
