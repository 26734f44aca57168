import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, withDatabase, type TestDatabase } from '../lib/databases.ts'
import { systemCollections } from '../../packages/server/src/system/collections/index.ts'
import { codeOf, dataOf, runService, startService, type Answer, type Service } from '../lib/service.ts'

const ERROR = 50
const complaints = (service: Service) => service.lines().filter(({ level }) => level >= ERROR)

const serviceTables = `select relname from pg_class where relnamespace = 'tain'::regnamespace and relkind = 'r' order by 1`

test('processes that start at the same moment on an empty database make one set of tables', async () => {
  await withDatabase(async (database) => {
    const services = await Promise.all([1, 2, 3].map(() => startService({ DATABASE_URL: database.url })))
    const tables = (await database.query(serviceTables)).map(([name]) => name)
    const kept = ['collections', 'fields', 'idempotency', 'login_failures', 'names', 'one_time', 'relations']
    const log = ['event_head', 'event_interest', 'events', 'outbox']
    const state = ['locks', 'extension_cursors', 'migrations', 'schema_steps', 'uploads', 'version', 'watch']
    const others = [...kept, ...log, ...state]
    const undeclared = others.map((name) => `service_${name}`)
    expect(tables).toEqual([...systemCollections.map(({ name }) => name), ...undeclared].sort())
    expect(await database.query('select count(*) from tain.service_version')).toEqual([['1']])
    for (const service of services) {
      expect((await service.get('/server/ready', { token: null })).status).toBe(200)
      expect(complaints(service)).toEqual([])
    }
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0, 0])
  })
})

test('a restart finds the tables of the first start and leaves them as they are', async () => {
  await withDatabase(async (database) => {
    const state = `select version, v.xmin, name, applied, m.xmin from tain.service_version v, tain.service_migrations m`
    await (await startService({ DATABASE_URL: database.url })).stop()
    const first = await database.query(state)
    await (await startService({ DATABASE_URL: database.url })).stop()
    expect(await database.query(state)).toEqual(first)
  })
})

test('a database that a newer program has used refuses an older one', async () => {
  await withDatabase(async (database) => {
    await (await startService({ DATABASE_URL: database.url })).stop()
    const state = 'select version, name, applied from tain.service_version, tain.service_migrations order by name'
    await database.query(`insert into tain.service_migrations (name) values ('0999-later')`)
    const before = await database.query(state)
    const { code, output } = await runService({ DATABASE_URL: database.url })
    expect(code).toBe(1)
    expect(output).toMatch(
      /migrations that this program does not know: 0999-later\. A newer version has used this database/u,
    )
    expect(output).not.toMatch(/\bat .*\.ts:\d+/u)
    expect(await database.query(state)).toEqual(before)
  })
})

describe('a change through one replica is seen by the next request to another', () => {
  let database: TestDatabase
  let a: Service
  let b: Service

  beforeAll(async () => {
    database = await createDatabase()
    await database.query(`
      create table authors (id integer primary key, name text);
      create table articles (id integer primary key, title text, keywords text, author integer references authors);
      create table site (id integer primary key, title text);
      insert into authors values (1, 'Ada'); insert into site values (1, 'Ours');
      insert into articles values (1, 'Engines', 'a,b', 1), (2, 'Notes', null, 1)`)
    const start = () => startService({ DATABASE_URL: database.url, SCHEMA_POLL_INTERVAL: '3600000' })
    ;[a, b] = await Promise.all([start(), start()])
  })

  afterAll(async () => {
    await Promise.all([a.stop(), b.stop()])
    await database.drop()
  })

  /** A change that can be applied and reverted, and the result that a request shows in either state. */
  interface Change {
    readonly apply: (service: Service, isOn: boolean) => Promise<Answer>
    readonly look: (service: Service) => Promise<unknown>
    readonly on: unknown
    readonly off: unknown
  }

  const changes: Readonly<Record<string, Change>> = {
    'an alias field with its relation': {
      apply: (service, isOn) => (isOn ? declareWorks(service) : service.send('DELETE', '/fields/authors/works')),
      look: async (service) => answered(await service.get('/items/authors/1?fields=works.title&deep[works][_sort]=id')),
      on: { works: [{ title: 'Engines' }, { title: 'Notes' }] },
      off: 'FORBIDDEN',
    },
    'the singleton switch': {
      apply: (service, singleton) => service.send('PATCH', '/collections/site', { meta: { singleton } }),
      look: async (service) => answered(await service.get('/items/site')),
      on: { id: 1, title: 'Ours' },
      off: [{ id: 1, title: 'Ours' }],
    },
    'the csv special': {
      apply: (service, isOn) =>
        service.send('PATCH', '/fields/articles/keywords', { meta: { special: isOn ? 'cast-csv' : null } }),
      look: async (service) => answered(await service.get('/items/articles/1?fields=keywords')),
      on: { keywords: ['a', 'b'] },
      off: { keywords: 'a,b' },
    },
    'a field in the list of fields': {
      apply: (service, isOn) =>
        isOn
          ? service.send('POST', '/fields/site', { field: 'extra', type: 'alias' })
          : service.send('DELETE', '/fields/site/extra'),
      look: async (service) =>
        (dataOf(await service.get('/fields/site')) as { field: string }[]).map(({ field }) => field),
      on: ['id', 'title', 'extra'],
      off: ['id', 'title'],
    },
  }

  const answered = (answer: Answer) => (answer.status === 200 ? dataOf(answer) : codeOf(answer))

  async function declareWorks(service: Service): Promise<Answer> {
    const field = { field: 'works', type: 'alias', meta: { special: 'o2m' } }
    dataOf(await service.send('POST', '/fields/authors', field))
    return service.send('PATCH', '/relations/articles/author', { meta: { one_field: 'works' } })
  }

  /** Both directions, so that each replica has to notice changes of the other. */
  test.each(Object.entries(changes))('%s: 100 rounds, no stale answer', async (_, { apply, look, on, off }) => {
    const stale: unknown[] = []
    for (let round = 0; round < 100; round += 1) {
      const [teller, asked] = round % 4 < 2 ? [a, b] : [b, a]
      const isOn = round % 2 === 0
      expect((await apply(teller, isOn)).status).toBeLessThan(300)
      const seen = await look(asked)
      if (JSON.stringify(seen) !== JSON.stringify(isOn ? on : off)) stale.push({ round, isOn, seen })
    }
    expect(stale.slice(0, 4)).toEqual([])
  })

  test('changes through both at the same time are all kept', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `both_${index}`)
    const answers = await Promise.all(
      names.map((field, index) => (index % 2 ? a : b).send('POST', '/fields/site', { field, type: 'alias' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const service of [a, b]) {
      const fields = (dataOf(await service.get('/fields/site')) as { field: string }[]).map(({ field }) => field)
      expect(fields).toEqual(expect.arrayContaining(names))
    }
  })

  test('nothing of this was an error to either', () => {
    expect([...complaints(a), ...complaints(b)]).toEqual([])
  })
})
