import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const types: Readonly<Record<TestDialect, readonly [key: string, long: string, prefix: string, suffix: string]>> = {
  postgres: ['bytea', 'bytea', `'\\x`, `'`],
  mysql: ['binary(3)', 'blob', `x'`, `'`],
  sqlite: ['blob', 'blob', `x'`, `'`],
}

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

describe.each(testDialects)('binary keys and sort columns on %s', (dialect) => {
  const keys = ['000000', '00ff5c', '2f2c25', '612c62', '7fffff', '800000', 'c3283f', 'fbfffe', 'ff0000', 'ffffff']
  const [key, long, prefix, suffix] = types[dialect]
  const literal = (hex: string) => `${prefix}${hex}${suffix}`

  const { database, service } = useWorld({
    dialect,
    tables: async (database) => {
      const rows = keys.map((hex, index) => `(${literal(hex)}, ${index}, ${index % 3 === 0 ? 'null' : literal(hex)})`)
      await database.query(`
      create table things (id ${key} not null primary key, n int, body ${long});
      create table parts (id int primary key, thing ${key}, foreign key (thing) references things (id));
      create table pairs (a ${key} not null, b int not null, n int, primary key (a, b));
      create table links (id int primary key, a ${key}, b int, foreign key (a, b) references pairs (a, b));
      insert into things values ${rows.join(', ')};
      insert into parts values (1, ${literal('2f2c25')}), (2, ${literal('2f2c25')}), (3, ${literal('ffffff')});
      insert into pairs values (${literal('2f2c25')}, 1, 1), (${literal('fbfffe')}, 2, 2);
      insert into links values (1, ${literal('2f2c25')}, 1), (2, ${literal('fbfffe')}, 2);`)
    },
  })

  const pages = async (sort: string, limit: number): Promise<number[]> => {
    const found: number[] = []
    let cursor: string | null = ''
    while (cursor !== null && found.length <= keys.length) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await service.get(`/items/things?fields=n&sort=${sort}&limit=${limit}&meta=cursor${after}`)
      const { data, meta } = body as { data: { n: number }[]; meta: { next_cursor: string | null } }
      found.push(...data.map(({ n }) => n))
      cursor = meta.next_cursor
    }
    return found
  }

  test('a cursor reaches every row', async () => {
    const all = keys.map((_, index) => index)
    expect(await pages('id', 4)).toEqual(all)
    expect(await pages('-id', 3)).toEqual(all.toReversed())
    for (const sort of ['body', '-body', 'body,-id', '-body,id']) {
      const whole = dataOf(await service.get(`/items/things?fields=n&sort=${sort}`)) as { n: number }[]
      expect(whole).toHaveLength(keys.length)
      expect(await pages(sort, 3)).toEqual(whole.map(({ n }) => n))
    }
  })

  test('a key that is shown addresses its row', async () => {
    for (const [index, hex] of keys.entries()) {
      const address = `/items/things/${encodeURIComponent(base64(hex))}`
      expect(dataOf(await service.get(address))).toMatchObject({ id: base64(hex), n: index })
      expect(dataOf(await service.send('PATCH', address, { n: index }))).toMatchObject({ id: base64(hex), n: index })
    }
    const filter = encodeURIComponent(JSON.stringify({ id: { _in: [base64('2f2c25'), base64('ffffff')] } }))
    expect(dataOf(await service.get(`/items/things?fields=n&filter=${filter}&sort=n`))).toEqual([{ n: 2 }, { n: 9 }])
  })

  test('rows under such keys are written, related and removed', async () => {
    const id = base64('0a0b0c')
    expect(dataOf(await service.send('POST', '/items/things', { id, n: 50, body: id }))).toEqual({
      id,
      n: 50,
      body: id,
    })
    expect(dataOf(await service.send('PATCH', '/items/things', { keys: [id], data: { n: 51 } }))).toEqual([
      { id, n: 51, body: id },
    ])
    const nested = { parts: [{ id: 10 }, { id: 11 }] }
    const address = `/items/things/${encodeURIComponent(id)}`
    expect(dataOf(await service.send('PATCH', `${address}?fields=n,parts.id`, nested))).toEqual({ n: 51, ...nested })
    expect(dataOf(await service.send('PATCH', `${address}?fields=parts`, { parts: [11] }))).toEqual({ parts: [11] })
    expect(await database.query('select id from parts where id >= 10 and thing is null')).toEqual([['10']])
    expect(dataOf(await service.get('/items/parts/11?fields=thing.id,thing.n'))).toEqual({ thing: { id, n: 51 } })
    expect(dataOf(await service.send('PATCH', '/items/parts/11', { thing: base64('ffffff') }))).toMatchObject({
      thing: '////',
    })
    expect((await service.send('DELETE', '/items/things', [id])).status).toBe(204)
    expect((await service.get(address)).status).toBe(403)
    expect((await service.send('DELETE', '/items/parts', [10, 11])).status).toBe(204)
  })

  test('a key of several columns with bytes among them addresses its row', async () => {
    const nested = dataOf(await service.get('/items/pairs?fields=n,links&sort=n'))
    expect(nested).toEqual([
      { n: 1, links: [1] },
      { n: 2, links: [2] },
    ])
    for (const [hex, b] of [
      ['2f2c25', 1],
      ['fbfffe', 2],
    ] as const) {
      const address = `/items/pairs/${encodeURIComponent(base64(hex))},${b}`
      expect(dataOf(await service.get(address))).toMatchObject({ a: base64(hex), b, n: b })
      expect(dataOf(await service.send('PATCH', address, { n: b }))).toMatchObject({ a: base64(hex), b, n: b })
    }
    const activity = await service.get('/activity?fields=item&filter[collection][_eq]=pairs&sort=id')
    const items = (dataOf(activity) as { item: string }[]).map(({ item }) => item)
    for (const item of items) expect((await service.get(`/items/pairs/${item}`)).status).toBe(200)
    expect(items).toHaveLength(2)
  })

  test('such keys are the same in GraphQL', async () => {
    const query = `{ things(sort: ["n"], limit: 3) { id n } parts(sort: ["id"]) { thing { id } }
      things_by_id(id: "${base64('2f2c25')}") { n } }`
    const { body } = await service.send('POST', '/graphql', { query })
    expect(body).toEqual({
      data: {
        things: keys.slice(0, 3).map((hex, n) => ({ id: base64(hex), n })),
        parts: ['2f2c25', '2f2c25', 'ffffff'].map((hex) => ({ thing: { id: base64(hex) } })),
        things_by_id: { n: 2 },
      },
    })
  })
})
