import { describe, expect, test } from 'vitest'
import { codeOf, dataOf, openService, queryOf, type Answer } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import { loadFixture } from './fixture.ts'

const { database, service } = useWorld({
  tables: async (database) => {
    await loadFixture(database)
    await database.query('create table secrets (id integer primary key, pin text, delta integer)')
  },
})

type Row = Readonly<Record<string, unknown>>

const list = async (path: string, query: Row = {}) => dataOf(await service.get(`${path}?${queryOf(query)}`)) as Row[]
const errorOf = ({ status, body }: Answer) => [
  status,
  (body as { errors?: { message?: string }[] }).errors?.[0]?.message,
]

/** A tag that was created, changed and deleted. */
async function pastTag(name: string): Promise<string> {
  const { id } = dataOf(await service.send('POST', '/items/tags', { name })) as { id: number }
  dataOf(await service.send('PATCH', `/items/tags/${id}`, { color: 'red' }))
  expect((await service.send('DELETE', `/items/tags/${id}`)).status).toBe(204)
  return String(id)
}

describe('activity and revisions', () => {
  test('every write is there to be read, newest first, filtered and nested', async () => {
    const item = await pastTag('past')
    const filter = { collection: { _eq: 'tags' }, item: { _eq: item } }
    const rows = await list('/activity', {
      filter,
      sort: '-id',
      fields: 'action,ip,user,revisions.data,revisions.delta',
    })
    expect(rows.map(({ action }) => action)).toEqual(['delete', 'update', 'create'])
    expect(rows[0]).toMatchObject({ ip: '127.0.0.1', user: expect.stringMatching(/^[\da-f-]{36}$/u), revisions: [] })
    expect(rows[1]).toMatchObject({
      revisions: [{ delta: { color: 'red' }, data: { id: Number(item), name: 'past', color: 'red' } }],
    })
    const [revision] = await list('/revisions', { filter, sort: '-id', limit: 1, fields: '*,activity.action' })
    expect(revision).toMatchObject({ item, collection: 'tags', activity: { action: 'update' }, parent: null })
    const [first] = await list('/activity', { filter, limit: 1, fields: 'id,timestamp' })
    expect(first?.['id']).toBeTypeOf('number')
    expect(Date.parse(String(first?.['timestamp']))).toBeGreaterThan(Date.now() - 60_000)
  })

  test('one of them by its id, with an ETag; one that is not there is FORBIDDEN', async () => {
    const [{ id }] = (await list('/revisions', { limit: 1 })) as [{ id: number }]
    const answer = await service.get(`/revisions/${id}?fields=id`)
    expect(answer.body).toEqual({ data: { id } })
    expect(answer.headers.get('etag')).toMatch(/^".+"$/u)
    for (const path of ['/revisions/999999999', '/activity/none', '/activity/1,2'])
      expect([path, codeOf(await service.get(path))]).toEqual([path, 'FORBIDDEN'])
  })

  test('SEARCH, counts, aggregates, cursors and export work as for items', async () => {
    const query = { filter: { action: { _eq: 'create' } }, limit: 1, fields: ['action'], meta: ['filter_count'] }
    const found = await service.send('SEARCH', '/activity', { query })
    expect(found.body).toEqual({ meta: { filter_count: expect.any(Number) as number }, data: [{ action: 'create' }] })
    const groups = await list('/activity', { aggregate: { count: '*' }, groupBy: 'action', sort: 'action' })
    expect(groups.map(({ action }) => action)).toEqual(['create', 'delete', 'update'])
    const csv = await service.get('/activity?export=csv&fields=action&limit=1&sort=id')
    expect([csv.status, csv.text.split('\n')[0]]).toEqual([200, 'action'])
    const refused = await service.get('/activity?fields=nothing')
    expect(codeOf(refused)).toBe('FORBIDDEN')
  })

  test('the public sees nothing of them', async () => {
    for (const path of ['/activity', '/activity/1', '/revisions', '/revisions/1'])
      expect([path, codeOf(await service.get(path, { token: null }))]).toEqual([path, 'FORBIDDEN'])
    expect(codeOf(await service.send('SEARCH', '/activity', { query: {} }, { token: null }))).toBe('FORBIDDEN')
  })

  test('they cannot be written', async () => {
    for (const path of ['/activity', '/revisions', '/activity/1', '/revisions/1'])
      for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
        expect([path, method, codeOf(await service.send(method, path, { action: 'create' }))]).toEqual([
          path,
          method,
          'ROUTE_NOT_FOUND',
        ])
  })

  test('what is concealed is not kept, and a column named delta does no harm', async () => {
    dataOf(await service.send('PATCH', '/fields/secrets/pin', { meta: { special: ['conceal'] } }))
    dataOf(await service.send('POST', '/items/secrets', { id: 1, pin: '1234' }))
    dataOf(await service.send('PATCH', '/items/secrets/1', { pin: '5678' }))
    const rows = await list('/revisions', {
      filter: { collection: { _eq: 'secrets' } },
      sort: 'id',
      fields: 'data,delta',
    })
    expect(rows.map(({ data }) => data)).toEqual(rows.map(() => ({ id: 1, pin: '**********', delta: null })))
    expect(rows).toHaveLength(2)
    expect(rows[1]?.['delta']).toEqual({ pin: '**********' })
    expect(await list('/revisions', { search: '5678' })).toEqual([])
  })
})

