import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runDoctor } from '../../packages/server/src/app/doctor.ts'
import { startCluster, startStandby, type Cluster } from '../lib/postgres-cluster.ts'
import { freePort } from '../lib/free-port.ts'
import { scrape } from '../lib/metrics-text.ts'
import { dataOf, queryOf, SECRET, startService, TOKEN, until, type Environment, type Service } from '../lib/service.ts'

/** Writes that are read again at once; npm run verify readers makes more. */
const ROUNDS = Number(process.env['READER_ROUNDS'] ?? 90)
const ADMIN = { email: 'ada@example.com', password: 'a-long-password-of-ada' }

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 120_000 })

const TABLES = `
  create table groups (id int primary key, name text);
  create table notes (id int primary key, body text, "group" int references groups);
  insert into groups select n, 'group ' || n from generate_series(1, 5) n;
  insert into notes select n, 'note ' || n, n % 5 + 1 from generate_series(1, 50) n`

/** Two replicas of the service; one standby whose replay stops now and then, and one that follows. */
let primary: Cluster
let standbys: readonly [Cluster, Cluster]
let replicas: readonly [Service, Service]
const ports: number[] = []

beforeAll(async () => {
  primary = await startCluster()
  await ask(primary, TABLES)
  standbys = [await startStandby(primary), await startStandby(primary)]
  const hosts = standbys.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const environment = {
    DATABASE_URL: primary.url,
    DB_READERS_URL: `postgres://postgres@${hosts}/postgres`,
    DB_POOL_MAX: '4',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'warn',
  }
  replicas = [await start(environment), await start(environment)]
})

afterAll(async () => {
  await Promise.all((replicas ?? []).map((each) => each.stop()))
  await Promise.all([...(standbys ?? []), primary].map((each) => each?.destroy()))
})

async function start(environment: Environment): Promise<Service> {
  const port = await freePort()
  ports.push(port)
  return startService({ ...environment, METRICS_PORT: String(port) })
}

async function ask({ url }: Cluster, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return [await client.query<unknown[]>({ text, rowMode: 'array' })].flat().flatMap(({ rows }) => rows.flat())
  } finally {
    await client.end()
  }
}

/** How many reads ended so, in both replicas. */
async function counted(kind: string): Promise<number> {
  const found = await Promise.all(ports.map((port) => scrape(port)))
  return found.reduce((sum, each) => sum + each.sum('tain_events_total', { kind }), 0)
}

const pause = (standby: Cluster) => ask(standby, 'select pg_wal_replay_pause()')
const resume = (standby: Cluster) => ask(standby, 'select pg_wal_replay_resume()')

async function untilPaused(standby: Cluster): Promise<void> {
  await pause(standby)
  await until(async () => (await ask(standby, 'select pg_get_wal_replay_pause_state()'))[0] === 'paused', 10, 'paused')
}

/** Stops and continues the replay of a standby until it is told to end. */
async function stumble(standby: Cluster, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await pause(standby)
    await sleep(20)
    await resume(standby)
    await sleep(30)
  }
}

async function sessionCookie({ url }: Service): Promise<string> {
  const body = JSON.stringify({ ...ADMIN, mode: 'session' })
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(200)
  return cookiesAfter('', answer)
}

/** The cookies of a browser after a response. */
function cookiesAfter(before: string, answer: Response): string {
  const pairs = [...before.split('; '), ...answer.headers.getSetCookie().map((each) => each.split(';')[0]!)]
  return [...new Map(pairs.filter(Boolean).map((each) => [each.split('=')[0], each])).values()].join('; ')
}

/** How a client lets its reads find its writes: what it sends after a response, and whether it stays with one replica. */
const clients: Readonly<
  Record<
    string,
    {
      readonly isMoving: boolean
      readonly next: (sent: Record<string, string>, answer: Response) => Record<string, string>
    }
  >
> = {
  header: {
    isMoving: true,
    next: (sent, answer) => ({ ...sent, 'x-service-position': answer.headers.get('x-service-position') ?? '' }),
  },
  cookie: {
    isMoving: true,
    next: ({ cookie = '' }, answer) => ({ cookie: cookiesAfter(cookie, answer) }),
  },
  nothing: { isMoving: false, next: (sent) => sent },
}

const writes: readonly ((id: number, body: string) => readonly [method: string, path: string, body: unknown])[] = [
  (id, body) => ['POST', '/items/notes', { id, body, group: 1 }],
  (id, body) => ['POST', '/items/notes', [{ id, body, group: { id: 1, name: `group of ${id}` } }]],
  // Every client has rows of its own.
  (id, body) => ['PATCH', `/items/notes/${1 + (id % 15) + 15 * Math.floor(id / 100_000)}`, { body }],
  (id, body) => [
    'POST',
    '/graphql',
    { query: `mutation { create_notes_item(data: { id: ${id}, body: "${body}" }) { id } }` },
  ],
]

const readsOf = (body: string): readonly string[] => [
  `/items/notes?${queryOf({ filter: { body: { _eq: body } } })}`,
  `/items/notes?${queryOf({ filter: { body: { _eq: body } }, fields: 'body,group.name' })}`,
]

