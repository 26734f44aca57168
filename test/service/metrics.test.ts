import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeClasses, statusClasses } from '../../packages/server/src/http/route-class.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { scrape } from '../lib/metrics-text.ts'
import { openService, runService, until, type Service } from '../lib/service.ts'

const REQUESTS = 'tain_http_request_duration_seconds_count'

describe.each(testDialects)('metrics on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  let port: number

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await database.query('create table notes (id integer primary key, body varchar(100))')
    port = await freePort()
    service = await openService({ DATABASE_URL: database.url, METRICS_PORT: String(port) })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  /** How many requests are counted. That happens when the connection is done with them, which the client does not see. */
  const counted = async (labels: Record<string, string>, least: number) => {
    await until(async () => (await scrape(port)).sum(REQUESTS, labels) >= least, 10, JSON.stringify(labels))
    return (await scrape(port)).sum(REQUESTS, labels)
  }

  test('requests are counted by kind of route and status', async () => {
    for (const id of [1, 2]) await service.send('POST', '/items/notes', { id, body: 'x' })
    await service.get('/items/notes')
    await service.get('/items/notes/1')
    await service.search('notes', {})
    await service.send('POST', '/items/notes', {}, { headers: { 'x-http-method-override': 'SEARCH' } })
    await service.get('/items/nowhere')
    await service.get('/users')
    await service.get('/users/me')
    await service.send('PATCH', '/users/me', { first_name: 'Ada' })
    await service.get('/collections')
    await service.send('POST', '/graphql', { query: '{ notes { id } }' })
    await service.send('POST', '/auth/login', { email: 'nobody@example.com', password: 'wrong' })
    await service.get('/nowhere/at/all')

    expect(await counted({ route: 'items_write', status: '2xx' }, 2)).toBe(2)
    expect(await counted({ route: 'items_read', status: '2xx' }, 4)).toBe(4)
    expect(await counted({ route: 'items_read', status: '4xx' }, 1)).toBe(1)
    expect(await counted({ route: 'system_read', status: '2xx' }, 2)).toBe(2)
    expect(await counted({ route: 'system_write', status: '2xx' }, 1)).toBe(1)
    expect(await counted({ route: 'schema', status: '2xx' }, 1)).toBe(1)
    expect(await counted({ route: 'graphql', status: '2xx' }, 1)).toBe(1)
    expect(await counted({ route: 'auth', status: '4xx' }, 1)).toBe(1)
    expect(await counted({ route: 'unknown', status: '4xx' }, 1)).toBe(1)
    const { samples, sum } = await scrape(port)
    expect(sum('tain_http_requests_in_flight')).toBe(0)
    const valuesOf = (label: string) => samples.flatMap(({ labels }) => labels[label] ?? [])
    expect(routeClasses).toEqual(expect.arrayContaining(valuesOf('route')))
    expect(statusClasses).toEqual(expect.arrayContaining(valuesOf('status')))
    expect(JSON.stringify(samples)).not.toMatch(/notes|nowhere/u)
  })

  test('requests that the service makes to itself leave none in flight', async () => {
    const body = { user: null, method: 'GET', path: '/items/notes' }
    expect((await service.send('POST', '/permissions/explain', body)).status).toBe(200)
    await until(async () => (await scrape(port)).sum('tain_http_requests_in_flight') === 0, 10, 'none in flight')
  })

  test('a client that leaves is counted, and not in flight any more', async () => {
    const { port: served } = new URL(service.url)
    const socket = connect(Number(served), '127.0.0.1')
    socket.write(
      'POST /items/notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    )
    await until(async () => (await scrape(port)).sum('tain_http_requests_in_flight') === 1, 10, 'one in flight')
    socket.destroy()
    await until(async () => (await scrape(port)).sum('tain_http_requests_in_flight') === 0, 10, 'none in flight')
    expect(await counted({ route: 'items_write', status: 'aborted' }, 1)).toBe(1)
  })

  test('the pools, the schema and the process tell their state', async () => {
    const { sum, samples } = await scrape(port)
    expect(sum('tain_pool_connections_open', { pool: 'requests' })).toBeGreaterThan(0)
    expect(sum('tain_pool_connections_max', { pool: 'requests' })).toBeGreaterThanOrEqual(3)
    expect(sum('tain_pool_waiting')).toBe(0)
    expect(sum('tain_pool_refused_total')).toBe(0)
    expect(sum('tain_database_outage')).toBe(0)
    expect(sum('tain_schema_collections')).toBeGreaterThan(1)
    expect(sum('tain_events_total', { kind: 'schema-loaded' })).toBeGreaterThan(0)
    expect(samples).toContainEqual({ name: 'tain_events_total', labels: { kind: 'mail-failed' }, value: 0 })
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes', 'process_cpu_seconds_total'])
      expect(sum(name)).toBeGreaterThan(0)
  })

  test('a change of the schema changes its version', async () => {
    const before = await scrape(port)
    await service.send('POST', '/collections', { collection: 'more', schema: {}, fields: [] })
    const after = await scrape(port)
    expect(after.sum('tain_schema_version')).toBeGreaterThan(before.sum('tain_schema_version'))
    expect(after.sum('tain_events_total', { kind: 'schema-changed' })).toBe(1)
    expect(after.sum('tain_schema_collections')).toBe(before.sum('tain_schema_collections') + 1)
  })

  test('the port serves nothing else, and the API does not serve metrics', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/items/notes`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404)
    expect((await service.get('/metrics')).status).toBe(404)
  })
})

test('a port for metrics that is taken ends the start with a line that names the setting', async () => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const { port } = holder.address() as AddressInfo
  const { code, output } = await runService({ DATABASE_URL: 'sqlite::memory:', METRICS_PORT: String(port) })
  holder.close()
  expect(code).toBe(1)
  expect(output).toContain('Correct METRICS_PORT or METRICS_HOST')
})
