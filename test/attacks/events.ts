import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { until, type Service } from '../lib/service.ts'
import { grant, type Person, type Row, type Stage } from './stage.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

/** Everything that a subscriber was sent, as one text. */
interface Heard {
  readonly text: () => string
  readonly isEnded: () => boolean
  readonly close: () => void
}

const socketAddress = ({ url }: Service, path: string) => `${url.replace('http', 'ws')}${path}`

/** Sends each group of messages after the answer to the one before. */
function socketOf(address: string, groups: readonly (readonly Row[])[], protocol?: string): Heard {
  const socket = new WebSocket(address, protocol === undefined ? [] : [protocol])
  let [text, isEnded] = ['', false]
  const waiting = [...groups]
  const next = () => {
    for (const message of waiting.shift() ?? []) socket.send(JSON.stringify(message))
  }
  socket.on('open', next)
  socket.on('message', (data: Buffer) => {
    text += data.toString()
    next()
  })
  socket.on('close', () => (isEnded = true))
  socket.on('error', () => (isEnded = true))
  return { text: () => text, isEnded: () => isEnded, close: () => socket.terminate() }
}

async function streamOf(service: Service, path: string, headers: Readonly<Record<string, string>>): Promise<Heard> {
  const leaving = new AbortController()
  const { status, body } = await fetch(`${service.url}${path}`, { headers, signal: leaving.signal })
  mustHold(`the stream begins: ${status}`, status === 200)
  let [text, isEnded] = ['', false]
  const read = async () => {
    for await (const part of body ?? []) text += Buffer.from(part as Uint8Array).toString()
  }
  void read()
    .catch(() => undefined)
    .finally(() => (isEnded = true))
  return { text: () => text, isEnded: () => isEnded, close: () => leaving.abort() }
}

/** Everything that somebody with a token can listen with. */
async function listenersOf(service: Service, { token }: Person): Promise<ReadonlyMap<string, Heard>> {
  const headers = { authorization: `Bearer ${token}` }
  const groups = [[{ type: 'auth', access_token: token }], [{ type: 'subscribe', collection: 'people' }]]
  const listeners = new Map([
    ['a socket', socketOf(socketAddress(service, '/websocket'), groups)],
    ['a stream', await streamOf(service, '/realtime/items/people', headers)],
    ['a stream of whole messages', await streamOf(service, '/realtime/items/people?envelope=true', headers)],
    ['a live query', await streamOf(service, '/realtime/items/people?live=true', headers)],
  ])
  await until(async () => [...listeners.values()].every(({ text }) => text().includes('init')), 20, 'all have begun')
  // Its protocol does not tell that it has begun, but changes of a collection that is listened to are told from its arrival on.
  const query = 'subscription { people_mutated { key event data { title } } }'
  const subscribed = [{ type: 'subscribe', id: '1', payload: { query } }, { type: 'ping' }]
  const connected = [{ type: 'connection_init', payload: { access_token: token } }]
  const graphql = socketOf(socketAddress(service, '/graphql'), [connected, subscribed], 'graphql-transport-ws')
  await until(async () => graphql.text().includes('pong'), 20, 'GraphQL has arrived')
  return listeners.set('GraphQL', graphql)
}

/** A receiver of webhooks. */
async function openReceiver(): Promise<Heard & { readonly url: string; readonly bodies: readonly string[] }> {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      bodies.push(body)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, bodies, text: () => bodies.join('\n'), isEnded: () => false, close }
}

