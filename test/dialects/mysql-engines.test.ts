import { describe, expect, test } from 'vitest'
import { codeOf, dataOf, TOKEN, type Answer } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** MariaDB storage engines without transactions: a rollback does not undo writes. */
const engines = ['MyISAM', 'Aria', 'MEMORY'] as const

describe.each(engines)('tables of the engine %s', (engine) => {
  const { database, service } = useWorld({
    dialect: 'mysql',
    tables: `
      create table loose (id int auto_increment primary key, word varchar(20) unique, parent int, sort int) engine = ${engine};
      create table safe (id int auto_increment primary key, word varchar(20), loose int) engine = InnoDB;
      insert into loose (word, sort) values ('a', 1), ('b', 2), ('c', 3);
      insert into safe (word) values ('a'), ('b')`,
    prepare: async () => {
      const relations = [
        { collection: 'safe', field: 'loose', related_collection: 'loose', meta: { one_field: 'safes' }, schema: null },
        {
          collection: 'loose',
          field: 'parent',
          related_collection: 'safe',
          meta: { one_field: 'looses' },
          schema: null,
        },
      ]
      for (const relation of relations) dataOf(await service.send('POST', '/relations', relation))
      for (const [collection, field] of [
        ['loose', 'safes'],
        ['safe', 'looses'],
      ] as const)
        dataOf(
          await service.send('POST', `/fields/${collection}`, { field, type: 'alias', meta: { special: ['o2m'] } }),
        )
    },
  })

  const stored = async () => [
    await database.query('select id, word, parent, sort from loose order by id'),
    await database.query('select id, word, loose from safe order by id'),
  ]

  const refused = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        errors: [
          { extensions: { code: 'UNPROCESSABLE_CONTENT', reason: expect.stringContaining('without transactions') } },
        ],
      },
    })
  }

  const dryRun = { headers: { prefer: 'tx=rollback' } }

  test('are listed when the service starts', () => {
    expect(service.lines()).toContainEqual(
      expect.objectContaining({
        msg: expect.stringContaining('without transactions') as string,
        collections: ['loose'],
      }),
    )
  })

  test('refuse dry runs', async () => {
    const before = await stored()
    await refused(service.send('POST', '/items/loose', { word: 'x' }, dryRun))
    await refused(service.send('PATCH', '/items/loose/1', { word: 'x' }, dryRun))
    await refused(service.send('DELETE', '/items/loose/1', undefined, dryRun))
    await refused(service.send('PUT', '/items/loose/1', { word: 'x' }, dryRun))
    await refused(service.send('POST', '/items/safe', { word: 'x', looses: [{ word: 'y' }] }, dryRun))
    expect(await stored()).toEqual(before)
  })

  test('refuse writes of more than one row', async () => {
    const before = await stored()
    await refused(service.send('POST', '/items/loose', [{ word: 'x' }, { word: 'y' }, { word: 'a' }]))
    await refused(service.send('PATCH', '/items/loose', { keys: [1, 2], data: { sort: 9 } }))
    await refused(service.send('PATCH', '/items/loose', { query: { filter: { id: { _gt: 1 } } }, data: { sort: 9 } }))
    await refused(
      service.send('PATCH', '/items/loose', [
        { id: 1, word: 'x' },
        { id: 2, word: 'y' },
      ]),
    )
    await refused(service.send('DELETE', '/items/loose', [1, 2]))
    await refused(service.send('DELETE', '/items/loose', { query: { filter: { id: { _gt: 1 } } } }))
    await refused(service.send('PUT', '/items/loose?on_conflict=word', [{ word: 'a' }, { word: 'x' }]))
    await refused(service.send('POST', '/utils/sort/loose', { item: 1, to: 2 }))
    expect(await stored()).toEqual(before)
  })

  test('refuse nested writes, batches and imports', async () => {
    const before = await stored()
    await refused(service.send('POST', '/items/safe', { word: 'x', looses: [{ word: 'y' }] }))
    await refused(service.send('POST', '/items/loose', { word: 'x', safes: [{ word: 'y' }] }))
    await refused(service.send('PATCH', '/items/safe/1', { looses: [{ id: 1, word: 'y' }] }))
    await refused(service.send('PATCH', '/items/safe/1', { loose: { word: 'y' } }))
    const batch = [
      { method: 'POST', path: '/items/safe', body: { word: 'x' } },
      { method: 'POST', path: '/items/loose', body: { word: 'x' } },
    ]
    await refused(service.send('POST', '/batch', batch))
    const form = new FormData()
    form.set('file', new Blob([JSON.stringify([{ word: 'x' }])], { type: 'application/json' }), 'a.json')
    const headers = { authorization: `Bearer ${TOKEN}` }
    const answer = await fetch(`${service.url}/utils/import/loose`, { method: 'POST', headers, body: form })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 422,
      body: { errors: [{ extensions: { code: 'UNPROCESSABLE_CONTENT' } }] },
    })
    expect(await stored()).toEqual(before)
  })

  test('take single rows', async () => {
    const { id } = dataOf(await service.send('POST', '/items/loose', { word: 'new', sort: 4 })) as { id: number }
    expect(dataOf(await service.send('PATCH', `/items/loose/${id}`, { word: 'newer' }))).toMatchObject({
      word: 'newer',
    })
    expect(dataOf(await service.send('PATCH', '/items/loose', { keys: [id], data: { sort: 5 } }))).toMatchObject([
      { sort: 5 },
    ])
    expect(dataOf(await service.send('PATCH', '/items/safe/1', { loose: id }))).toMatchObject({ loose: id })
    expect(
      dataOf(await service.send('PUT', '/items/loose?on_conflict=word', { word: 'newer', sort: 6 })),
    ).toMatchObject({
      id,
      sort: 6,
    })
    const made = dataOf(await service.send('PUT', `/items/loose/${id + 50}`, { word: 'put' }))
    expect(made).toMatchObject({ id: id + 50, word: 'put' })
    const { body } = await service.send('POST', '/graphql', {
      query: `mutation { update_loose_item(id: ${id}, data: { sort: 7 }) { sort } }`,
    })
    expect(body).toEqual({ data: { update_loose_item: { sort: 7 } } })
    expect(codeOf(await service.send('POST', '/items/loose', { word: 'newer' }))).toBe('RECORD_NOT_UNIQUE')
    const gone = { query: { filter: { id: { _eq: id } } } }
    expect((await service.send('DELETE', '/items/loose', gone)).status).toBe(204)
    expect((await service.send('DELETE', `/items/loose/${id + 50}`)).status).toBe(204)
    expect(await database.query('select count(*) from loose')).toEqual([['3']])
    expect((await service.send('POST', '/items/safe', [{ word: 'x' }, { word: 'y' }], dryRun)).status).toBe(200)
  })
})
