import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, queryOf, startService, until, type Environment, type Service } from '../lib/service.ts'
import { startRedis } from './redis.ts'

/** Random writes, permission changes and reads; npm run verify cache makes more. */
const STEPS = Number(process.env['CACHE_STEPS'] ?? 80)
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))
const READS_PER_STEP = 3

vi.setConfig({ testTimeout: 1_800_000 })

const TABLES = `
  create table groups (id int primary key, name text);
  create table products (id int primary key, name text, price int,
    "group" int references groups on delete cascade on update cascade);
  create table notes (id int primary key, body text, product int references products on delete set null);
  insert into groups select n, 'group ' || n % 3 from generate_series(1, 6) n;
  insert into products select n, 'product ' || n, n % 7, n % 6 + 1 from generate_series(1, 40) n;
  insert into notes select n, 'note ' || n, n % 40 + 1 from generate_series(1, 60) n`

let database: TestDatabase
const cleanUps: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await createDatabase('postgres')
  await database.query(TABLES)
})

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

afterAll(() => database?.drop())

async function start(environment: Environment): Promise<Service> {
  const service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...environment })
  cleanUps.push(() => service.stop())
  return service
}

/** The same numbers for the same seed. */
function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return { below, oneOf: <T>(list: readonly T[]): T => list[below(list.length)]! }
}

type Random = ReturnType<typeof createRandom>

const rules = [
  {},
  { price: { _lt: 4 } },
  { group: { name: { _eq: 'group 1' } } },
  { notes: { _some: { id: { _gt: 30 } } } },
  { name: { _neq: '$CURRENT_USER' } },
]

const fieldSets = [['*'], ['id', 'name'], ['id', 'price', 'group']]

interface Person {
  readonly token: string
  readonly permissions: readonly (string | number)[]
}

/** Users with the same and with different permissions. */
async function createPeople(service: Service): Promise<readonly Person[]> {
  const people: Person[] = []
  for (const [at, name] of ['ann', 'bob', 'eve'].entries()) {
    const token = `token-of-${name}-${SEED}-${cleanUps.length}`
    const permissions = ['groups', 'products', 'notes'].map((collection) => ({
      collection,
      action: 'read',
      fields: ['*'],
      permissions: collection === 'products' ? rules[at === 2 ? 1 : 0] : {},
    }))
    const policy = dataOf(await service.send('POST', '/policies', { name, permissions })) as {
      id: string
      permissions: (string | number)[]
    }
    dataOf(
      await service.send('POST', '/users', { email: `${token}@example.com`, token, policies: [{ policy: policy.id }] }),
    )
    people.push({ token, permissions: policy.permissions })
  }
  return people
}

const queries = ({ below, oneOf }: Random): string =>
  oneOf([
    () => `/items/products?${queryOf({ fields: '*,group.name', sort: '-id', limit: 5 + below(3) })}`,
    () => `/items/products?${queryOf({ fields: 'id,notes.body', filter: { price: { _gt: below(6) } }, limit: -1 })}`,
    () => `/items/products/${1 + below(40)}`,
    () =>
      `/items/groups?${queryOf({ fields: 'name,products.id', filter: { products: { price: { _eq: below(7) } } } })}`,
    () =>
      `/items/notes?${queryOf({ filter: { product: { group: { name: { _eq: `group ${below(3)}` } } } }, meta: '*' })}`,
    () => `/items/notes?${queryOf({ aggregate: { count: 'id' }, groupBy: 'product' })}`,
    () => `/items/products?search=product%20${below(10)}&limit=2`,
  ])()

/** One random change through the API. Some are refused, such as a row whose group is gone. */
function change({ below, oneOf }: Random, people: readonly Person[]): readonly [string, string, unknown?] {
  const id = 1 + below(40)
  return oneOf<() => readonly [string, string, unknown?]>([
    () => ['PATCH', `/items/products/${id}`, { name: `name ${below(1000)}` }],
    () => ['PATCH', '/items/products', { keys: [id, 1 + below(40)], data: { price: below(7) } }],
    () => ['PATCH', `/items/groups/${1 + below(6)}`, { name: `group ${below(3)}` }],
    () => ['PATCH', `/items/groups/${1 + below(6)}`, { products: [{ id: 1000 + below(1000), price: below(7) }] }],
    () => ['POST', '/items/products', { id: 100 + below(400), price: below(7), group: 1 + below(6) }],
    () => ['POST', '/items/notes', [{ id: 100 + below(9000), product: id }]],
    () => ['DELETE', `/items/products/${id}`],
    () => ['DELETE', `/items/groups/${1 + below(6)}`],
    () => ['POST', '/items/groups', { id: 1 + below(6), name: 'group 1' }],
    () => [
      'PATCH',
      `/permissions/${oneOf(people).permissions[1] ?? ''}`,
      { permissions: oneOf(rules), fields: oneOf(fieldSets) },
    ],
    () => ['PATCH', `/permissions/${oneOf(people).permissions[2] ?? ''}`, { action: oneOf(['read', 'create']) }],
  ])()
}

