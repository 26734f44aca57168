import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { createDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, TOKEN, until, type Service } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const ORIGIN = 'https://shop.example.com'

describe('while as many requests are under way as are served at once', () => {
  const { database, service } = useWorld({
    // The lock of the test decides how long a read takes.
    tables: `
      create table notes (id int primary key, body text);
      insert into notes values (1, 'one');
      create function waits() returns text language sql volatile as $$ select pg_advisory_xact_lock(1)::text $$;
      create view slow_notes as select id, waits() as waited from notes`,
    environment: { MAX_REQUESTS_IN_FLIGHT: '1', CORS_ENABLED: 'true', CORS_ORIGIN: ORIGIN },
  })

  /** Runs work while the only place is taken. */
  async function whileFull(work: () => Promise<void>): Promise<void> {
    await database.query('select pg_advisory_lock(1)')
    const slow = service.get('/items/slow_notes?fields=id,waited')
    try {
      await until(
        async () =>
          (await database.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`))[0] !== undefined,
        10,
        'the slow read begins',
      )
      await work()
    } finally {
      await database.query('select pg_advisory_unlock(1)')
    }
    expect((await slow).status).toBe(200)
  }

  test('others are refused with the time to come back, and served again afterwards', async () => {
    await whileFull(async () => {
      const refused = await service.get('/items/notes', { headers: { 'x-request-id': 'mine', origin: ORIGIN } })
      expect([refused.status, codeOf(refused)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(refused.headers.get('x-request-id')).toBe('mine')
      expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN)
      expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
      const written = await service.send('POST', '/items/notes', { id: 2 })
      expect(codeOf(written)).toBe('SERVICE_UNAVAILABLE')
      expect((await service.send('HEAD', '/items/notes')).status).toBe(503)
    })
    expect(dataOf(await service.get('/items/notes?fields=id'))).toEqual([{ id: 1 }])
  })

  test('what needs no database is served', async () => {
    await whileFull(async () => {
      for (const path of ['/server/ping', '/server/ready', '/'])
        expect([path, (await service.get(path, { token: null })).status]).toEqual([path, 200])
      const asked = { origin: ORIGIN, 'access-control-request-method': 'GET' }
      expect((await service.send('OPTIONS', '/items/notes', undefined, { headers: asked })).status).toBe(204)
    })
  })

  test('a body that is still on its way takes no place', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const head = [
      'POST /items/notes HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${TOKEN}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    expect((await service.get('/items/notes')).status).toBe(200)
    socket.destroy()
    expect((await service.get('/items/notes')).status).toBe(200)
  })

  test('a request that is tried for an explanation takes none besides the explanation', async () => {
    const asked = { user: null, method: 'GET', path: '/items/notes' }
    const answer = await service.send('POST', '/permissions/explain', asked)
    expect([answer.status, codeOf(answer)]).toEqual([200, undefined])
  })

  test('the log tells that requests are refused, and not which', async () => {
    const told = () => service.lines().filter(({ msg }) => msg.includes('too many requests are under way')).length
    const before = told()
    await whileFull(async () => {
      for (let turn = 0; turn < 20; turn += 1) await service.get('/items/notes')
    })
    // Lines are written a moment later, in their order: the line of a later request comes after all of these.
    await service.get('/items/notes', { headers: { 'x-request-id': 'the-last-one' } })
    await until(() => service.lines().some((line) => line['requestId'] === 'the-last-one'), 10, 'the last line')
    expect(told() - before).toBeLessThanOrEqual(1)
    expect(told()).toBeGreaterThan(0)
    expect(service.lines().filter(({ msg, status }) => msg === 'request' && status === 503)).toEqual([])
  })
})

test('256 requests at once are all served: those that no connection is free for wait their turn', async () => {
  const database = await createDatabase()
  await database.query(`
    create table notes (id int primary key);
    insert into notes values (1);
    create function waits() returns text language sql volatile as $$ select pg_advisory_xact_lock_shared(1)::text $$;
    create view slow_notes as select id, waits() as waited from notes`)
  // The machine of a test may be slow; a request that waits in vain would wait for long.
  const service = await openService({ DATABASE_URL: database.url, DB_POOL_MAX: '10', DB_ACQUIRE_TIMEOUT: '50000' })
  try {
    await database.query('select pg_advisory_lock(1)')
    const asked = Array.from({ length: 256 }, () => service.get('/items/slow_notes?fields=id,waited'))
    const waiting = async () =>
      Number(
        (await database.query(`select count(*) from pg_locks where locktype = 'advisory' and not granted`))[0]?.[0],
      )
    await until(async () => (await waiting()) === 10, 10, 'every connection is taken')
    await database.query('select pg_advisory_unlock(1)')
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  } finally {
    await service.stop()
    await database.drop()
  }
})

describe('while the database is away', () => {
  let cluster: Cluster
  let service: Service

  beforeAll(async () => {
    cluster = await startCluster()
    service = await openService({ DATABASE_URL: cluster.url })
  })
  afterAll(async () => {
    await service.stop()
    await cluster.destroy()
  })

  test('the log tells once that it is away, and once that it is back and how many were refused', async () => {
    expect((await service.get('/users/me')).status).toBe(200)
    await cluster.stop('immediate')
    const isAway = () => service.lines().some(({ msg }) => msg.includes('the database is away'))
    await until(isAway, 10, 'the service notices')
    for (let turn = 0; turn < 20; turn += 1) {
      const refused = await service.get('/users/me')
      expect([refused.status, codeOf(refused)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    }
    await cluster.start()
    await until(async () => (await service.get('/users/me')).status === 200, 10, 'the database answers')
    const lines = () => service.lines().filter(({ msg }) => msg.startsWith('the database is'))
    await until(() => lines().length > 1, 10, 'the log tells that it is back')
    const told = lines()
    expect(told.map(({ msg }) => msg)).toEqual([
      'the database is away, requests are refused until it is back',
      'the database is back',
    ])
    expect(told[1]?.['refused']).toBeGreaterThanOrEqual(20)
    expect(service.lines().filter(({ msg }) => msg === 'request failed')).toEqual([])
  })
})
