import { describe, expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** A SQLite column accepts values of every storage class, whatever its declared type. */
describe('values of SQLite in columns of another type', () => {
  const injection = `1,"admin":true`
  const cut = `{"a":1}\u0000,"b":2`
  const types = {
    whole: 'integer',
    big: 'bigint',
    part: 'real',
    price: 'decimal(10, 2)',
    exact: 'decimal_text',
    flag: 'boolean',
    word: 'text',
    short: 'varchar(20)',
    code: 'string',
    ident: 'uuid',
    day: 'date',
    bytes: 'blob',
    doc: 'json',
    bare: '',
  } as const
  type Column = keyof typeof types
  const columns = Object.keys(types) as Column[]
  const all = (value: unknown, names: readonly string[] = columns) =>
    Object.fromEntries(names.map((name) => [name, value]))

  /** The value stored in every column, and the value shown for each. */
  const rows: readonly (readonly [stored: string, shown: Readonly<Record<string, unknown>>])[] = [
    ['null', all(null)],
    ['1', { ...all('1'), whole: 1, part: 1, price: '1.00', exact: '1', flag: true, bytes: 'MQ==', doc: 1 }],
    ['0', { ...all('0'), whole: 0, part: 0, price: '0.00', flag: false, bytes: 'MA==', doc: 0 }],
    ['2.5', { ...all('2.5'), whole: 2.5, part: 2.5, price: '2.50', flag: 2.5, bytes: 'Mi41', doc: 2.5 }],
    [`'${injection}'`, { ...all(injection), bytes: Buffer.from(injection).toString('base64') }],
    [`'x'`, { ...all('x'), bytes: 'eA==' }],
    [`'"'`, { ...all('"'), bytes: 'Ig==' }],
    [`'\\x41'`, { ...all('\\x41'), bytes: 'XHg0MQ==' }],
    [`'{"a":1}'`, { ...all('{"a":1}'), bytes: 'eyJhIjoxfQ==', doc: { a: 1 } }],
    [`'{"a":1}' || char(0) || ',"b":2'`, { ...all(cut), bytes: Buffer.from(cut).toString('base64') }],
    [`x'00ff22'`, { ...all('\\x00ff22'), bytes: 'AP8i' }],
    [`x'7b7d'`, { ...all('\\x7b7d'), bytes: 'e30=' }],
  ]

  const { database, service } = useWorld({
    dialect: 'sqlite',
    tables: async (database) => {
      const declared = columns.map((name) => `${name} ${types[name]}`).join(', ')
      const values = rows.map(([stored], index) => `(${[index + 1, ...columns.map(() => stored)].join(', ')})`)
      const links = rows.map((_, index) => `(${index + 1}, ${index + 1})`)
      await database.query(`
      create table odd (id integer primary key, ${declared});
      insert into odd values ${values.join(', ')};
      create table links (id integer primary key, odd integer references odd (id));
      insert into links values ${links.join(', ')};`)
    },
  })

  const shown: readonly (Readonly<Record<string, unknown>> & { readonly id: number })[] = rows.map(
    ([, row], index) => ({
      id: index + 1,
      ...row,
    }),
  )

  test('are printed by their storage class, at the top level and nested', async () => {
    expect(dataOf(await service.get('/items/odd?fields=*&sort=id'))).toEqual(shown)
    for (const row of shown) expect(dataOf(await service.get(`/items/odd/${row.id}`))).toEqual(row)
    const nested = dataOf(await service.get('/items/links?fields=odd.*&sort=id'))
    expect(nested).toEqual(shown.map((odd) => ({ odd })))
    const listed = dataOf(await service.get('/items/odd?fields=links.odd.*&sort=id'))
    expect(listed).toEqual(shown.map((odd) => ({ links: [{ odd }] })))
  })

  test('are printed alike in GraphQL', async () => {
    const query = `{ odd(sort: ["id"]) { ${columns.join(' ')} } links(sort: ["id"]) { odd { ${columns.join(' ')} } } }`
    const { body } = await service.send('POST', '/graphql', { query })
    const { data } = body as { data: { odd: Record<string, unknown>[]; links: { odd: Record<string, unknown> }[] } }
    expect(data.links.map(({ odd }) => odd)).toEqual(data.odd)
    for (const [index, row] of data.odd.entries()) {
      const { id: _, price, exact, flag, ...rest } = shown[index] as Record<string, unknown>
      // The type of the field has true and false only; anything else is null with an error.
      expect(row).toMatchObject({ ...rest, flag: typeof flag === 'boolean' ? flag : null })
      expect([String(row['price']), String(row['exact'])]).toEqual([
        String(Number.isNaN(Number(price)) || price === null ? price : Number(price)),
        String(Number.isNaN(Number(exact)) || exact === null ? exact : Number(exact)),
      ])
    }
  })

  test('are printed alike in exports and revisions', async () => {
    const { body } = await service.get('/items/odd?export=json&sort=id')
    expect(body).toEqual(shown)
    for (const [index, row] of shown.entries()) {
      expect((await service.send('PATCH', `/items/links/${row.id}`, { odd: null })).status).toBe(200)
      const answer = await service.send('PATCH', `/items/odd/${row.id}`, { links: [row.id] })
      expect([index, answer.status]).toEqual([index, 200])
      await service.send('PATCH', `/items/odd/${row.id}`, { word: 'changed' })
      const [revision] = dataOf(
        await service.get(
          `/revisions?fields=data&filter[collection][_eq]=odd&filter[item][_eq]=${row.id}&sort=-id&limit=1`,
        ),
      ) as { data: Record<string, unknown> }[]
      expect(Object.keys(revision?.data ?? {})).toEqual(['id', ...columns])
      expect(revision?.data).toMatchObject({ id: row.id, whole: row['whole'], flag: row['flag'], word: 'changed' })
    }
    await database.query(
      rows.map(([stored], index) => `update odd set word = ${stored} where id = ${index + 1}`).join(';'),
    )
  })

  test('are grouped, aggregated and paged', async () => {
    for (const name of columns) {
      const type = types[name]
      if (type === 'json') continue
      const groups = dataOf(await service.get(`/items/odd?groupBy[]=${name}&aggregate[count]=id&limit=-1`))
      expect([name, (groups as unknown[]).length]).toEqual([name, rows.length])
      const found: unknown[] = []
      for (let cursor = ''; ;) {
        const { body } = await service.get(`/items/odd?fields=id&sort=${name}&limit=3&meta=cursor${cursor}`)
        const { data, meta } = body as { data: unknown[]; meta: { next_cursor: string | null } }
        found.push(...data)
        if (meta.next_cursor === null || found.length > rows.length) break
        cursor = `&cursor=${meta.next_cursor}`
      }
      expect([name, found]).toEqual([name, dataOf(await service.get(`/items/odd?fields=id&sort=${name}`))])
    }
    const least = { whole: 0, big: '0', part: 0, price: '0.00', exact: '0' }
    const numbers = Object.keys(least).join(',')
    expect(dataOf(await service.get(`/items/odd?aggregate[min]=${numbers}&aggregate[max]=${numbers}`))).toEqual([
      { min: least, max: { ...all('\\x7b7d', Object.keys(least)), exact: cut } },
    ])
    const sums = dataOf(
      await service.get('/items/odd?aggregate[sum]=whole,big,part,price&aggregate[avg]=whole,big,part,price'),
    )
    expect(sums).toHaveLength(1)
  })
})