/** After each change, cached replicas must answer as the one without a cache does. */
async function compare(cached: readonly Service[], plain: Service, steps: number): Promise<number> {
  const random = createRandom(SEED)
  const people = await createPeople(cached[0]!)
  const tokens = [undefined, ...people.map(({ token }) => token)]
  let compared = 0
  for (let step = 0; step < steps; step += 1) {
    const [method, path, body] = change(random, people)
    const { status } = await random.oneOf(cached).send(method, path, body)
    if (status >= 500) throw new Error(`${method} ${path}: ${status}`)
    for (let read = 0; read < READS_PER_STEP; read += 1) {
      const asked = queries(random)
      const token = random.oneOf(tokens)
      const options = token === undefined ? {} : { token }
      const expected = await plain.get(asked, options)
      // Twice, so that the second one may come from the cache.
      for (const service of [...cached, ...cached]) {
        const answer = await service.get(asked, options)
        expect([step, asked, token, answer.status, answer.text]).toEqual([
          step,
          asked,
          token,
          expected.status,
          expected.text,
        ])
        compared += 1
      }
    }
  }
  return compared
}

describe(`responses with a cache, seed ${SEED}`, () => {
  const on = { CACHE_ENABLED: 'true', CACHE_TTL: '1h' }

  test('are those without it: one process', async () => {
    const [cached, plain] = [await start(on), await start({})]
    const compared = await compare([cached], plain, STEPS)
    expect(compared).toBe(STEPS * READS_PER_STEP * 2)
  })

  test('are those without it: two replicas that share a Redis', async () => {
    const redis = await startRedis()
    cleanUps.push(() => redis.destroy())
    // A replica that loses Redis during a write cannot tell the others, so a busy machine must not look like that.
    const shared = { ...on, REDIS_URL: redis.url, REDIS_TIMEOUT: '10000', LOG_LEVEL: 'info' }
    const [first, second, plain] = [await start(shared), await start(shared), await start({})]
    const isUp = (service: Service) => service.log().includes('redis is connected')
    await until(() => [first, second].every(isUp), 20, 'Redis')
    const compared = await compare([first, second], plain, STEPS)
    expect(compared).toBe(STEPS * READS_PER_STEP * 4)
    for (const service of [first, second]) expect(service.log()).not.toContain('redis is unavailable')
    expect(await redis.servers[0]?.command('keys', 'tain:rows:*')).not.toEqual([])
  })

  test('do not show writes by other programs, until the service writes there or the time is over', async () => {
    const cached = await start({ CACHE_ENABLED: 'true', CACHE_TTL: '2s' })
    await database.query("insert into notes values (10001, 'old'), (10002, 'other')")
    const read = async () => (dataOf(await cached.get('/items/notes/10001')) as { body: string }).body
    expect(await read()).toBe('old')
    await database.query("update notes set body = 'new' where id = 10001")
    const shown = [await read()]
    await cached.send('PATCH', '/items/notes/10002', { body: 'x' })
    shown.push(await read())
    // The machine may have been too slow for the first one.
    expect([
      ['old', 'new'],
      ['new', 'new'],
    ]).toContainEqual(shown)
    await database.query("update notes set body = 'newest' where id = 10001")
    await until(async () => (await read()) === 'newest', 20, 'the end of the time')
  })

  test('that depend on the time are not kept', async () => {
    const redis = await startRedis()
    cleanUps.push(() => redis.destroy())
    const cached = await start({ ...on, REDIS_URL: redis.url, LOG_LEVEL: 'info' })
    await until(() => cached.log().includes('redis is connected'), 20, 'Redis')
    for (const now of ['$NOW', '$NOW(-1 day)'])
      dataOf(await cached.get(`/items/notes?${queryOf({ filter: { body: { _neq: now } } })}`))
    expect(await redis.servers[0]?.command('keys', 'tain:rows:*')).toEqual([])
  })
})
