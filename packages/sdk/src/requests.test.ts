import { procedures, type ProcedureRow } from '@tain/contract'
import { collections } from '@tain/contract/collections'
import { describe, expect, test } from 'vitest'
import { requestOf } from './call.ts'
import { fakeService, json, refusal } from './fake-service.ts'
import { createClient } from './index.ts'
import type { Procedure } from './procedure.ts'
import * as exported from './procedures.ts'

function recorded(data: unknown = [{ id: 1 }]) {
  const service = fakeService(() => json({ data }))
  return { ...service, tain: createClient({ url: 'http://tain', fetch: service.fetch, auth: 'x' }) }
}

const line = ({ method, url }: { readonly method: string; readonly url: string }) =>
  `${method} ${decodeURIComponent(url.slice('http://tain'.length))}`

describe('reads', () => {
  test('are query strings: lists with commas, objects as JSON', async () => {
    const { tain, asked } = recorded()
    await tain.items('a b').list({ fields: ['id', 'x.y'], filter: { id: { _gt: 1 } }, sort: '-id', limit: 5 })
    expect(asked.map(line)).toEqual(['GET /items/a b?fields=id,x.y&filter={"id":{"_gt":1}}&sort=-id&limit=5'])
  })

  test('that are too long for an address are sent as SEARCH', async () => {
    const { tain, asked } = recorded()
    const filter = { id: { _in: Array.from({ length: 2000 }, (_, index) => index) } }
    await tain.items('tags').list({ filter })
    await tain.items('tags').read(7, { alias: { x: 'y'.repeat(7000) } })
    expect(asked.map(line)).toEqual(['SEARCH /items/tags', 'SEARCH /items/tags'])
    expect(asked[0]?.body).toEqual({ query: { filter } })
    expect(asked[1]?.body).toMatchObject({ keys: [7] })
  })

  test('are sent as POST if a proxy refuses SEARCH', async () => {
    const service = fakeService(
      () => refusal(405, 'METHOD_NOT_ALLOWED'),
      () => json({ data: [] }),
    )
    const tain = createClient({ url: 'http://tain', fetch: service.fetch })
    expect(await tain.items('tags').list({ search: 'x'.repeat(7000) })).toEqual([])
    expect(service.asked[1]?.method).toBe('POST')
    expect(service.asked[1]?.headers['x-http-method-override']).toBe('SEARCH')
  })

  test('names with commas are escaped by the caller, and not split', async () => {
    const { tain, asked } = recorded()
    await tain.items('tags').list({ fields: ['a\\,b', 'c'] })
    expect(asked.map(line)).toEqual([String.raw`GET /items/tags?fields=a\,b,c`])
  })

  test('every page is read until there is no cursor', async () => {
    const service = fakeService(
      () => json({ data: [{ id: 1 }, { id: 2 }], meta: { next_cursor: 'more' } }),
      () => json({ data: [{ id: 3 }], meta: { next_cursor: null } }),
    )
    const tain = createClient({ url: 'http://tain', fetch: service.fetch })
    const found: unknown[] = []
    for await (const { id } of tain.items('tags').each({ limit: 2 })) found.push(id)
    expect(found).toEqual([1, 2, 3])
    expect(service.asked.map(line)).toEqual([
      'GET /items/tags?limit=2&meta=cursor',
      'GET /items/tags?limit=2&meta=cursor&cursor=more',
    ])
  })
})

describe('keys', () => {
  test('are encoded; the parts of composite ones are joined by commas', async () => {
    const { tain, asked } = recorded({})
    await tain.items('lines').read([1, 'a,b/c'])
    await tain.items('tags').read('a/c')
    await tain.items('lines').deleteMany([[1, 2]])
    expect(asked.map(({ url }) => url.slice('http://tain'.length))).toEqual([
      '/items/lines/1,a%2Cb%2Fc',
      '/items/tags/a%2Fc',
      '/items/lines',
    ])
    expect(asked[2]?.body).toEqual({ keys: ['1,2'] })
  })
})

