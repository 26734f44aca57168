import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, openService, type Answer, type RequestOptions, type Service } from '../lib/service.ts'
import { loadFixture, registerRelations, statementLog, type StatementLog } from './fixture.ts'

let database: TestDatabase
let service: Service
let statements: StatementLog
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tain-graphql-'))
  database = await createDatabase()
  await loadFixture(database)
  statements = statementLog(join(directory, 'statements'))
  const quiet = { SCHEMA_POLL_INTERVAL: '3600000' }
  service = await openService({ DATABASE_URL: database.url, TAIN_STATEMENT_LOG: statements.file, ...quiet })
  await registerRelations(service)
})

afterAll(async () => {
  await service.stop()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

interface Asked extends RequestOptions {
  readonly variables?: unknown
  readonly scope?: 'items' | 'system'
}

const send = (query: string, { variables, scope = 'items', ...options }: Asked = {}): Promise<Answer> =>
  service.send('POST', scope === 'items' ? '/graphql' : '/graphql/system', { query, variables }, options)

async function ask(query: string, asked?: Asked): Promise<unknown> {
  const { status, body, text } = await send(query, asked)
  const { data, errors } = body as { data?: unknown; errors?: unknown }
  if (status !== 200 || errors !== undefined) throw new Error(`${status}: ${text}`)
  return data
}

interface Failed {
  readonly data?: unknown
  readonly errors: readonly {
    readonly message: string
    readonly path?: readonly string[]
    readonly extensions: { readonly code: string; readonly errors?: readonly { readonly message: string }[] }
  }[]
}

const failure = async (query: string, asked?: Asked): Promise<Failed> => (await send(query, asked)).body as Failed
const codeOf = async (query: string, asked?: Asked) => (await failure(query, asked)).errors[0]?.extensions.code
const reasonOf = async (query: string, asked?: Asked) =>
  (await failure(query, asked)).errors[0]?.extensions.errors?.[0]?.message

describe('answers', () => {
  test('keys come in the order of the document, under their aliases, fragments included', async () => {
    const { text } = await send(
      '{ articles_by_id(id: 1) { b: title ...f a: id c: author { __typename n: name } } } fragment f on articles { slug, id }',
    )
    expect(text).toBe(
      '{"data":{"articles_by_id":{"b":"Analytical engines","slug":"analytical-engines","id":"1","a":"1","c":{"__typename":"authors","n":"Ada Byron"}}}}',
    )
  })

  test('a union gives an empty object for a type nobody has selected, and null for what is not there', async () => {
    await database.query("insert into pages_blocks (id, pages_id, collection, item) values (90, 3, 'elsewhere', '1')")
    const data = await ask(
      '{ a: pages_by_id(id: 1) { blocks { item { ... on blocks_hero { headline } } } } b: pages_by_id(id: 3) { blocks { item { __typename } } } }',
    )
    expect(data).toEqual({
      a: { blocks: [{ item: { headline: 'Welcome' } }, { item: {} }, { item: {} }] },
      b: { blocks: [{ item: null }] },
    })
    await database.query('delete from pages_blocks where id = 90')
  })

  test('functions stand under one key, with aliases and the name of their type', async () => {
    const data = await ask(
      '{ articles_by_id(id: 1) { when: published_func { __typename y: year month } details_func { level: json(path: "level") count } } }',
    )
    expect(data).toEqual({
      articles_by_id: {
        when: { __typename: 'datetime_functions', y: 2023, month: 1 },
        details_func: { level: 'advanced', count: null },
      },
    })
  })

  test('functions inside lists are the same', async () => {
    const data = await ask(
      '{ authors_by_id(id: 2) { articles(sort: ["id"]) { published_func { year } comments_func { count } } } }',
    )
    expect(data).toEqual({
      authors_by_id: {
        articles: [
          { published_func: { year: 2023 }, comments_func: { count: 2 } },
          { published_func: { year: 2024 }, comments_func: { count: 0 } },
        ],
      },
    })
  })

  test('decimals are numbers with all their digits, also on the way in', async () => {
    const created = await send(
      'mutation { create_accounts_item(data: { username: "exact", email: "e", balance: 123456.70 }) { balance } }',
    )
    expect(created.text).toBe('{"data":{"create_accounts_item":{"balance":123456.70}}}')
    const { text } = await service.send(
      'POST',
      '/graphql',
      '{"query":"mutation($b: Float) { create_accounts_item(data: {username: \\"v\\", email: \\"v\\", balance: $b}) { balance } }","variables":{"b":99999.99}}',
      { headers: { 'content-type': 'application/json' } },
    )
    expect(text).toContain('99999.99')
    await database.query("delete from accounts where username in ('exact', 'v')")
  })

  test('an empty singleton shows what it would begin with', async () => {
    await database.query('delete from site')
    expect(await ask('{ site { __typename id title page: home_page { id } } }')).toEqual({
      site: { __typename: 'site', id: null, title: 'Untitled site', page: null },
    })
  })

  test('what may not be null takes the whole answer with it, what may be does not', async () => {
    const lost = await failure('{ a: tags { id } b: articles(sort: ["nothing"]) { id } }')
    expect(lost).toMatchObject({ data: null, errors: [{ path: ['b'], extensions: { code: 'FORBIDDEN' } }] })
    const kept = await failure('{ a: tags_by_id(id: 1) { name } b: tags_by_id(id: 4711) { name } }')
    expect(kept).toMatchObject({
      data: { a: { name: 'math' }, b: null },
      errors: [{ path: ['b'], extensions: { code: 'FORBIDDEN' } }],
    })
  })

  test('groups have aliases and typenames like everything else', async () => {
    const data = await ask(
      '{ articles_aggregated(groupBy: ["year(published)"], filter: { score: { _gte: 40 } }, sort: ["-year(published)"]) { __typename g: group n: countAll s: sum { x: score } } }',
    )
    expect(data).toEqual({
      articles_aggregated: [
        { __typename: 'articles_aggregated', g: { published_year: 2024 }, n: 1, s: { x: 40 } },
        { __typename: 'articles_aggregated', g: { published_year: 2023 }, n: 1, s: { x: 50 } },
      ],
    })
  })

  test('names that are none here are mapped, and described by what they are', async () => {
    const data = await ask(
      '{ warehouse_bins { code } gr__en(limit: 1) { gr__e schl_ssel } __type(name: "warehouse_bins") { description } }',
    )
    expect(data).toMatchObject({ __type: { description: '`warehouse.bins` in the database and in REST.' } })
    expect(Object.keys((data as { gr__en: object[] }).gr__en[0] ?? {})).toEqual(['gr__e', 'schl_ssel'])
  })

  test('variables may be called like what objects inherit', async () => {
    const query = 'query Q($f: tags_filter) { tags(filter: $f) { id } }'
    expect(await ask(query, { variables: { f: { id: { _eq: 1 } }, constructor: 1 } })).toEqual({ tags: [{ id: '1' }] })
  })
})

describe('statements', () => {
  test.each([
    [
      'three levels',
      '{ articles { title author { name articles { title comments { body } } } tags { tags_id { name } } } }',
      1,
    ],
    [
      'many-to-any',
      '{ pages { blocks { item { __typename ... on blocks_hero { headline } ... on blocks_text { content } } } } }',
      1,
    ],
    ['three root fields', '{ a: tags { id } b: articles_aggregated { countAll } c: pages_by_id(id: 1) { title } }', 3],
  ])('%s: one for each root field', async (_, query, count) => {
    await ask(query)
    await statements.take()
    await ask(query)
    const sent = (await statements.take()).filter((text) => !text.includes('service_users'))
    expect(sent).toHaveLength(count)
  })
})

describe('documents', () => {
  test('what is wrong with one is told in full, and nothing is run', async () => {
    const { status, body } = await send('{ tags { idd name(x: 1) } }')
    expect(status).toBe(400)
    expect(body).toMatchObject({
      errors: [{ message: 'GraphQL validation error.', extensions: { code: 'GRAPHQL_VALIDATION' } }],
    })
    expect((body as Failed).errors[0]?.extensions.errors).toHaveLength(2)
  })

  test('several operations need a name', async () => {
    expect(await reasonOf('query A { tags { id } } query B { tags { id } }')).toContain('operationName')
  })

  test('what tries secrets stands once in an operation', async () => {
    const login = 'auth_login(email: "a", password: "b") { expires }'
    expect(await reasonOf(`mutation { a: ${login} b: ${login} }`, { scope: 'system' })).toContain('may stand once')
  })

  test('a change by GET is refused, whatever else is in the document', async () => {
    const query = encodeURIComponent('query Q { tags { id } } mutation M { delete_tags_item(id: 1) { id } }')
    const answer = await service.get(`/graphql?query=${query}&operationName=M`)
    expect([answer.status, (answer.body as Failed).errors[0]?.extensions.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
  })

  test('other methods are not allowed, and told which are', async () => {
    const answer = await service.send('PUT', '/graphql', {})
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST'])
  })

  test('a rehearsal answers and keeps nothing', async () => {
    const headers = { prefer: 'tx=rollback' }
    const answer = await send('mutation { create_tags_item(data: { name: "rehearsed" }) { name } }', { headers })
    expect(answer.body).toEqual({ data: { create_tags_item: { name: 'rehearsed' } } })
    expect(answer.headers.get('preference-applied')).toBe('tx=rollback')
    expect(await ask('{ tags(filter: { name: { _eq: "rehearsed" } }) { id } }')).toEqual({ tags: [] })
  })

  test('of several changes those after a lost answer are not made', async () => {
    const query = `mutation {
      a: create_tags_items(data: [{ name: "math" }]) { id }
      b: create_tags_item(data: { name: "after" }) { id }
    }`
    expect(await failure(query)).toMatchObject({ data: null, errors: [{ extensions: { code: 'RECORD_NOT_UNIQUE' } }] })
    expect(await ask('{ tags(filter: { name: { _eq: "after" } }) { id } }')).toEqual({ tags: [] })
  })

  test('a document is known by its hash once it was sent with it', async () => {
    const query = '{ tags_by_id(id: 2) { name } }'
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    const unknown = await service.send('POST', '/graphql', { extensions })
    expect((unknown.body as Failed).errors[0]?.extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect((await service.send('POST', '/graphql', { query, extensions })).status).toBe(200)
    const known = await service.get(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`)
    expect(known.body).toEqual({ data: { tags_by_id: { name: 'fiction' } } })
    const wrong = { persistedQuery: { version: 1, sha256Hash: sha256Hash.replace(/./u, '0') } }
    expect((await service.send('POST', '/graphql', { query: `${query} `, extensions: wrong })).status).toBe(400)
  })
})

describe('for people and tools', () => {
  test('browsers get a page that needs nothing from elsewhere', async () => {
    const page = await service.get('/graphql', { headers: { accept: 'text/html,application/xhtml+xml' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).not.toMatch(/<(script|link|img)[^>]+(src|href)="?https?:/u)
  })

  test('clients may ask for the media type of the protocol', async () => {
    const answer = await send('{ tags { id } }', { headers: { accept: 'application/graphql-response+json' } })
    expect(answer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8')
  })

  test('the schema language is the same each time, in the order of names', async () => {
    const [first, second] = [await service.get('/server/specs/graphql'), await service.get('/server/specs/graphql')]
    expect(first.text).toBe(second.text)
    const names = [...first.text.matchAll(/^(?:type|input|union|enum|scalar) (\w+)/gmu)].map(([, name]) => name)
    expect(names).toEqual(names.toSorted((a = '', b = '') => (a < b ? -1 : 1)))
    expect(first.text).toContain('union pages_blocks_item_union = ')
  })

  test('the schema language can be asked for in GraphQL as well', async () => {
    const system = { scope: 'system' } as const
    const language = async (query: string) =>
      ((await ask(query, system)) as { server_specs_graphql: string }).server_specs_graphql
    expect(await language('{ server_specs_graphql }')).toBe((await service.get('/server/specs/graphql')).text)
    expect(await language('{ server_specs_graphql(scope: system) }')).toBe(
      (await service.get('/server/specs/graphql/system')).text,
    )
    expect(await codeOf('{ a: server_specs_graphql b: server_specs_graphql }', system)).toBe('GRAPHQL_VALIDATION')
  })
})

describe('settings', () => {
  const start = (environment: Readonly<Record<string, string>>) =>
    openService({ DATABASE_URL: database.url, ...environment })

  test('without introspection neither the schema nor hints are shown', async () => {
    const other = await start({ GRAPHQL_INTROSPECTION: 'false', GRAPHQL_IDE: 'false' })
    try {
      const post = (query: string) => other.send('POST', '/graphql', { query })
      expect((await post('{ __schema { queryType { name } } }')).status).toBe(400)
      expect((await post('{ __type(name: "tags") { name } }')).status).toBe(400)
      expect((await post('{ tag { id } }')).text).not.toContain('Did you mean')
      expect((await post('{ tags { __typename } }')).status).toBe(200)
      expect((await other.get('/server/specs/graphql')).status).toBe(403)
      const query = '{ server_specs_graphql }'
      expect((await other.send('POST', '/graphql/system', { query })).body).toMatchObject({
        data: { server_specs_graphql: null },
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      })
      expect((await other.get('/graphql', { headers: { accept: 'text/html' } })).status).toBe(400)
    } finally {
      await other.stop()
    }
  })

  test('with a list only its documents are run', async () => {
    const listed = '{ tags_by_id(id: 1) { name } }'
    const file = join(directory, 'documents.json')
    await writeFile(file, JSON.stringify({ one: listed }))
    const other = await start({ GRAPHQL_PERSISTED_QUERIES: 'only', GRAPHQL_PERSISTED_QUERIES_LIST: file })
    try {
      expect((await other.send('POST', '/graphql', { query: listed })).status).toBe(200)
      expect((await other.send('POST', '/graphql', { query: '{ tags { id } }' })).status).toBe(400)
      const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update(listed).digest('hex') }
      expect((await other.send('POST', '/graphql', { extensions: { persistedQuery } })).status).toBe(200)
    } finally {
      await other.stop()
    }
  })
})

describe('rights', () => {
  const permission = (collection: string, action: string, fields: readonly string[], permissions: unknown = {}) => ({
    collection,
    action,
    fields,
    permissions,
  })

  async function caller(...permissions: readonly object[]): Promise<RequestOptions & { readonly policy: string }> {
    const token = `caller-${Math.random()}`
    const policy = dataOf(await service.send('POST', '/policies', { name: 'p', permissions })) as { id: string }
    const user = { email: `${token}@example.com`, token, status: 'active', policies: [{ policy: policy.id }] }
    dataOf(await service.send('POST', '/users', user))
    return { token, policy: policy.id }
  }

  test('who may not read what it writes is told that it was done', async () => {
    const as = await caller(
      permission('tags', 'create', ['*']),
      permission('tags', 'delete', ['*'], { name: { _eq: 'blind' } }),
    )
    expect(await ask('mutation { create_tags_item(data: { name: "blind" }) }', as)).toEqual({ create_tags_item: true })
    expect(await codeOf('mutation { create_tags_item(data: { name: "blind" }) { id } }', as)).toBe('GRAPHQL_VALIDATION')
    expect(await reasonOf('mutation { delete_tags_by_query(filter: {}) { ids } }', as)).toContain(
      'delete_tags_by_query',
    )
  })

  test('a relation is there when both ends are, its key also when the far end is closed', async () => {
    const as = await caller(permission('articles', 'read', ['id', 'author']))
    expect(await codeOf('{ articles { author { id } } }', as)).toBe('GRAPHQL_VALIDATION')
    expect(await ask('{ articles_by_id(id: 1) { author_key } }', as)).toEqual({ articles_by_id: { author_key: '1' } })
  })

  test('the key of a relation over several columns is there when they are, and the far end is', async () => {
    const fields = ['id', 'order_lines', 'order_no', 'line_no']
    const notes = (open: readonly string[]) => permission('order_line_notes', 'read', open)
    const lines = permission('order_lines', 'read', ['*'])
    const shown = '{ order_line_notes { order_lines_key } }'
    const asked = '{ order_line_notes(filter: { order_lines_key: { _nnull: true } }) { id } }'
    const [open, short, closed] = [
      await caller(notes(fields), lines),
      await caller(notes(fields.slice(0, -1)), lines),
      await caller(notes(fields)),
    ]
    expect(await ask(shown, open)).toEqual({ order_line_notes: [{ order_lines_key: '1001,1' }] })
    expect(await ask(asked, open)).toEqual({ order_line_notes: [{ id: '1' }] })
    for (const as of [short, closed])
      for (const query of [shown, asked]) expect(await codeOf(query, as)).toBe('GRAPHQL_VALIDATION')
  })

  test('a field that some rows hide may be null', async () => {
    const as = await caller(
      permission('tags', 'read', ['id', 'name'], { id: { _eq: 1 } }),
      permission('tags', 'read', ['id'], {}),
    )
    expect(await ask('{ tags(limit: 2, sort: ["id"]) { id name } }', as)).toEqual({
      tags: [
        { id: '1', name: 'math' },
        { id: '2', name: null },
      ],
    })
  })

  test('a right that is given or taken counts for the next document', async () => {
    const as = await caller(permission('tags', 'read', ['id']))
    expect(await codeOf('{ tags { name } }', as)).toBe('GRAPHQL_VALIDATION')
    const row = dataOf(
      await service.send('POST', '/permissions', { policy: as.policy, ...permission('tags', 'read', ['name']) }),
    ) as { id: number }
    expect(await ask('{ tags_by_id(id: 1) { name } }', as)).toEqual({ tags_by_id: { name: 'math' } })
    await service.send('DELETE', `/permissions/${row.id}`)
    expect(await codeOf('{ tags { name } }', as)).toBe('GRAPHQL_VALIDATION')
  })

  test('nobody finds anything but what everybody may do', async () => {
    const as: Asked = { token: null }
    expect(await ask('{ __schema { queryType { fields { name } } mutationType { name } } }', as)).toEqual({
      __schema: { queryType: { fields: [{ name: '_empty' }] }, mutationType: null },
    })
    const { __schema } = (await ask('{ __schema { mutationType { fields { name } } } }', {
      ...as,
      scope: 'system',
    })) as {
      __schema: { mutationType: { fields: { name: string }[] } }
    }
    const names = __schema.mutationType.fields.map(({ name }) => name)
    expect(names).toContain('auth_login')
    expect(names.filter((name) => /^(create|update|delete)_/u.test(name))).toEqual([])
  })
})

describe('the service itself', () => {
  test('somebody changes the own row', async () => {
    const data = await ask('mutation { update_users_me(data: { first_name: "Ada" }) { first_name } }', {
      scope: 'system',
    })
    expect(data).toEqual({ update_users_me: { first_name: 'Ada' } })
  })

  test('signing in with cookies keeps the tokens out of the answer', async () => {
    const query =
      'mutation($e: String!, $p: String!) { auth_login(email: $e, password: $p, mode: session) { access_token expires } }'
    const token = null
    const person = { email: 'cookie@example.com', password: 'a-long-password', status: 'active' }
    dataOf(await service.send('POST', '/users', person))
    const answer = await send(query, { scope: 'system', token, variables: { e: person.email, p: person.password } })
    expect(answer.body).toMatchObject({ data: { auth_login: { access_token: null } } })
    expect(answer.headers.get('set-cookie')).toMatch(/^service_session_token=/u)
  })

  test('items nest across both scopes', async () => {
    const data = await ask('{ activity(limit: 1) { __typename } settings { project_name } }', { scope: 'system' })
    expect(data).toMatchObject({ activity: [{ __typename: 'service_activity' }] })
  })
})
