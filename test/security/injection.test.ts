import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from './world.ts'

/** Strings that end a quotation, begin a statement or have a special meaning for code that concatenates strings. */
const hostile = [
  `"`,
  `'`,
  `";select pg_sleep(9)--`,
  `x" from articles; drop table vault; --`,
  `x') or 1=1 --`,
  `$1`,
  `?`,
  `:name`,
  `%s`,
  '`',
  '\\',
  `a\nb`,
  `/* x */`,
  `id::text`,
  `t0`,
  `c0`,
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toString.call',
  'hasOwnProperty',
  '__proto__.polluted',
  'constructor.prototype.polluted',
]

let world: World
let reader: Caller

beforeAll(async () => {
  world = await createWorld()
  reader = await world.person(
    ['articles', 'authors', 'notes'].flatMap((name) =>
      ['create', 'read', 'update'].map((action) => grant(name, action)),
    ),
  )
})

afterAll(() => world.end())

/** Describes a response that should be a refusal but is not; null if it is a refusal. */
const faultOf = (what: unknown, { status, text }: Answer): string | null =>
  status >= 400 && status < 500 ? null : `${JSON.stringify(what)}: ${status} ${text}`

const json = { 'content-type': 'application/json' }

describe('names are looked up, never written into a statement', () => {
  // CVE-2026-9082 (Drupal), CVE-2017-16082, GHSA-7xxh-373w-35vg CVE-2026-34747, GHSA-3xcq-8mjw-h6mx
  test.each(hostile)('%j', async (name) => {
    const before = await world.fingerprint()
    const escaped = name.replace(/[\\.,:()\s-]/gu, (found) => `\\${found}`)
    const queries: readonly Row[] = [
      { fields: [escaped] },
      { fields: [`author.${escaped}`] },
      { sort: [escaped] },
      { sort: [`-${escaped}`] },
      { groupBy: [escaped], aggregate: { count: '*' } },
      { aggregate: { min: escaped } },
      { aggregate: { [name]: 'id' } },
      { filter: { [name]: { _eq: 1 } } },
      { filter: { id: { [name]: 1 } } },
      { filter: { [`year(${name})`]: { _eq: 1 } } },
      { filter: { author: { [name]: { _eq: 1 } } } },
      { filter: { [`$FOLLOW(${name},id)`]: { id: { _eq: 1 } } } },
      { deep: { [name]: { _limit: 1 } } },
      { deep: { author: { [name]: 1 } } },
      { fields: ['author.*'], deep: { author: { _filter: { [name]: { _eq: 1 } } } } },
      { alias: { x: name } },
      { meta: [name] },
      { export: name },
      { [name]: 1 },
    ]
    for (const query of queries) expect(faultOf(query, await reader.search('articles', query))).toBeNull()
    // An alias is a name that the caller chooses: it comes back unchanged.
    const aliased = await reader.search('articles', { alias: { [name]: 'title' }, fields: [escaped], limit: 1 })
    const names = aliased.status === 200 ? Object.keys((dataOf(aliased) as Row[])[0] ?? {}) : faultOf(name, aliased)
    expect(names ?? [name]).toEqual([name])
    const path = encodeURIComponent(name)
    for (const address of [
      `/items/${path}`,
      `/items/articles?fields=${encodeURIComponent(escaped)}`,
      `/items/articles?filter[${path}][_eq]=1`,
      `/items/articles?filter[id][${path}]=1`,
      `/items/articles?aggregate[${path}]=id`,
      `/items/articles?deep[${path}][_limit]=1`,
      `/fields/articles/${path}`,
      `/relations/articles/${path}`,
      `/permissions/me/${path}/1`,
    ])
      expect(faultOf(address, await reader.get(address))).toBeNull()
    for (const body of [
      JSON.stringify({ [name]: 1 }),
      JSON.stringify({ author: { [name]: 1 } }),
      JSON.stringify({ notes: [{ [name]: 1 }] }),
      JSON.stringify({ notes: { [name]: [] } }),
    ])
      expect(faultOf(body, await reader.send('POST', '/items/articles', body, json))).toBeNull()
    expect(faultOf(name, await reader.send('PUT', `/items/articles?on_conflict=${path}`, { title: 'x' }))).toBeNull()
    expect(
      faultOf(name, await reader.upload('articles', `"${name.replaceAll('"', '""')}"\n1\n`, 'text/csv')),
    ).toBeNull()
    expect(await world.fingerprint()).toBe(before)
    expect((await reader.get('/items/articles/1')).status).toBe(200)
  })

  test('keys of an array are positions, and the same whichever they are', async () => {
    for (const address of [
      '/items/articles?filter[id][_in][0]=1&filter[id][_in][1]=2',
      '/items/articles?filter[id][_in][]=1&filter[id][_in][]=2',
    ])
      expect(dataOf(await reader.get(`${address}&fields=id`))).toEqual([{ id: 1 }, { id: 2 }])
    for (const key of ['1);--', '__proto__', '1e9', '-1'])
      expect(faultOf(key, await reader.get(`/items/articles?filter[id][_in][${encodeURIComponent(key)}]=1`))).toBeNull()
  })
})