/** Writes, and reads what was written at once; how many reads did not find it. */
async function ownWrites(name: keyof typeof clients, rounds: number, firstId: number): Promise<number> {
  const { isMoving, next } = clients[name]!
  let headers: Record<string, string> =
    name === 'cookie' ? { cookie: await sessionCookie(replicas[0]) } : { authorization: `Bearer ${TOKEN}` }
  let stale = 0
  for (let round = 0; round < rounds; round += 1) {
    const [writer, reader] = isMoving && round % 2 === 1 ? [...replicas].toReversed() : replicas
    const body = `${name} ${round}`
    const [method, path, payload] = writes[round % writes.length]!(firstId + round, body)
    const written = await fetch(`${writer.url}${path}`, {
      method,
      body: JSON.stringify(payload),
      headers: { 'content-type': 'application/json', ...headers },
    })
    expect([written.status, await written.text()]).toMatchObject([200, expect.not.stringContaining('errors')])
    headers = next(headers, written)
    for (const each of readsOf(body)) {
      const answer = await fetch(`${(isMoving ? reader : writer).url}${each}`, { headers })
      expect(answer.status).toBe(200)
      if (!(await answer.text()).includes(body)) stale += 1
    }
  }
  return stale
}

test('nobody misses an own write while standbys stumble, and standbys answer most of the reads', async () => {
  const state = { isOver: false }
  const stumbling = stumble(standbys[0], () => state.isOver)
  const names = Object.keys(clients)
  const stale = await Promise.all(names.map((name, at) => ownWrites(name, Math.ceil(ROUNDS / 3), 1000 + at * 100_000)))
  state.isOver = true
  await stumbling
  const [answered, behind] = [await counted('reader-answered'), await counted('reader-behind')]
  console.log(
    `${ROUNDS} writes, ${2 * ROUNDS} reads: ${stale.join(', ')} stale; ${answered} by standbys, ${behind} were behind`,
  )
  expect(Object.fromEntries(names.map((name, at) => [name, stale[at]]))).toEqual({ header: 0, cookie: 0, nothing: 0 })
  expect(answered).toBeGreaterThan(0)
  expect(behind).toBeGreaterThan(0)
})

test('a permission that was taken away, and a structure that was changed, hold at once while all replay has stopped', async () => {
  const [one, other] = replicas
  const permissions = [{ collection: 'groups', action: 'read', fields: ['*'] }]
  const policy = dataOf(await one.send('POST', '/policies', { name: 'readers', permissions })) as {
    id: string
    permissions: number[]
  }
  const token = 'token-of-a-reader'
  dataOf(await one.send('POST', '/users', { email: 'bob@example.com', token, policies: [{ policy: policy.id }] }))
  const path = '/items/groups?fields=*&sort=id'
  const statusIn = async (service: Service) => (await service.get(path, { token })).status
  await until(async () => (await statusIn(other)) === 200, 10, 'the permission')
  await Promise.all(standbys.map(untilPaused))
  try {
    for (let round = 0; round < 10; round += 1) {
      dataOf(await one.send('PATCH', `/permissions/${policy.permissions[0]}`, { action: 'create' }))
      expect([await statusIn(other), await statusIn(one)]).toEqual([403, 403])
      dataOf(await one.send('PATCH', `/permissions/${policy.permissions[0]}`, { action: 'read' }))
      expect([await statusIn(other), await statusIn(one)]).toEqual([200, 200])
    }
    dataOf(await one.send('POST', '/fields/groups', { field: 'colour', type: 'string', schema: {}, meta: {} }))
    expect(dataOf(await other.get('/items/groups?fields=colour&limit=1'))).toEqual([{ colour: null }])
  } finally {
    await Promise.all(standbys.map(resume))
  }
})

test('rows are never older than the limit, for those who have written nothing too', async () => {
  await Promise.all(standbys.map(untilPaused))
  try {
    await ask(primary, `insert into notes values (900001, 'by another program', 1)`)
    const find = async () =>
      dataOf(await replicas[0].get(`/items/notes?${queryOf({ filter: { body: { _eq: 'by another program' } } })}`))
    // A standby may be as old as DB_READERS_LAG_MAX, 5 s by default.
    await until(async () => ((await find()) as unknown[]).length === 1, 30, 'the row of another program')
    expect(await counted('reader-behind')).toBeGreaterThan(0)
  } finally {
    await Promise.all(standbys.map(resume))
  }
})

test('reads go on while the standbys are away, and come back to them', async () => {
  await Promise.all(standbys.map((each) => each.stop('immediate')))
  const path = '/items/notes?fields=*,group.name&limit=5'
  for (let round = 0; round < 20; round += 1) expect((await replicas[0].get(path)).status).toBe(200)
  const before = await counted('reader-answered')
  await Promise.all(standbys.map((each) => each.start()))
  await until(
    async () => {
      expect((await replicas[0].get(path)).status).toBe(200)
      return (await counted('reader-answered')) > before
    },
    30,
    'a standby answers again',
  )
})

test('tain doctor finds servers that are no standbys, or do not answer', async () => {
  const findingsWith = async (readersUrl: string) => {
    const environment = { DATABASE_URL: primary.url, DB_READERS_URL: readersUrl, SECRET }
    return (await runDoctor(environment)).find(({ name }) => name === 'readers')?.findings.map(({ text }) => text)
  }
  const nowhere = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`
  expect(await findingsWith(standbys[1].url)).toEqual([])
  expect(await findingsWith(primary.url)).toEqual([expect.stringContaining('no standby')])
  expect(await findingsWith(nowhere)).toEqual([expect.stringContaining('can be used')])
})

test('a header that is no position is refused, with what to do', async () => {
  const answer = await replicas[0].get('/items/notes', { headers: { 'x-service-position': 'yesterday' } })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('leave it out')
})
