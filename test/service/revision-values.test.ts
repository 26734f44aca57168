import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const columns: Readonly<Record<TestDialect, string>> = {
  postgres: `big bigint, money numeric(30, 4), number double precision, flag boolean, day date, moment timestamptz,
    local timestamp, hour time, bytes bytea, document jsonb, words text[], txt text`,
  mysql: `big bigint, money decimal(30, 4), number double, flag boolean, day date, moment timestamp(6) null,
    local datetime(6), hour time(6), bytes blob, document json, txt text`,
  sqlite: `big bigint, money decimal(30, 4), number double, flag boolean, day date, moment timestamp,
    local datetime, hour time, bytes blob, document json, txt text`,
}

const valuesOn = (dialect: TestDialect) => ({
  big: '9007199254740993',
  // SQLite stores decimals as floating-point numbers.
  money: dialect === 'sqlite' ? '1234567.1250' : '12345678901234567890.1234',
  number: 0.1,
  flag: true,
  day: '2026-02-03',
  moment: '2026-02-03T04:05:06.789Z',
  local: '2026-02-03T04:05:06',
  hour: '04:05:06',
  bytes: 'AQIDBA==',
  document: { deep: [1, 'ü'] },
  txt: 'a "quoted" text',
})

interface Revision {
  readonly data: unknown
  readonly delta: Readonly<Record<string, unknown>> | null
}

describe.each(testDialects)('a revision on %s', (dialect) => {
  const values = valuesOn(dialect)

  const { service } = useWorld({
    dialect,
    tables: `create table things (id int not null primary key, ${columns[dialect]})`,
  })

  const revisions = async (item: string, collection = 'things') =>
    dataOf(
      await service.get(
        `/revisions?filter[collection]=${collection}&filter[item]=${item}&sort=id&fields=id,data,delta`,
      ),
    ) as (Revision & { id: number })[]

  test('holds the row as responses show it', async () => {
    for (const key of [1, 2]) await service.send('POST', '/items/things', { id: key, txt: 'first' })
    dataOf(await service.send('PATCH', '/items/things/1', values))
    const item = dataOf(await service.get('/items/things/1'))
    expect(item).toMatchObject(values)
    const [, last] = await revisions('1')
    expect([last?.data, last?.delta]).toEqual([item, values])
  })

  test('of a create and of a list of them does too', async () => {
    dataOf(await service.send('POST', '/items/things', { id: 3, ...values }))
    dataOf(
      await service.send('POST', '/items/things', [
        { id: 4, ...values },
        { id: 5, txt: 'x' },
      ]),
    )
    for (const key of ['3', '4', '5']) {
      const [first] = await revisions(key)
      expect(first?.data).toEqual(dataOf(await service.get(`/items/things/${key}`)))
    }
  })

  test('can be restored', async () => {
    const before = dataOf(await service.get('/items/things/3'))
    const [first] = await revisions('3')
    const emptied = Object.fromEntries(Object.keys(values).map((name) => [name, null]))
    dataOf(await service.send('PATCH', '/items/things/3', emptied))
    expect((await service.send('POST', `/utils/revert/${first?.id}`, {})).status).toBe(204)
    expect(dataOf(await service.get('/items/things/3'))).toEqual(before)
  })

  test('follows the type that metadata gives a field', async () => {
    for (const [special, shown] of [
      [['cast-csv'], ['a', 'b']],
      [null, 'a,b'],
    ] as const) {
      dataOf(await service.send('PATCH', '/fields/things/txt', { meta: { special } }))
      dataOf(await service.send('PATCH', '/items/things/5', { txt: shown }))
      const last = (await revisions('5')).at(-1)
      expect([last?.delta, last?.data]).toEqual([{ txt: shown }, dataOf(await service.get('/items/things/5'))])
    }
  })

  test('leads to the user who made it', async () => {
    const { id } = dataOf(
      await service.send('POST', '/users', { email: 'bob@example.com', token: 'token-of-bob', role: null }),
    ) as { id: string }
    const { id: policy } = dataOf(await service.send('POST', '/policies', { name: 'all', admin_access: true })) as {
      id: string
    }
    dataOf(await service.send('PATCH', `/users/${id}`, { policies: [{ policy }] }))
    dataOf(await service.send('PATCH', '/items/things/2', { txt: 'by Bob' }, { token: 'token-of-bob' }))
    const query = 'filter[collection]=things&filter[item]=2&sort=-id&limit=1'
    const path = `/revisions?${query}&fields=activity.user.email,activity.user.id`
    expect(dataOf(await service.get(path))).toEqual([{ activity: { user: { email: 'bob@example.com', id } } }])
    const filtered = await service.get('/activity?filter[user][email]=bob@example.com&fields=user,item&limit=1')
    expect(dataOf(filtered)).toEqual([{ user: id, item: '2' }])
    const document = '{ activity(filter: { item: { _eq: "2" } }, sort: "-id", limit: 1) { user { email } } }'
    const graph = await service.send('POST', '/graphql/system', { query: document })
    expect(graph.body).toEqual({ data: { activity: [{ user: { email: 'bob@example.com' } }] } })
    expect((await service.send('DELETE', `/users/${id}`)).status).toBe(204)
    expect(dataOf(await service.get(`/activity?filter[item]=2&sort=-id&limit=1&fields=user`))).toEqual([{ user: id }])
  })

  test('of a user holds no column that nobody sees', async () => {
    const user = dataOf(
      await service.send('POST', '/users', { email: 'Ann@example.com', password: 'long enough' }),
    ) as {
      id: string
    }
    dataOf(await service.send('PATCH', `/users/${user.id}`, { title: 'Editor' }))
    const found = await revisions(user.id, 'service_users')
    const shown = Object.keys(dataOf(await service.get(`/users/${user.id}`)) as object)
    expect(found.length).toBe(2)
    for (const { data } of found) {
      const extra = Object.keys(data as object).filter((name) => !shown.includes(name))
      expect(extra).toEqual([])
    }
    expect(found[1]?.delta).toEqual({ title: 'Editor' })
  })
})