describe('values are values', () => {
  test.each(hostile)('%j', async (value) => {
    const before = await world.fingerprint()
    const filters: readonly Row[] = [
      { title: { _eq: value } },
      { title: { _in: [value] } },
      { title: { _contains: value } },
      { title: { _starts_with: value } },
      { _or: [{ title: { _icontains: value } }] },
    ]
    for (const filter of filters)
      expect([filter, dataOf(await reader.search('articles', { filter }))]).toEqual([filter, []])
    expect(dataOf(await reader.search('articles', { search: value }))).toEqual([])
    expect(faultOf(value, await reader.get(`/items/articles/${encodeURIComponent(value)}`))).toBeNull()
    expect(faultOf(value, await reader.search('articles', { filter: { id: { _eq: value } } }))).toBeNull()
    expect(faultOf(value, await reader.search('articles', { cursor: value }))).toBeNull()
    expect(faultOf(value, await reader.search('articles', { limit: value }))).toBeNull()
    expect(await world.fingerprint()).toBe(before)
    const { id } = dataOf(await reader.send('POST', '/items/articles', { title: value })) as { id: number }
    expect(dataOf(await reader.get(`/items/articles/${id}`, { fields: 'title' }))).toEqual({ title: value })
    expect((await world.admin.send('DELETE', `/items/articles/${id}`)).status).toBe(204)
  })

  // CVE-2026-25544, CVE-2026-28399: paths, units and formats
  test('paths into JSON are keys, not a language', async () => {
    for (const path of [
      `a' or '1'='1`,
      `$.level`,
      `level")`,
      `a.*`,
      `..`,
      `a[*]`,
      `a[?(@.x)]`,
      `"a"`,
      `{level}`,
      `a,b}`,
    ]) {
      expect(faultOf(path, await reader.search('articles', { fields: [`json(details, ${path})`] }))).toBeNull()
      const filtered = await reader.search('articles', { filter: { details: { _json: { [path]: { _eq: 1 } } } } })
      const found = filtered.status === 200 ? dataOf(filtered) : faultOf(path, filtered)
      expect([path, found ?? []]).toEqual([path, []])
    }
    expect(
      dataOf(await reader.search('articles', { filter: { details: { _json: { level: { _eq: 2 } } } } })),
    ).toHaveLength(1)
  })

  test('distances in time have units of a list', async () => {
    for (const value of [`$NOW(1 day'; select 1)`, '$NOW(1 fortnight)', `$NOW(-1)); --`, '$NOW(1e999 years)'])
      expect(faultOf(value, await world.admin.get('/activity', { filter: { timestamp: { _gt: value } } }))).toBeNull()
  })

  // reliability row 20
  test('what means something in a pattern means itself', async () => {
    const titles = ['50%', '50x', 'a_b', 'axb', 'back\\slash', '[a]', '.*']
    for (const title of titles) dataOf(await reader.send('POST', '/items/articles', { title, status: 'patterns' }))
    for (const operator of ['_contains', '_icontains', '_starts_with', '_ends_with']) {
      for (const value of ['50%', 'a_b', 'back\\slash', '[a]', '.*']) {
        const filter = { status: { _eq: 'patterns' }, title: { [operator]: value } }
        expect([operator, dataOf(await reader.search('articles', { filter, fields: ['title'] }))]).toEqual([
          operator,
          [{ title: value }],
        ])
      }
    }
    for (const [search, found] of [
      ['50%', 1],
      ['a_b', 1],
      ['%', 1],
      ['_', 1],
    ] as const)
      expect([search, dataOf(await reader.search('articles', { search }))]).toEqual([
        search,
        expect.objectContaining({ length: found }),
      ])
    await world.database.query(`delete from articles where status = 'patterns'`)
  })

  test('a NUL, a lone half of a character and a broken encoding are refused or match nothing', async () => {
    const before = await world.fingerprint()
    for (const value of ['a\\u0000b', '\\ud800', '\\udfff\\ud800']) {
      for (const body of [`{"title":"${value}"}`, `{"details":{"a":"${value}"}}`, `{"details":{"${value}":1}}`])
        expect(faultOf(body, await reader.send('POST', '/items/articles', body, json))).toBeNull()
      for (const query of [
        `{"filter":{"title":{"_eq":"${value}"}}}`,
        `{"filter":{"title":{"_contains":"${value}"}}}`,
        `{"search":"${value}"}`,
        `{"filter":{"details":{"_json":{"level":{"_eq":"${value}"}}}}}`,
      ]) {
        const answer = await reader.send('SEARCH', '/items/articles', `{"query":${query}}`, json)
        expect([query, answer.status === 200 ? answer.text : answer.status]).toEqual([
          query,
          answer.status === 200 ? '{"data":[]}' : 400,
        ])
      }
    }
    for (const path of ['/items/articles/%00', '/items/%00', '/items/articles/%ff', '/items/articles?fields=%00'])
      expect(faultOf(path, await reader.get(path))).toBeNull()
    expect(await world.fingerprint()).toBe(before)
  })
})

