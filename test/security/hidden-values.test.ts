import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf } from '../lib/service.ts'
import { createWorld, grant, wordsOf, type Caller, type Row, type World } from './world.ts'

let world: World
/** Reads articles except for `internal` and authors except for their salaries. */
let reader: Caller
/** Reads all fields of authors, so that only concealed fields are hidden. */
let insider: Caller
/** Reads titles of all articles, and `internal` only of published ones. */
let partly: Caller

beforeAll(async () => {
  world = await createWorld()
  reader = await world.person([
    grant('articles', 'read', { fields: ['id', 'title', 'author', 'rank'] }),
    grant('authors', 'read', { fields: ['id', 'name'] }),
    grant('site', 'read', { fields: ['title'] }),
  ])
  insider = await world.person([grant('authors', 'read'), grant('articles', 'read')])
  partly = await world.person([
    grant('articles', 'read', { fields: ['id', 'title'] }),
    grant('articles', 'read', { fields: ['internal'], permissions: { status: { _eq: 'published' } } }),
  ])
})

afterAll(() => world.end())

/** Every position in which a request can name a field. */
const places = (field: string): readonly Row[] => [
  { fields: field },
  { fields: `*,${field}` },
  { filter: { [field]: { _starts_with: 'c' } } },
  { filter: { [field]: { _nnull: true } } },
  { filter: { _or: [{ id: { _eq: 1 } }, { _and: [{ [field]: { _eq: 'c' } }] }] } },
  { sort: field },
  { sort: `-${field}` },
  { groupBy: field, aggregate: { count: '*' } },
  { aggregate: { min: field } },
  { aggregate: { max: field } },
  { aggregate: { count: field } },
  { aggregate: { countDistinct: field } },
  { alias: { x: field }, fields: 'x' },
  { alias: { x: field } },
  { fields: `year(${field})` },
  { fields: `json(${field}, a)` },
  { filter: { [`year(${field})`]: { _eq: 1 } } },
  { filter: { [field]: { _json: { a: { _eq: 1 } } } } },
  { deep: { [field]: { _limit: 1 } }, fields: 'id' },
  { fields: `${field}.id` },
  { filter: { [field]: { id: { _eq: 1 } } } },
  { filter: { [field]: { _some: { id: { _eq: 1 } } } } },
  { fields: field, export: 'csv' },
  { filter: { [field]: { _starts_with: 'c' } }, fields: 'id', export: 'json' },
]

/** The same behind a relation, where the permissions of the related collection apply. */
const placesBehind = (field: string): readonly Row[] => [
  { fields: `author.${field}` },
  { filter: { author: { [field]: { _gt: 1 } } } },
  { filter: { author: { [field]: { _nnull: true } } } },
  { sort: `author.${field}` },
  { groupBy: `author.${field}`, aggregate: { count: '*' } },
  { fields: 'author.*', deep: { author: { _filter: { [field]: { _gt: 1 } } } } },
  { fields: 'author.x', deep: { author: { _alias: { x: field } } } },
]