describe('beside the collections of the user', () => {
  test('they are listed, marked as the system’s, and cannot be changed', async () => {
    const { meta, schema } = dataOf(await service.get('/collections/service_activity')) as { meta: Row; schema: Row }
    expect(meta).toMatchObject({ collection: 'service_activity', system: true, accountability: null })
    expect(schema).toMatchObject({ schema: 'tain', name: 'service_activity', is_read_only: false })
    const fields = await list('/fields/service_revisions')
    expect(fields.map(({ field, type }) => [field, type])).toContainEqual(['data', 'json'])
    expect(await list('/relations/service_revisions')).toMatchObject([
      { field: 'activity', related_collection: 'service_activity', meta: { one_field: 'revisions' } },
    ])
    for (const [method, path, body] of [
      ['PATCH', '/collections/service_activity', { meta: { hidden: true } }],
      ['PATCH', '/fields/service_activity/action', { meta: { note: 'x' } }],
      ['POST', '/fields/service_activity', { field: 'more', type: 'string', meta: {} }],
      ['PATCH', '/relations/service_revisions/activity', { meta: { sort_field: 'id' } }],
    ] as const)
      expect([path, codeOf(await service.send(method, path, body))]).toEqual([path, 'FORBIDDEN'])
  })

  test('they are listed for administrators only', async () => {
    const answer = await service.get('/collections', { token: null })
    expect(answer.text).not.toContain('service_activity')
  })

  test('they are no items, in the words for what does not exist', async () => {
    const sentence = (name: string) =>
      `You don't have permission to access collection "${name}" or it does not exist. Queried in root.`
    for (const name of ['service_activity', 'service_revisions', 'service_nothing']) {
      const answers = [
        await service.get(`/items/${name}`),
        await service.get(`/items/${name}/1`),
        await service.search(name, {}),
        await service.send('SEARCH', `/items/${name}`, { keys: [1] }),
        await service.send('POST', `/items/${name}`, {}),
        await service.send('PATCH', `/items/${name}/1`, {}),
        await service.send('DELETE', `/items/${name}`, [1]),
        await service.send('POST', '/batch', [{ method: 'DELETE', path: `/items/${name}/1` }]),
        await service.send('POST', `/utils/sort/${name}`, { item: 1, to: 2 }),
      ]
      expect(answers.map(errorOf)).toEqual(answers.map(() => [403, sentence(name)]))
    }
  })

  test('a table of the user keeps its name, and theirs stays under its address', async () => {
    await database.query(`create table service_activity (id integer primary key, note text)`)
    await database.query(`insert into service_activity values (7, 'mine')`)
    await service.send('PATCH', '/collections/tags', { meta: { note: 'a new version' } })
    await expect.poll(async () => (await service.get('/items/service_activity')).status).toBe(200)
    expect(await list('/items/service_activity')).toEqual([{ id: 7, note: 'mine' }])
    expect(await list('/activity', { fields: 'action', limit: 1, sort: 'id' })).toEqual([{ action: 'create' }])
    expect(await list('/revisions', { fields: 'activity.action', limit: 1, sort: 'id' })).toEqual([
      { activity: { action: 'create' } },
    ])
    expect(dataOf(await service.get('/collections/tain.service_activity'))).toMatchObject({ meta: { system: true } })
    expect(codeOf(await service.get('/items/tain.service_activity'))).toBe('FORBIDDEN')
    await database.query('drop table service_activity')
  })

  test('without tables of its own the service has none of them', async () => {
    const other = await openService({ DATABASE_URL: database.url, READ_ONLY: 'true' })
    try {
      expect(codeOf(await other.get('/activity'))).toBe('FORBIDDEN')
      expect((await other.get('/collections')).text).not.toContain('service_')
    } finally {
      await other.stop()
    }
  })
})
