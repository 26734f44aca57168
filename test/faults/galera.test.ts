import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import mysql2 from 'mysql2/promise'
import { codeOf, dataOf, SECRET, startService, until, type Service } from '../lib/service.ts'
import { startGalera, type Galera } from './galera.ts'

/** npm run verify galera makes more. */
const ROUNDS = Number(process.env['GALERA_ROUNDS'] ?? 6)
let galera: Galera
let services: readonly Service[] = []

beforeAll(async () => {
  galera = await startGalera()
  const [first = '', second = ''] = galera.nodes.map(({ url }) => url)
  const connection = await mysql2.createConnection(first)
  await connection.query('create table notes (id bigint auto_increment primary key, ref varchar(64) not null, n int)')
  await connection.end()
  services = await Promise.all([first, second].map((url) => startService({ DATABASE_URL: url, SECRET })))
}, 180_000)

afterAll(async () => {
  await Promise.all(services.map((each) => each.stop()))
  await galera?.destroy()
})

const on = (at: number): Service => services[at]!
const both = <T>(ask: (service: Service, at: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(services.map((service, at) => ask(service, at)))
const rounds = Array.from({ length: ROUNDS }, (_, at) => at)

describe('two replicas on two nodes of a Galera cluster', { timeout: 60_000 + ROUNDS * 2000 }, () => {
  test('a row that one has written is there at the other at once', async () => {
    for (const n of rounds) {
      const { id } = dataOf(await on(0).send('POST', '/items/notes', { ref: `row ${n}`, n })) as { id: string }
      expect((await on(1).get(`/items/notes/${id}`)).status).toBe(200)
    }
  })

  test('a permission that one has revoked is not there at the other, while rows are written in bulk', async () => {
    const token = 'galera-reader-token-galera-reader'
    const permissions = [{ collection: 'notes', action: 'read', fields: ['*'], permissions: {} }]
    const policy = dataOf(await on(0).send('POST', '/policies', { name: 'reader', permissions })) as { id: string }
    const account = { email: 'reader@example.com', token, policies: [{ policy: policy.id }] }
    expect((await on(0).send('POST', '/users', account)).status).toBe(200)
    const state = { isOver: false }
    const bulk = (async () => {
      const rows = Array.from({ length: 200 }, (_, n) => ({ ref: 'bulk', n }))
      while (!state.isOver) await on(0).send('POST', '/items/notes?fields=id', rows)
    })()
    for (const _ of rounds) {
      const [granted] = dataOf(await on(0).get(`/permissions?filter[policy][_eq]=${policy.id}`)) as { id: number }[]
      expect((await on(1).get('/items/notes?limit=1', { token })).status).toBe(200)
      expect((await on(0).send('DELETE', `/permissions/${granted?.id}`)).status).toBe(204)
      expect((await on(1).get('/items/notes?limit=1', { token })).status).toBe(403)
      expect((await on(0).send('POST', '/permissions', { ...permissions[0], policy: policy.id })).status).toBe(200)
    }
    state.isOver = true
    await bulk
  })

  test('of two changes of one version of a row, one is refused', async () => {
    const { id } = dataOf(await on(0).send('POST', '/items/notes', { ref: 'shared', n: 0 })) as { id: string }
    for (const n of rounds) {
      const etag = (await on(0).get(`/items/notes/${id}`)).headers.get('etag') ?? ''
      const answers = await both((service, at) =>
        service.send('PATCH', `/items/notes/${id}`, { n: n * 2 + at + 1 }, { headers: { 'if-match': etag } }),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412])
    }
  })

  test('of two collections with one name, one is created, and it stays', async () => {
    for (const n of rounds) {
      const collection = `made_${n}`
      const answers = await both((service, at) =>
        service.send('POST', '/collections', {
          collection,
          schema: {},
          fields: [
            { field: 'id', type: 'integer', schema: { is_primary_key: true } },
            { field: `by_${at}`, type: 'string' },
          ],
        }),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
      const winner = answers.findIndex(({ status }) => status === 200)
      const found = await both((service) => service.get(`/fields/${collection}`))
      for (const answer of found)
        expect((dataOf(answer) as { field: string }[]).map(({ field }) => field)).toEqual(['id', `by_${winner}`])
    }
  })

  test('a change of one collection waits for a change of another one and takes nothing of it back', async () => {
    const answers = await both((service, at) =>
      service.send('POST', '/fields/notes', { field: `added_${at}`, type: 'string', schema: { is_indexed: true } }),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    for (const answer of await both((service) => service.get('/fields/notes')))
      expect((dataOf(answer) as { field: string }[]).map(({ field }) => field)).toEqual(
        expect.arrayContaining(['added_0', 'added_1']),
      )
  })

  test('without quorum a replica says that the database is away, and is not ready, until the nodes are back', async () => {
    const others = galera.nodes.slice(1)
    for (const node of others) node.pause()
    try {
      await until(async () => (await on(0).get('/server/ready')).status === 503, 20, 'not ready')
      const refused = await on(0).send('POST', '/items/notes', { ref: 'nowhere', n: 0 })
      expect([refused.status, codeOf(refused)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    } finally {
      for (const node of others) node.goOn()
    }
    await until(async () => (await on(0).get('/server/ready')).status === 200, 30, 'ready again')
    expect((await on(0).send('POST', '/items/notes', { ref: 'here', n: 0 })).status).toBe(200)
  }, 90_000)
})