describe('a field that may not be read cannot be asked about', () => {
  // CVE-2023-22894, CVE-2023-34235, GHSA-495j-h493-42q2, GHSA-35jj-vqcf-f2jf, GHSA-v93q-4jcx-7p9m, Directus PR 8575
  test('in no place of a request, and the words are those for a field that is not there', async () => {
    for (const [index, query] of places('internal').entries()) {
      for (const ask of [(q: Row) => reader.get('/items/articles', q), (q: Row) => reader.search('articles', q)]) {
        const [closed, absent] = [await ask(query), await ask(places('nowhere_')[index] ?? {})]
        expect([query, closed.status]).toEqual([query, 403])
        expect([query, wordsOf(closed, 'internal')]).toEqual([query, wordsOf(absent, 'nowhere_')])
      }
    }
  })

  // GHSA-rjg2-95x7-8qmx CVE-2026-27886, GHSA-m284-85mf-cgrc, GHSA-v8gg-4mq2-88q4
  test('nor behind a relation', async () => {
    for (const [index, query] of placesBehind('salary').entries()) {
      const closed = await reader.get('/items/articles', query)
      const absent = await reader.get('/items/articles', placesBehind('nowhere_')[index] ?? {})
      expect([query, closed.status]).toEqual([query, 403])
      expect([query, wordsOf(closed, 'salary')]).toEqual([query, wordsOf(absent, 'nowhere_')])
    }
  })

  test('nor by a write that is chosen by a query, or that shapes its answer', async () => {
    const writer = await world.person([
      grant('articles', 'read', { fields: ['id', 'title'] }),
      grant('articles', 'update', { fields: ['title'] }),
      grant('articles', 'delete'),
    ])
    const before = await world.fingerprint()
    const query = { filter: { internal: { _starts_with: 'classified' } } }
    const answers = [
      await writer.send('PATCH', '/items/articles', { query, data: { title: 'changed' } }),
      await writer.send('DELETE', '/items/articles', { query }),
      await writer.send('SEARCH', '/items/articles', { keys: [1], query }),
    ]
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(answers.map(() => [403, 'FORBIDDEN']))
    expect(await world.fingerprint()).toBe(before)
    const shaped = await writer.send('PATCH', '/items/articles/1?fields=internal', { title: 'one' })
    expect(shaped.text).not.toContain('classified')
  })

  // GHSA-7wq3-jr35-275c CVE-2025-30352
  test('search does not look into it', async () => {
    expect(dataOf(await reader.get('/items/articles', { search: 'classified' }))).toEqual([])
    expect(dataOf(await insider.get('/items/articles', { search: 'classified' }))).toHaveLength(3)
  })

  // CVE-2026-27886: unknown parameters were passed on
  test('a parameter that nobody knows is refused, never ignored or passed on', async () => {
    for (const name of [
      'where',
      'populate',
      'filters',
      'lookup',
      'constructor',
      'fields.x',
      'query',
      'select',
      'raw',
    ]) {
      const answer = await reader.get('/items/articles', { [name]: 'x' })
      expect([name, answer.status, codeOf(answer)]).toEqual([name, 400, 'INVALID_QUERY'])
      const inside = await reader.search('articles', { [name]: 'x' })
      expect([name, inside.status]).toEqual([name, 400])
    }
  })

  test('counts are those of rows that can be seen', async () => {
    const few = await world.person([
      grant('articles', 'read', { fields: ['id'], permissions: { status: { _eq: 'published' } } }),
    ])
    const answer = await few.get('/items/articles', { meta: 'total_count,filter_count', filter: { id: { _gt: 1 } } })
    expect(answer.body).toMatchObject({ meta: { total_count: 2, filter_count: 1 } })
  })

  test('a cursor carries no key that may not be read', async () => {
    const keyless = await world.person([grant('articles', 'read', { fields: ['title'] })])
    expect((await keyless.get('/items/articles', { meta: 'cursor', limit: 1 })).status).toBe(403)
  })

  test('an empty singleton shows nothing of its defaults', async () => {
    expect(dataOf(await reader.get('/items/site'))).toEqual({ title: 'Untitled' })
    expect((await reader.get('/items/site', { fields: 'launch_code' })).status).toBe(403)
  })
})

