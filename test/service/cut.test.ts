import { describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, dataOf, openService } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const text = `${'ü€😀"\\\n'.repeat(50)}end`
const document = { words: Array.from({ length: 50 }, (_, n) => `wörd "${n}"`) }
const short = { a: 1 }
const key = 'k'.repeat(40)

const types: Readonly<Record<TestDialect, { readonly long: string; readonly json: string }>> = {
  postgres: { long: 'text', json: 'jsonb' },
  mysql: { long: 'longtext', json: 'json' },
  sqlite: { long: 'text', json: 'json' },
}

describe.each(testDialects)('cut on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      const { long, json } = types[dialect]
      await database.query(`create table notes (id varchar(50) not null primary key, body ${long}, note varchar(10),
      document ${json}, pin ${long}, parent varchar(50) references notes (id))`)
    },
    prepare: async () => {
      dataOf(await service.send('PATCH', '/fields/notes/pin', { meta: { special: ['conceal'] } }))
      for (const item of [
        { id: key, body: text, note: 'short', document, pin: text },
        { id: 'child', body: 'short', document: short, parent: key },
        { id: 'empty' },
      ])
        dataOf(await service.send('POST', '/items/notes', item))
    },
  })

  const read = async (path: string) => dataOf(await service.get(path)) as Readonly<Record<string, unknown>>[]
  const prefix = (value: string, characters: number) => Array.from(value).slice(0, characters).join('')

  test('shows the beginning of long texts and documents, and nothing else changes', async () => {
    const [whole] = await read(`/items/notes?filter[id]=${key}&fields=*`)
    expect(whole).toMatchObject({ body: text, document })
    const [cut] = await read(`/items/notes?filter[id]=${key}&fields=*&cut=20`)
    expect(cut).toEqual({ ...whole, body: prefix(text, 20), document: expect.any(String) as unknown })
    const printed = String(cut?.['document'])
    expect(Array.from(printed)).toHaveLength(20)
    expect(printed).toMatch(/^\{\s?"words"\s?:\s?\[/u)
  })

  test('leaves what is short enough', async () => {
    for (const id of ['child', 'empty'])
      expect(await read(`/items/notes?filter[id]=${id}&cut=20`)).toEqual(await read(`/items/notes?filter[id]=${id}`))
    expect(await read(`/items/notes?filter[id]=${key}&cut=100000`)).toEqual(
      await read(`/items/notes?filter[id]=${key}`),
    )
  })

  test('applies to nested rows and to one item, but not to keys', async () => {
    const [child] = await read('/items/notes?filter[id]=child&fields=parent.id,parent.body,parent.document&cut=20')
    expect(child).toEqual({
      parent: { id: key, body: prefix(text, 20), document: expect.any(String) as unknown },
    })
    const [plain] = await read('/items/notes?filter[id]=child&fields=parent&cut=5')
    expect(plain).toEqual({ parent: key })
    const item = dataOf(await service.get(`/items/notes/${key}?fields=id,body&cut=5`))
    expect(item).toEqual({ id: key, body: prefix(text, 5) })
  })

  test('changes neither filters nor the order nor the version of a row', async () => {
    const filter = encodeURIComponent(JSON.stringify({ body: { _ends_with: 'end' } }))
    expect(await read(`/items/notes?filter=${filter}&fields=id&cut=5`)).toEqual([{ id: key }])
    const tag = async (query: string) => (await service.get(`/items/notes/${key}${query}`)).headers.get('etag')
    expect(await tag('?cut=5')).toBe(await tag(''))
  })

  test.each(['0', '-1', 'x', '2147483648'])('is not %s', async (cut) => {
    expect(codeOf(await service.get(`/items/notes?cut=${cut}`))).toBe('INVALID_QUERY')
  })
})

test.skipIf(!testDialects.includes('postgres'))('cut of what PostgreSQL prints as text', async () => {
  const database = await createDatabase('postgres')
  await database.query('create table hosts (id int primary key, address inet, span interval, network cidr)')
  await database.query("insert into hosts values (1, '192.168.100.200', '3 days 04:05:06', '10.0.0.0/8')")
  const service = await openService({ DATABASE_URL: database.url })
  expect(dataOf(await service.get('/items/hosts?cut=5&fields=address,span,network'))).toEqual([
    { address: '192.1', span: 'P3DT4', network: '10.0.' },
  ])
  await service.stop()
  await database.drop()
})