const hiddenKeys = attack(
  'J1',
  'keys that may not be read, in subscriptions and in deliveries under a user',
  async ({ person, withService, admin }, verdict) => {
    const reader = await person([
      grant('people', 'read', { fields: ['title'], permissions: { hidden: { _neq: 'yes' } } }),
    ])
    const settings = { WEBSOCKETS_ENABLED: 'true', WEBHOOKS_ENABLED: 'true', WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1' }
    await withService(settings, async (service) => {
      const receiver = await openReceiver()
      const hook = { name: 'hook', url: receiver.url, collections: ['people'], user: reader.id }
      const made = works('a webhook', await service.send('POST', '/webhooks', hook))
      const { id } = (made.body as { data: Row }).data
      const listeners = await listenersOf(service, reader)
      try {
        const write = async (method: string, path: string, body?: unknown) =>
          works(`${method} ${path}`, await service.send(method, path, body))
        await write('POST', '/items/people', [
          { social_number: 'SSN-1', title: 'Ann', hidden: 'no' },
          { social_number: 'SSN-2', title: 'Bob', hidden: 'no' },
        ])
        await until(async () => [...listeners.values()].every(({ text }) => text().includes('Bob')), 20, 'creates')
        await write('PATCH', '/items/people/SSN-1', { title: 'Anna' })
        await until(async () => [...listeners.values()].every(({ text }) => text().includes('Anna')), 20, 'updates')
        await write('PATCH', '/items/people/SSN-1', { hidden: 'yes' })
        await write('DELETE', '/items/people/SSN-2')
        const deletes = ({ text }: Heard) => text().match(/delete/gu)?.length ?? 0
        const toldDeletes = [...listeners].filter(([name]) => name !== 'a live query')
        await until(async () => toldDeletes.every(([, heard]) => deletes(heard) >= 2), 20, 'deletes')
        await until(async () => deletes(receiver) >= 1, 20, 'a delivery of the delete')
        for (const [name, { text }] of [...listeners, ['a webhook', receiver] as const])
          verdict.holds(`${name} tells a key: ${text().match(/.{0,80}SSN-.{0,20}/u)?.[0]}`, !text().includes('SSN-'))
        verdict.holds(
          `deliveries have keys: ${receiver.text()}`,
          receiver.bodies.every((body) => body.includes('"key":null')),
        )
      } finally {
        for (const { close } of listeners.values()) close()
        receiver.close()
        works('no webhook', await admin.send('DELETE', `/webhooks/${String(id)}`))
      }
    })
  },
)

/** Seconds: the service promises two, and the machine may be busy. */
const PATIENCE = 10

const outlivedView = attack(
  'J7b',
  'a stream with X-View-As, opened by an administrator who is none any more',
  async ({ person, withService, service: other, admin }, verdict) => {
    const reader = await person([grant('people', 'read')])
    await withService({ WEBSOCKETS_ENABLED: 'true' }, async (service) => {
      for (const query of ['', '&live=true']) {
        const former = await person([], { admin_access: true, app_access: true })
        const headers = { authorization: `Bearer ${former.token}`, 'x-view-as': reader.id }
        const heard = await streamOf(service, `/realtime/items/people?fields=title${query}`, headers)
        const add = async (title: string) => {
          const row = { social_number: `view ${title}${query}`, title: `${title}${query}` }
          works(title, await other.send('POST', '/items/people', row))
        }
        await until(async () => heard.text().includes('event: init'), 20, 'it begins')
        await add('before')
        await until(async () => heard.text().includes(`"before${query}"`), 20, 'it tells rows')
        works('the end of the role', await admin.send('PATCH', `/users/${former.id}`, { role: null }))
        await add('after')
        const ends = until(async () => heard.isEnded(), PATIENCE, 'it ends')
        const isEnded = await ends.then(
          () => true,
          () => false,
        )
        heard.close()
        verdict.holds(`it goes on for ${PATIENCE} s`, isEnded)
        verdict.holds(`it tells rows: ${heard.text()}`, !heard.text().includes(`"after${query}"`))
        verdict.holds(
          `it does not end with FORBIDDEN: ${heard.text()}`,
          /event: error\ndata: .*FORBIDDEN/u.test(heard.text()),
        )
      }
    })
  },
)

const DESCRIPTIONS = [
  '/server/specs/oas',
  '/server/specs/oas?openapi=3.2',
  '/server/specs/schema',
  '/server/specs/graphql',
  '/server/specs/graphql/system',
  '/llms.txt',
  '/server/app',
  '/server/info',
  '/',
  '/collections',
  '/fields',
  '/relations',
  '/fields/people',
  '/permissions/me',
  '/items/people?fields=*.*',
  '/server/ping',
  '/server/health',
  '/docs/api',
  '/activity',
  '/metrics',
  '/admin/',
]

const INTROSPECTION =
  '{ __schema { types { name fields { name description } inputFields { name } enumValues { name } } } }'

async function versionOf(service: Service, token: string | null): Promise<string | null> {
  return (await service.get('/server/info', { token })).headers.get('x-schema-version')
}

const hiddenChanges = attack(
  'J20',
  'names of hidden columns, and changes of hidden tables, in what the service says of itself',
  async ({ database, person, withService }: Stage, verdict) => {
    const reader = await person([grant('people', 'read', { fields: ['title'] })])
    await withService({ SCHEMA_POLL_INTERVAL: '100' }, async (service) => {
      for (const [who, token] of [
        ['the public', null],
        ['a reader', reader.token],
      ] as const)
        for (const path of [...DESCRIPTIONS, '/graphql', '/graphql/system']) {
          const { text } = path.startsWith('/graphql')
            ? await service.send('POST', path, { query: INTROSPECTION }, { token })
            : await service.get(path, { token })
          verdict.holds(`${path} tells ${who} the column`, !text.includes('social_number'))
          verdict.holds(
            `${path} tells ${who} the table`,
            token !== null || path.includes('people') || !text.includes('people'),
          )
        }
      const fields = await service.get('/fields/people')
      mustHold('an administrator is told the column', fields.text.includes('social_number'))
      const answersOf = (path: string) => service.get(path, { token: null })
      const seen = async () =>
        JSON.stringify(
          await Promise.all(
            ['/server/ping', '/items/people', '/nowhere', '/collections'].map(async (path) => {
              const { headers, text } = await answersOf(path)
              return [path, text, headers.get('etag'), headers.get('x-schema-version')]
            }),
          ),
        )
      const [version, before] = [await versionOf(service, reader.token), await seen()]
      await database.query('alter table people add column more integer')
      await until(async () => (await versionOf(service, reader.token)) !== version, 20, 'signed-in callers learn of it')
      verdict.holds(`the public learns of it: ${before} ${await seen()}`, before === (await seen()))
    })
  },
)

export const eventAttacks: readonly Attack[] = [hiddenKeys, outlivedView, hiddenChanges]