describe('a secret that is readable comes out masked', () => {
  const secret = /pin-|pass-|argon2/u

  // GHSA-p8v3-m643-4xqx CVE-2024-34708
  test('under every name it is given', async () => {
    const queries: readonly Row[] = [
      { fields: '*' },
      { alias: { a: 'pin', b: 'pass' }, fields: 'a,b' },
      { fields: 'pin,pass', export: 'csv' },
      { fields: 'pin,pass', export: 'xml' },
      { alias: { a: 'pin' }, fields: 'a', export: 'json' },
    ]
    for (const query of queries) {
      const { status, text } = await insider.get('/items/authors', query)
      expect([status, text]).toEqual([200, expect.stringContaining('**********')])
      expect(text).not.toMatch(secret)
    }
    const nested = await insider.get('/items/articles', {
      fields: 'author.a',
      deep: { author: { _alias: { a: 'pin' } } },
    })
    expect(nested.text).not.toMatch(secret)
  })

  // GHSA-38hg-ww64-rrwc CVE-2026-35442
  test('never as a group or an aggregate', async () => {
    const queries: readonly Row[] = [
      { aggregate: { min: 'pin' } },
      { aggregate: { max: 'pass' } },
      { aggregate: { count: '*' }, groupBy: 'pin' },
      { aggregate: { min: 'pin' }, groupBy: 'id' },
      { aggregate: { countDistinct: 'pin' } },
      { sort: 'pin' },
      { sort: '-pass' },
    ]
    for (const query of queries) {
      const { status, text } = await insider.get('/items/authors', query)
      expect([query, status >= 400 && status < 500, secret.test(text)]).toEqual([query, true, false])
    }
    for (const query of [{ sort: 'author.pin' }, { groupBy: 'author.pin', aggregate: { count: '*' } }])
      expect([query, (await insider.get('/items/articles', query)).status >= 400]).toEqual([query, true])
  })

  // GHSA-m5q3-8wgf-x8xf CVE-2023-27481
  test('conditions only ask whether it is there, in exports too', async () => {
    for (const operator of ['_eq', '_neq', '_starts_with', '_contains', '_in', '_gt', '_between', '_istarts_with']) {
      for (const field of ['pin', 'pass']) {
        for (const query of [{}, { export: 'csv' }]) {
          const filter = { [field]: { [operator]: operator === '_between' ? ['a', 'z'] : 'p' } }
          const answer = await insider.get('/items/authors', { filter, ...query })
          expect([filter, answer.status]).toEqual([filter, 400])
        }
      }
    }
    expect(dataOf(await insider.get('/items/authors', { filter: { pin: { _nnull: true } } }))).toHaveLength(2)
  })

  // GHSA-8jpw-gpr4-8cmh CVE-2025-64748
  test('search does not look into it', async () => {
    for (const search of ['pin-ada', 'pin', 'pass', 'argon2'])
      expect(dataOf(await insider.get('/items/authors', { search }))).toEqual([])
  })

  test('whichever flag makes it one, and however the flags are written', async () => {
    for (const special of ['conceal', 'hash', 'encrypt', 'hash,conceal', 'hash, conceal', ' conceal ']) {
      dataOf(await world.admin.send('PATCH', '/fields/authors/pin', { meta: { special } }))
      for (const caller of [insider, world.admin]) {
        expect([special, (await caller.get('/items/authors', { fields: 'pin' })).text]).toEqual([
          special,
          '{"data":[{"pin":"**********"},{"pin":"**********"}]}',
        ])
        const asked = await caller.get('/items/authors', { filter: { pin: { _starts_with: 'p' } } })
        expect([special, asked.status]).toEqual([special, 400])
      }
    }
    dataOf(await world.admin.send('PATCH', '/fields/authors/pin', { meta: { special: 'conceal' } }))
  })

  // GHSA-mvv8-v4jj-g47j CVE-2026-39943
  test('revisions do not keep it', async () => {
    dataOf(await world.admin.send('PATCH', '/items/authors/2', { pin: 'pin-canary', pass: 'pass-canary' }))
    const kept = JSON.stringify(await world.database.query('select r::text from tain.service_revisions r'))
    expect(kept).toContain('**********')
    expect(kept).not.toMatch(/canary|argon2/u)
  })

  test.each(['conceal', 'hash'])('nor do revisions show what it was before %s made it one', async (special) => {
    const word = `before-${special}`
    const { id } = dataOf(await world.admin.send('POST', '/items/notes', { text: 'plain', private: word })) as Row
    dataOf(await world.admin.send('PATCH', `/items/notes/${String(id)}`, { private: `${word}-2` }))
    const own = { collection: { _eq: 'notes' }, item: { _eq: String(id) } }
    const keys = async (filter: Row, more: Row = {}) =>
      (dataOf(await world.admin.get('/revisions', { fields: 'id', filter: { _and: [own, filter] }, ...more })) as Row[])
        .length
    const starts = { data: { _json: { private: { _starts_with: word } } } }
    expect([await keys({}), await keys(starts)]).toEqual([2, 2])
    const setSpecial = (value: string | null) =>
      world.admin.send('PATCH', '/fields/notes/private', { meta: { special: value } })
    dataOf(await setSpecial(special))
    try {
      const shown = async (query: Row) => (await world.admin.get('/revisions', { filter: own, ...query })).text
      const rows = dataOf(await world.admin.get('/revisions', { filter: own, sort: 'id' })) as Row[]
      expect(rows.map(({ data, delta }) => [data, delta])).toEqual([
        [expect.objectContaining({ private: '**********', text: 'plain' }), null],
        [expect.objectContaining({ private: '**********' }), { private: '**********' }],
      ])
      for (const query of [
        {},
        { fields: 'data,delta' },
        { fields: 'json(data, private)' },
        { fields: 'activity.revisions.data,activity.revisions.delta' },
        { groupBy: 'json(data, private)', aggregate: { count: '*' } },
        { export: 'csv' },
      ])
        expect([query, (await shown(query)).includes(word)]).toEqual([query, false])
      expect(await keys(starts)).toBe(0)
      expect(await keys({ delta: { _json: { private: { _contains: word } } } })).toBe(0)
      expect(await keys({ data: { _json: { text: { _eq: 'plain' } } } })).toBe(2)
      expect(await keys({}, { search: word })).toBe(0)
      const behind = { revisions: { _some: { data: { _json: { private: { _starts_with: word } } } } } }
      expect(dataOf(await world.admin.get('/activity', { fields: 'id', filter: behind }))).toEqual([])
      const document = `{ revisions(filter: { item: { _eq: "${String(id)}" } }) { data delta } }`
      const graphql = await world.admin.send('POST', '/graphql/system', { query: document })
      expect([graphql.status, graphql.text.includes('**********'), graphql.text.includes(word)]).toEqual([
        200,
        true,
        false,
      ])
      const first = String(rows[0]?.['id'])
      const one = await world.admin.get(`/revisions/${first}`)
      expect([one.status, one.text.includes(word), one.headers.get('etag')]).toEqual([200, false, expect.any(String)])
      // Reverting to the revision restores every field except the secret.
      expect((await world.admin.send('POST', `/utils/revert/${first}`)).status).toBe(204)
      const stored = await world.database.query(`select private from notes where id = ${String(id)}`)
      expect(stored).toEqual([[`${word}-2`]])
    } finally {
      await setSpecial(null)
    }
  })
})