describe('objects from outside have no prototype to spoil', () => {
  // GHSA-gwvv-rr68-cmv6, CVE-2022-24999
  test('nothing that was sent shows in anything that was not', async () => {
    const names = ['__proto__', 'constructor', 'prototype']
    const bodies = names.flatMap((name) => [
      `{"query":{"deep":{"${name}":{"polluted":"yes","_limit":1}}}}`,
      `{"query":{"filter":{"${name}":{"polluted":"yes"}}}}`,
      `{"query":{"alias":{"${name}":"title"}}}`,
      `{"query":{"aggregate":{"${name}":{"polluted":"yes"}}}}`,
      `{"${name}":{"polluted":"yes"}}`,
    ])
    for (const body of bodies) await reader.send('SEARCH', '/items/articles', body, json)
    for (const name of names) {
      await reader.get(`/items/articles?deep[${name}][polluted]=yes&filter[${name}][polluted]=yes`)
      await reader.get(`/items/articles?${name}[polluted]=yes&a[${name}][b]=1`)
      await reader.get(`/items/articles?deep[author][${name}][${name}]=1&deep[toString][call]=1`)
      await reader.send('POST', '/items/articles', `{"${name}":{"polluted":"yes"},"title":"x"}`, json)
      await reader.send('PATCH', '/items/articles/1', `{"details":{"${name}":{"polluted":"yes"}}}`, json)
      await reader.upload('articles', `title,${name}.polluted\nx,yes\n`, 'text/csv')
      await reader.upload('articles', `[{"title":"x","${name}":{"polluted":"yes"}}]`, 'application/json')
      await world.admin.send('PATCH', '/collections/articles', `{"meta":{"${name}":{"polluted":"yes"}}}`, json)
      await world.admin.send('PATCH', '/settings', `{"module_bar":{"${name}":{"polluted":"yes"}}}`, json)
    }
    await world.admin.send('PATCH', '/items/articles/1', { details: { level: 1 } })
    for (const path of ['/items/articles', '/items/articles/1?fields=*.*', '/collections', '/fields', '/server/info'])
      expect([path, (await reader.get(path)).text.includes('polluted')]).toEqual([path, false])
    const made = dataOf(await reader.send('POST', '/items/notes', { text: 'clean' })) as Row
    expect(Object.keys(made).sort()).toEqual(['article', 'id', 'private', 'text'])
  })

  test('a document keeps such keys as the data they are', async () => {
    const details = '{"__proto__":{"a":1},"constructor":{"prototype":2}}'
    await reader.send('PATCH', '/items/articles/1', `{"details":${details}}`, json)
    const { text } = await reader.get('/items/articles/1', { fields: 'details' })
    expect(text.replaceAll(' ', '')).toBe(`{"data":{"details":${details}}}`)
    await world.admin.send('PATCH', '/items/articles/1', { details: { level: 1 } })
  })

  test('the kind of a file is none of the words that objects inherit', async () => {
    for (const kind of ['constructor', '__proto__', 'toString', 'x/constructor']) {
      const form = new FormData()
      form.append('file', new Blob(['[]'], { type: kind }), `rows.${kind.replace('x/', '')}`)
      const response = await fetch(`${world.service.url}/utils/import/articles`, {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${reader.token ?? ''}` },
      })
      expect([kind, response.status]).toEqual([kind, 415])
    }
  })
})

describe('an address has limits, and whatever is beyond is refused', () => {
  // reliability row 41: CVE-2025-15284, CVE-2026-2391
  const addresses: Readonly<Record<string, string>> = {
    'many parameters': 'a&'.repeat(1001),
    'many entries of a list': 'sort[]=id&'.repeat(1001),
    'many levels': `filter${'[_and][0]'.repeat(30)}[id]=1`,
    'one name in two ways': 'filter=1&filter[id]=1',
    'a list and an object': 'filter[id][_in][]=1&filter[id][_in][x]=2',
    'a broken encoding': 'filter[id]=%',
  }
  test.each(Object.entries(addresses))('%s', async (_, query) => {
    const answer = await reader.get(`/items/articles?${query}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
  })

  test('paths, filters and lists of a body have limits as well', async () => {
    const deep = (levels: number): Row => (levels === 0 ? { id: { _eq: 1 } } : { _and: [deep(levels - 1)] })
    const queries: readonly Row[] = [
      { fields: [`${'author.articles.'.repeat(20)}id`] },
      { sort: [`${'author.articles.'.repeat(20)}id`] },
      { filter: deep(2000) },
      { fields: ['*'.concat('.*'.repeat(30))] },
    ]
    for (const query of queries)
      expect(faultOf(JSON.stringify(query).slice(0, 60), await reader.search('articles', query))).toBeNull()
    expect(
      faultOf('brackets', await reader.send('SEARCH', '/items/articles', `{"query":${'['.repeat(100_000)}`, json)),
    ).toBeNull()
  })
})
