import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const objectOf = <T>(count: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(times(count, (index) => [`a${index}`, make(index)]))

const related = { author: { articles: { comments: { id: { _eq: 1 } } } } }

/** Queries beyond a limit, with the setting that the refusal names. */
const beyond: readonly (readonly [what: string, setting: string, query: object])[] = [
  ['20,000 entries in fields', 'ENTRIES', { fields: times(20_000, () => 'author.name') }],
  ['20,000 entries in sort', 'ENTRIES', { sort: times(20_000, () => 'author.name') }],
  ['20,000 entries in groupBy', 'ENTRIES', { aggregate: { count: '*' }, groupBy: times(20_000, () => 'author.name') }],
  ['20,000 entries in aggregate', 'ENTRIES', { aggregate: { count: times(20_000, () => 'id') } }],
  ['20,000 entries in one text', 'ENTRIES', { sort: 'id,'.repeat(20_000) }],
  ['20,000 aliases', 'ENTRIES', { alias: objectOf(20_000, () => 'title') }],
  ['20,000 entries in deep', 'ENTRIES', { deep: objectOf(20_000, () => ({ _limit: 1 })) }],
  ['20,000 entries in sorts of deep', 'ENTRIES', { deep: { comments: { _sort: times(20_000, () => 'id') } } }],
  ['20,000 conditions', 'CONDITIONS', { filter: { _or: times(20_000, (id) => ({ id: { _eq: id } })) } }],
  ['20,000 empty conditions', 'CONDITIONS', { filter: { _or: times(20_000, () => ({})) } }],
  ['20,000 empty lists', 'CONDITIONS', { filter: { _or: times(20_000, () => ({ _and: [] })) } }],
  [
    '20,000 conditions in deep',
    'CONDITIONS',
    {
      deep: { comments: { _filter: { _and: times(20_000, (id) => ({ id: { _neq: id } })) } } },
    },
  ],
  [
    '60,000 values in lists',
    'VALUES',
    { filter: { _or: times(6, () => ({ id: { _in: times(10_000, (id) => id) } })) } },
  ],
  ['900 relational conditions', 'JOINS', { filter: { _or: times(900, () => related) } }],
  ['600 sorts over relations', 'JOINS', { sort: times(600, () => 'author.articles.id') }],
  ['wildcards without end', 'NODES', { fields: ['*.*.*.*.*.*.*.*.*.*'] }],
  ['lists in lists', 'ROWS', { limit: -1, fields: ['author.articles.comments.article.comments.article.comments.id'] }],
]

/** Large queries that are allowed: hostile queries are refused by size, not by appearance. */
const allowed: readonly (readonly [what: string, query: object])[] = [
  ['1,000 conditions', { filter: { _or: times(1000, (id) => ({ id: { _eq: id } })) }, limit: 1 }],
  ['1,000 conditions that all hold', { filter: { _and: times(1000, (id) => ({ id: { _neq: -id } })) }, limit: 1 }],
  ['100 relational conditions', { filter: { _or: times(100, () => related) }, limit: 1 }],
  ['500 aliases', { alias: objectOf(500, () => 'title'), fields: times(500, (index) => `a${index}`), limit: 1 }],
  ['a list of 10,000 values', { filter: { id: { _in: times(10_000, (id) => id) } }, limit: 1 }],
  ['wildcards over two relations', { fields: ['*.*', 'comments.*.*'], limit: 1 }],
]

const script = [
  'create table authors (id integer primary key, name varchar(20), mentor integer, foreign key (mentor) references authors (id))',
  `create table articles (id integer primary key, title varchar(20), author integer, editor integer, reviewer integer,
    foreign key (author) references authors (id), foreign key (editor) references authors (id),
    foreign key (reviewer) references authors (id))`,
  'create table comments (id integer primary key, text varchar(20), article integer, foreign key (article) references articles (id))',
  "insert into authors values (1, 'Ada', 1)",
  "insert into articles values (1, 'one', 1, 1, 1)",
  "insert into comments values (1, 'first', 1)",
]

describe.each(testDialects)('the cost of a query on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: script,
    environment: { MAX_QUERY_NODES: '2000', MAX_QUERY_ROWS: '1000000000' },
    prepare: async () => {
      for (const [collection, field, relation, alias] of [
        ['articles', 'author', 'authors', 'articles'],
        ['articles', 'editor', 'authors', 'edited'],
        ['articles', 'reviewer', 'authors', 'reviewed'],
        ['comments', 'article', 'articles', 'comments'],
      ] as const) {
        const meta = { special: ['o2m'] }
        dataOf(await service.send('POST', `/fields/${relation}`, { field: alias, type: 'alias', schema: null, meta }))
        const link = { collection, field, related_collection: relation, meta: { one_field: alias } }
        dataOf(await service.send('PATCH', `/relations/${collection}/${field}`, link))
      }
    },
  })

  const refusalOf = (answer: Answer) => [
    answer.status,
    codeOf(answer),
    /MAX_QUERY_(\w+)/u.exec(answer.text)?.[1] ?? answer.text.slice(0, 500),
  ]
  const refused = (setting: string) => [400, 'INVALID_QUERY', setting]

  test.each(beyond)('%s are refused, naming MAX_QUERY_%s', async (_, setting, query) => {
    expect(refusalOf(await service.search('articles', query))).toEqual(refused(setting))
  })

  test.each(allowed)('%s are answered', async (_, query) => {
    const { status, text } = await service.search('articles', query)
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  })

  test('a write chosen by a query, or answered by one, is held to the same', async () => {
    const query = { filter: { _or: times(20_000, (id) => ({ id: { _eq: id } })) } }
    expect(refusalOf(await service.send('PATCH', '/items/articles', { query, data: { title: 'x' } }))).toEqual(
      refused('CONDITIONS'),
    )
    expect(refusalOf(await service.send('DELETE', '/items/articles', { query }))).toEqual(refused('CONDITIONS'))
    const path = '/items/articles?fields=*.*.*.*.*.*.*.*.*.*'
    expect(refusalOf(await service.send('POST', path, { id: 50, title: 'x' }))).toEqual(refused('NODES'))
    expect(await service.get('/items/articles?filter[id][_eq]=50').then(({ body }) => body)).toEqual({ data: [] })
  })

  test('GraphQL is held to the same, root fields together', async () => {
    const filter = { _or: times(600, (id) => ({ id: { _eq: id } })) }
    const query = `query ($filter: articles_filter) {
      a: articles(filter: $filter) { id }
      b: articles(filter: $filter) { id }
    }`
    const once = await service.send('POST', '/graphql', { query: query.replace(/b:.*/u, ''), variables: { filter } })
    expect(once.text).not.toContain('errors')
    const twice = await service.send('POST', '/graphql', { query, variables: { filter } })
    expect(twice.text).toContain('MAX_QUERY_CONDITIONS')
    const lists = { id: { _in: times(8000, (id) => id) } }
    const fields = times(48, (index) => `a${index}: articles(filter: $filter) { id }`).join(' ')
    const wide = { query: `query ($filter: articles_filter) { ${fields} }`, variables: { filter: lists } }
    expect((await service.send('POST', '/graphql', wide)).text).toContain('MAX_QUERY_VALUES')
    const many = { _or: times(10_000, () => related) }
    const deep = await service.send('POST', '/graphql', { query, variables: { filter: many } })
    expect([deep.status < 500, deep.text]).toEqual([true, expect.stringContaining('MAX_QUERY_CONDITIONS')])
  })

  test('a permission has at most 1,000 conditions', async () => {
    const { body } = await service.send('POST', '/policies', { name: 'p' })
    const policy = (body as { data: { id: string } }).data.id
    const save = (count: number) =>
      service.send('POST', '/permissions', {
        policy,
        collection: 'articles',
        action: 'read',
        fields: ['*'],
        permissions: { _or: times(count, (id) => ({ id: { _eq: id } })) },
      })
    expect((await save(1000)).status).toBe(200)
    const answer = await save(1001)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_PAYLOAD'])
  })
})