describe('a field that can be read in some rows is empty in the others', () => {
  // 7.3 a; Directus filters and sorts by the stored value
  test('for conditions, groups, aggregates, search and order as well', async () => {
    const ids = async (query: Row) =>
      (dataOf(await partly.get('/items/articles', { fields: 'id', ...query })) as { id: number }[]).map(({ id }) => id)
    expect(await ids({ filter: { internal: { _starts_with: 'classified' } } })).toEqual([1, 3])
    expect(await ids({ filter: { internal: { _eq: 'classified-two' } } })).toEqual([])
    expect(await ids({ filter: { internal: { _null: true } } })).toEqual([2])
    expect(await ids({ search: 'classified-two' })).toEqual([])
    // Sorting by the stored values would put article 2 last: 1, 3, 2.
    expect(await ids({ sort: '-internal' })).toEqual([2, 3, 1])
    const groups = await partly.get('/items/articles', { groupBy: 'internal', aggregate: { count: '*' } })
    expect(groups.text).not.toContain('classified-two')
    const max = dataOf(await partly.get('/items/articles', { aggregate: { max: 'internal' } }))
    expect(max).toEqual([{ max: { internal: 'classified-three' } }])
    expect((await partly.get('/items/articles/2', { fields: 'id,internal' })).text).toBe(
      '{"data":{"id":2,"internal":null}}',
    )
  })
})

describe('a row that may not be seen cannot be asked about', () => {
  // 7.3 b; GHSA-r27x-gc74-qmxh CVE-2026-54698
  test('through a relation to it', async () => {
    const caller = await world.person([
      grant('articles', 'read', { fields: ['id', 'title', 'author', 'notes'] }),
      grant('authors', 'read', { permissions: { name: { _eq: 'Bob' } } }),
      grant('notes', 'read', { permissions: { text: { _neq: 'first' } } }),
    ])
    const ids = async (query: Row) =>
      (dataOf(await caller.get('/items/articles', { fields: 'id', ...query })) as { id: number }[]).map(({ id }) => id)
    expect(await ids({ filter: { author: { salary: { _gt: 0 } } } })).toEqual([3])
    expect(await ids({ filter: { author: { name: { _eq: 'Ada' } } } })).toEqual([])
    expect(await ids({ filter: { notes: { private: { _eq: 'hidden-first' } } } })).toEqual([])
    expect(await ids({ filter: { 'count(notes)': { _gt: 0 } } })).toEqual([2, 3])
    const named = await caller.get('/items/articles', { fields: 'id,author.name,notes.text', sort: 'author.name,id' })
    expect(named.text).not.toMatch(/Ada|first/u)
    const groups = await caller.get('/items/articles', { groupBy: 'author.name', aggregate: { count: '*' } })
    expect(groups.text).not.toContain('Ada')
  })

  test('nor by a variable of the caller’s own that leads to it', async () => {
    const caller = await world.person([grant('articles', 'read', { fields: ['id', 'title'] })], {}, { title: 'one' })
    for (const path of ['title', 'password', 'role.name', 'role.users.email', 'token'])
      expect(
        dataOf(await caller.get('/items/articles', { filter: { title: { _eq: `$CURRENT_USER.${path}` } } })),
      ).toEqual([])
  })
})
