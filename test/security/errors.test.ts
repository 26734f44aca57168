import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf, until, type Answer } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from './world.ts'

let world: World
let callers: Readonly<Record<'somebody' | 'administrator' | 'nobody', Caller>>

beforeAll(async () => {
  world = await createWorld()
  await world.database.query(`
    create view broken as select id, title, 1 / (id - id) as ratio from articles;
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the vault of table classified at line 7' using detail = 'select * from vault'; end $$;
    create table touchy (id integer primary key, name varchar(3), size smallint, check (size < 100));
    create trigger refuses before delete on touchy for each row execute function refuse();
    insert into touchy values (1, 'a', 1)`)
  await until(async () => (await world.admin.get('/items/touchy')).status === 200, 10, 'the new tables')
  const open = ['articles', 'authors', 'notes', 'touchy', 'broken'].flatMap((name) =>
    ['create', 'read', 'update', 'delete'].map((action) => grant(name, action)),
  )
  callers = { somebody: await world.person(open), administrator: world.admin, nobody: world.nobody }
})

afterAll(() => world.end())

/** Patterns of SQL, stack traces and host details in a response. Text that echoes the request is removed first. */
const leakPatterns = [
  /\b(select|insert into|update \w+ set|delete from|from pg_|where \w+ ?=|order by|group by|returning|syntax error)\b/iu,
  /\b(relation|column|constraint|operator|function|type|schema) "[^"]*" (does not exist|of relation)/iu,
  /violates|duplicate key|invalid input syntax|out of range for type|null value in column|SQLSTATE|ERROR:/iu,
  /\b(tain\.|pg_catalog|information_schema|service_version|service_idempotency|email_key)/iu,
  /(^|["'\s(])\/(work|home|usr|tmp|root|var)\/|node_modules|\.ts\b|\.js\b|at \w+ \(|node:/u,
  /\b(ECONN\w+|ENOENT|TypeError|RangeError|SyntaxError|undefined is not|Cannot read|is not a function|\[object)/u,
  /127\.0\.0\.1:5432|postgres(ql)?:\/\//iu,
  /classified-|pin-ada|pass-ada|treasure/u,
]

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x',
  "'",
  '"',
  '%',
  '\\',
  '${1}',
  '😀',
  'a'.repeat(5000),
  '2'.repeat(40),
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  { _eq: 1 },
  { id: 1 },
  '{"a":',
  '[1',
  '2024-13-45',
  'NaN',
  '$NOW',
  '$CURRENT_USER',
  '$CURRENT_USER.x.y',
]

interface Try {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const parameters = [
  'fields',
  'filter',
  'sort',
  'limit',
  'offset',
  'page',
  'search',
  'deep',
  'alias',
  'aggregate',
  'groupBy',
  'meta',
  'cursor',
  'export',
  'backlink',
  'version',
]
const operators = [
  '_eq',
  '_lt',
  '_in',
  '_between',
  '_contains',
  '_null',
  '_regex',
  '_intersects',
  '_json',
  '_some',
  '_none',
  '_what',
]
const fields = ['id', 'title', 'details', 'author', 'owner', 'notes', 'nothing', 'count(notes)', 'year(title)']

function tries(): Try[] {
  const found: Try[] = []
  const search = (query: unknown) => found.push({ method: 'SEARCH', path: '/items/articles', body: { query } })
  for (const value of odd) {
    for (const name of parameters) search({ [name]: value })
    for (const field of ['id', 'title', 'details', 'author', 'owner'])
      for (const body of [{ [field]: value }, [{ [field]: value }]])
        found.push({ method: 'POST', path: '/items/articles', body })
    for (const operator of operators) search({ filter: { id: { [operator]: value } } })
    const written = encodeURIComponent(typeof value === 'string' ? value.slice(0, 500) : (JSON.stringify(value) ?? ''))
    for (const path of [
      '/items/articles/',
      '/items/',
      '/users/',
      '/permissions/',
      '/fields/articles/',
      '/utils/revert/',
      '/permissions/me/articles/',
      '/',
    ])
      found.push({ method: 'GET', path: `${path}${written}` })
    for (const method of ['PATCH', 'PUT', 'DELETE'])
      found.push({ method, path: '/items/touchy', body: { query: value, data: value, keys: value } })
    found.push(
      { method: 'PATCH', path: '/items/touchy/1', body: { name: value, size: value } },
      { method: 'PUT', path: '/items/touchy/2', body: { name: value, size: value } },
      { method: 'POST', path: '/batch', body: [{ method: value, path: value, body: value }] },
      { method: 'POST', path: '/batch', body: [{ method: 'PATCH', path: '/items/articles/1', body: value }] },
      { method: 'POST', path: '/utils/sort/articles', body: { item: value, to: value } },
      { method: 'POST', path: '/users', body: { email: value, role: value, token: value, tags: value } },
      {
        method: 'POST',
        path: '/permissions',
        body: { policy: value, collection: value, action: value, fields: value },
      },
      { method: 'POST', path: '/policies', body: { name: value, ip_access: value, permissions: value } },
      { method: 'PATCH', path: '/settings', body: { project_name: value, module_bar: value } },
      { method: 'PATCH', path: '/users/me/track/page', body: { last_page: value } },
      {
        method: 'POST',
        path: '/permissions/explain',
        body: { user: value, collection: value, action: value, key: value },
      },
      { method: 'POST', path: '/fields/articles', body: { field: value, type: value, schema: value, meta: value } },
      { method: 'POST', path: '/relations', body: { collection: value, field: value, related_collection: value } },
      { method: 'POST', path: '/collections', body: { collection: value, schema: value, fields: value } },
      { method: 'SEARCH', path: '/items/articles', body: { keys: value } },
      { method: 'GET', path: '/items/articles/1', headers: { 'if-none-match': `"${written.slice(0, 40)}"` } },
    )
  }
  for (const field of fields) for (const operator of operators) search({ filter: { [field]: { [operator]: 'x' } } })
  for (const fn of ['min', 'max', 'sum', 'avg', 'count', 'countDistinct', 'what'])
    for (const field of [...fields, '*']) search({ aggregate: { [fn]: field } })
  for (const field of fields) {
    search({ sort: field })
    search({ groupBy: field, aggregate: { count: '*' } })
    search({ fields: `${field}.x.y` })
    search({ fields: `json(${field}, a.b)` })
  }
  for (const path of [
    '/items/broken',
    '/items/broken/1',
    '/items/broken?aggregate[sum]=ratio',
    '/items/articles?filter[id][_eq]=99999999999999999999',
    '/items/%zz',
    '/%00',
    '/items/articles?fields=%zz',
  ])
    found.push({ method: 'GET', path })
  for (const body of ['{', '[', '{"a":}', '"x"', 'null', '{"a":1}x', '\u0000', '[1,'])
    found.push({ method: 'POST', path: '/items/articles', body, headers: { 'content-type': 'application/json' } })
  found.push(
    { method: 'DELETE', path: '/items/touchy/1' },
    { method: 'POST', path: '/items/touchy', body: { id: 1 } },
    { method: 'POST', path: '/items/touchy', body: { id: 9, name: 'long' } },
    { method: 'POST', path: '/items/touchy', body: { id: 9, size: 40_000 } },
    { method: 'POST', path: '/items/touchy', body: { id: 9, size: 200 } },
    { method: 'POST', path: '/items/articles', body: { title: 'x', author: 4711 } },
    { method: 'POST', path: '/items/articles', body: { code: 'c1' } },
    { method: 'POST', path: '/items/authors', body: { name: null } },
    { method: 'DELETE', path: '/items/authors/1' },
    { method: 'PROPFIND', path: '/items/articles' },
  )
  return found
}

/** Names from the request may appear in its response, so they are removed. */
const withoutEcho = (text: string, { path, body }: Try): string =>
  [path, ...Object.values((body ?? {}) as Row)]
    .flatMap((value) => (typeof value === 'string' && value.length > 2 ? [value] : []))
    .reduce((words, value) => words.replaceAll(JSON.stringify(value).slice(1, -1), ''), text)

/** Checks the content of a refusal and returns whether the request was refused. */
async function judge(attempt: Try, caller: Caller): Promise<boolean> {
  const { method, path, body, headers } = attempt
  const answer = await caller.send(method, path, body, headers)
  if (answer.status < 400) return false
  const where = [
    method,
    path.slice(0, 80),
    JSON.stringify(body)?.slice(0, 120),
    answer.status,
    answer.text.slice(0, 300),
  ]
  expect([where, codeOf(answer) !== undefined]).toEqual([where, true])
  expect([where, answer.status < 500]).toEqual([where, true])
  const text = withoutEcho(answer.text, attempt)
  expect([where, leakPatterns.filter((trace) => trace.test(text))]).toEqual([where, []])
  return true
}

describe('refusals tell what to do, and nothing of how the service works', () => {
  // reliability row 15; GHSA-fm3h-p9wm-h74h CVE-2025-30353 and similar
  test.each(['somebody', 'administrator', 'nobody'] as const)('odd requests by %s', async (name) => {
    const all = tries()
    let refused = 0
    for (let at = 0; at < all.length; at += 20) {
      const judged = await Promise.all(all.slice(at, at + 20).map((attempt) => judge(attempt, callers[name])))
      refused += judged.filter((isRefused) => isRefused).length
    }
    expect(refused).toBeGreaterThan(1000)
  })

  test('what is looked for is found where it is', () => {
    const told = [
      'column "x" of relation "y" does not exist',
      'duplicate key value violates unique constraint "articles_code_key"',
      'Error\n    at run (/work/server/src/app.ts:1:1)',
      'select * from articles where id = 1',
      "Cannot read properties of undefined (reading 'x')",
      'connect ECONNREFUSED 127.0.0.1:5432',
    ]
    expect(told.filter((text) => !leakPatterns.some((trace) => trace.test(text)))).toEqual([])
  })

  test('what the database itself refuses is told by its kind', async () => {
    const { somebody } = callers
    const told: readonly (readonly [Promise<Answer>, number, string])[] = [
      [somebody.get('/items/broken'), 422, 'UNPROCESSABLE_CONTENT'],
      // The message that the database author wrote is for callers; the detail next to it is not.
      [somebody.send('DELETE', '/items/touchy/1'), 400, 'INVALID_PAYLOAD'],
      [somebody.send('POST', '/items/touchy', { id: 9, size: 200 }), 400, 'FAILED_VALIDATION'],
    ]
    for (const [answer, status, code] of told) {
      const { text, ...rest } = await answer
      expect([rest.status, codeOf({ text, ...rest }), /select|ratio|exception|PL/u.test(text)]).toEqual([
        status,
        code,
        false,
      ])
    }
    expect(dataOf(await somebody.get('/items/touchy/1', { fields: 'id' }))).toEqual({ id: 1 })
  })
})