describe('texts with commas', () => {
  test('are keys in a body, where the service knows whether they are composite', async () => {
    const service = fakeService(() => json({ data: [{ id: 1 }], meta: { etags: ['v'] } }))
    const lines = createClient({ url: 'http://tain', fetch: service.fetch }).items('lines')
    expect(await lines.readWithMeta('1,2')).toEqual({ data: { id: 1 }, etag: 'v' })
    expect(await lines.update('1,2', { a: 1 })).toEqual({ id: 1 })
    await lines.delete('1,2')
    await expect(lines.update('1,2', { a: 1 }, {}, { ifMatch: 'v' })).rejects.toThrow('list of its parts')
    expect(service.asked.map((each) => [line(each), each.body])).toEqual([
      ['SEARCH /items/lines', { keys: ['1,2'], query: { meta: ['etag'] } }],
      ['PATCH /items/lines', { keys: ['1,2'], data: { a: 1 } }],
      ['DELETE /items/lines', { keys: ['1,2'] }],
    ])
  })

  test('also in batches, whose results are rows', async () => {
    const { tain, asked } = recorded([{ status: 200, data: [{ id: 1 }] }])
    expect(await tain.batch((items) => [items('lines').update('1,2', { a: 1 })])).toEqual([{ id: 1 }])
    expect(asked[0]?.body).toEqual([{ method: 'PATCH', path: '/items/lines', body: { keys: ['1,2'], data: { a: 1 } } }])
  })
})

describe('undefined', () => {
  const { tain, asked } = recorded()
  const tags = tain.items('tags')

  test.each([
    ['filter: _eq', () => tags.list({ filter: { id: { _eq: undefined } } })],
    ['filter: id', () => tags.find({ filter: { _and: [{ id: undefined }] } })],
    ['filter: 1', () => tags.deleteMany({ filter: { id: { _in: [1, undefined] } } })],
    ['filter: _eq', () => tags.updateMany({ filter: { id: { _eq: undefined } } }, { a: 1 })],
    ['filter: id', () => tags.list({ deep: { posts: { comments: { _filter: { id: undefined } } } } })],
    ['filter: id', () => tags.list({ filter: { id: undefined }, search: 'x'.repeat(7000) })],
    ['filter: id', () => tain.batch((items) => [items('tags').deleteMany({ filter: { id: undefined } })])],
    ['filter: id', () => tags.read('1,2', { deep: { posts: { _filter: { id: undefined } } } })],
    ['key', () => tags.read(undefined as never)],
    ['key', () => tags.readWithMeta(undefined as never)],
    ['key', () => tags.update(undefined as never, { a: 1 })],
    ['key', () => tags.delete([1, undefined] as never)],
    ['key', () => tags.deleteMany([1, undefined] as never)],
    ['a list of keys or a query', () => tags.deleteMany(undefined as never)],
  ])('in a condition or a key is not sent: %s', async (name, send) => {
    await expect(send()).rejects.toThrow(name)
    expect(asked).toEqual([])
  })

  test('outside of conditions is left out', async () => {
    const { tain, asked } = recorded()
    await tain
      .items('tags')
      .list({ filter: undefined, limit: undefined, deep: { posts: { _limit: undefined } } } as never)
    expect(asked.map(line)).toEqual(['GET /items/tags?deep={"posts":{}}'])
  })
})

describe('writes', () => {
  test('are the methods of the service', async () => {
    const { tain, asked } = recorded({})
    const tags = tain.items('tags')
    await tags.create({ a: 1 }, { fields: ['id'] }, { dryRun: true })
    await tags.update(1, { a: 2 }, {}, { ifMatch: '"v"' })
    await tags.updateMany([1, 2], { a: 3 })
    await tags.updateMany({ filter: { a: 1 } }, { a: 3 })
    await tags.updateMany({ all: true, limit: 2 }, { a: 3 })
    await tags.deleteMany({ all: true })
    await tags.upsert({ a: 1 }, { on_conflict: 'a' })
    await tags.delete(1)
    await tain.items('motto').update({ a: 5 })
    expect(asked.map((each) => [line(each), each.body])).toEqual([
      ['POST /items/tags?fields=id', { a: 1 }],
      ['PATCH /items/tags/1', { a: 2 }],
      ['PATCH /items/tags', { keys: [1, 2], data: { a: 3 } }],
      ['PATCH /items/tags', { query: { filter: { a: 1 } }, data: { a: 3 } }],
      ['PATCH /items/tags', { all: true, query: { limit: 2 }, data: { a: 3 } }],
      ['DELETE /items/tags', { all: true, query: {} }],
      ['PUT /items/tags?on_conflict=a', { a: 1 }],
      ['DELETE /items/tags/1', undefined],
      ['PATCH /items/motto', { a: 5 }],
    ])
    expect(asked[0]?.headers['prefer']).toBe('tx=rollback')
    expect(asked[1]?.headers['if-match']).toBe('"v"')
  })

  test('several in one transaction are one request', async () => {
    const { tain, asked } = recorded([{ status: 200, data: { id: 1 } }, { status: 204 }])
    const results = await tain.batch((items) => [items('a').create({ x: 1 }), items('b').delete([1, 2])])
    expect(results).toEqual([{ id: 1 }, undefined])
    expect(line(asked[0] ?? { method: '', url: '' })).toBe('POST /batch')
    expect(asked[0]?.body).toEqual([
      { method: 'POST', path: '/items/a', body: { x: 1 } },
      { method: 'DELETE', path: '/items/b/1,2' },
    ])
    expect(asked[0]?.headers).toHaveProperty('idempotency-key')
  })
})

test.each(Object.values(collections))('$name is found at its own address', async ({ name, path }) => {
  const { tain, asked } = recorded()
  await tain.items(name).list()
  expect(asked.map(line)).toEqual([path === null ? `GET /items/${name}` : `GET /${path}`])
})

describe('procedures', () => {
  const rows = Object.entries<ProcedureRow>(procedures)
  const made = new Map<string, unknown>(Object.entries(exported))

  const bodyOf = (row: ProcedureRow) => {
    const sentIn = (source: string) => Object.keys(row.input).filter((member) => row.input[member] === source)
    const [[whole], members] = [sentIn('whole body'), sentIn('body')]
    if (row.hasDocument === true) return 'document'
    if (whole !== undefined) return `${whole} ,1`
    return members.length === 0 ? undefined : Object.fromEntries(members.map((each) => [each, `${each} ,1`]))
  }

  test('every row of the table is exported, and nothing else', () => {
    expect(Object.keys(exported).sort()).toEqual(rows.map(([name]) => name).sort())
  })

  /** A member for every place of a request. */
  const filled = (row: ProcedureRow) =>
    Object.fromEntries(Object.keys(row.input).map((name) => [name, `${name} ,1`] as const))

  test.each(rows)('%s sends every member of its input to its place', (name, row) => {
    const procedure = made.get(name) as Procedure<never, unknown>
    const constants = row.rest.at(-1)?.[2] ?? {}
    const input = { ...filled(row), ...constants, ...(row.hasDocument === true ? { document: 'document' } : {}) }
    const { method, path, body } = requestOf(procedure, input)
    const { pathname, searchParams } = new URL(path, 'http://tain')
    const [expectedMethod, expectedPath] = row.rest.at(-1) ?? ['', '']
    expect(method).toBe(expectedMethod)
    const parts = expectedPath.split('/').map((part) => {
      const parameter = part.slice(1)
      if (!part.startsWith(':')) return part
      return row.input[parameter] === 'raw path' ? encodeURI(`${parameter} ,1`) : encodeURIComponent(`${parameter} ,1`)
    })
    expect(pathname).toBe(parts.join('/'))
    const inQuery = Object.keys(row.input).filter((member) => row.input[member]?.startsWith('query'))
    expect(Object.fromEntries(searchParams)).toEqual(
      Object.fromEntries(inQuery.map((member) => [member, `${member} ,1`])),
    )
    expect(body).toEqual(bodyOf(row))
  })
})
