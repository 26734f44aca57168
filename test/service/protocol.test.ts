import { describe, expect, test } from 'vitest'
import { codeOf, openService, TOKEN, until, type RequestOptions } from '../lib/service.ts'
import { within } from '../lib/expect-duration.ts'
import { useWorld } from '../lib/world.ts'
import { loadFixture } from './fixture.ts'

const ORIGIN = 'https://app.example.com'

const { database, service } = useWorld({
  tables: async (database) => {
    await loadFixture(database)
    await database.query(`
    create view slow as select 1 as id, 'x'::text as name, pg_sleep(20)::text as nap;
    create view broken as select id, name, 1 / (id - id) as ratio from tags`)
  },
  environment: {
    LOG_LEVEL: 'trace',
    MAX_PAYLOAD_SIZE: '1kb',
    CORS_ENABLED: 'true',
    CORS_ORIGIN: `${ORIGIN}, https://other.example.com`,
    CORS_MAX_AGE: '600',
  },
})

const headers = (values: Readonly<Record<string, string>>): RequestOptions => ({ headers: values })

describe('CORS', () => {
  const corsHeaders = (answer: { headers: Headers }) =>
    [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
  const preflight = (origin: string, method: string) =>
    service.send('OPTIONS', '/items/tags', undefined, {
      token: null,
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
    })

  test.each(['SEARCH', 'QUERY', 'GET', 'PATCH'])('a named origin may ask for %s', async (method) => {
    const answer = await preflight(ORIGIN, method)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(answer.headers.get('access-control-allow-methods')?.split(',')).toContain(method)
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
    expect(answer.headers.get('access-control-max-age')).toBe('600')
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  test('answers to it expose the ETag, refusals included', async () => {
    for (const path of ['/items/tags/1', '/items/tags/4711', '/nowhere', '/items/tags?nonsense=1']) {
      const answer = await service.get(path, headers({ origin: ORIGIN }))
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, ORIGIN])
      expect(answer.headers.get('access-control-expose-headers')?.split(',')).toContain('ETag')
    }
  })

  test('other origins get nothing', async () => {
    for (const origin of ['https://evil.example.com', `${ORIGIN}.evil.com`, 'null', ORIGIN.toUpperCase()]) {
      expect(corsHeaders(await preflight(origin, 'SEARCH'))).toEqual([])
      const answer = await service.get('/items/tags', headers({ origin }))
      expect(corsHeaders(answer)).toEqual([])
      expect(answer.headers.get('vary')).toContain('Origin')
    }
  })

  test('cookies are not allowed unless told', async () => {
    const answer = await service.get('/items/tags', headers({ origin: ORIGIN }))
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('without the setting nobody gets a header', async () => {
    const plain = await openService({ DATABASE_URL: database.url })
    expect(corsHeaders(await plain.get('/items/tags', headers({ origin: ORIGIN })))).toEqual([])
    await plain.stop()
  })
})

describe('request ids', () => {
  const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u

  test.each(['/items/tags', '/items/nothing', '/nowhere', '/items/%zz', '/server/ping'])(
    'come with %s',
    async (path) => {
      expect((await service.get(path)).headers.get('x-request-id')).toMatch(uuid)
      const given = await service.get(path, headers({ 'x-request-id': 'my-id:1' }))
      expect(given.headers.get('x-request-id')).toBe('my-id:1')
    },
  )

  test.each(['two words', 'x'.repeat(200), 'a"b', '<script>'])('%j is no id and is replaced', async (id) => {
    expect((await service.get('/items/tags', headers({ 'x-request-id': id }))).headers.get('x-request-id')).toMatch(
      uuid,
    )
  })

  test('stand in the log beside method, path, status and time, and nothing else does', async () => {
    await service.get('/items/tags?limit=1', headers({ 'x-request-id': 'find-me' }))
    const line = () => service.lines().find(({ requestId }) => requestId === 'find-me')
    await until(() => line() !== undefined, 2, 'the line')
    const known = ['level', 'time', 'pid', 'hostname', 'requestId', 'method', 'path', 'status', 'milliseconds', 'msg']
    expect(Object.keys(line() ?? {}).sort()).toEqual(known.sort())
    expect(line()).toMatchObject({ method: 'GET', path: '/items/tags', status: 200, msg: 'request' })
  })
})

describe('bodies', () => {
  const json = { 'content-type': 'application/json' }
  const cases: readonly (readonly [string, unknown, Readonly<Record<string, string>>, number, string | undefined])[] = [
    ['too large', { query: { search: 'x'.repeat(2000) } }, {}, 413, 'CONTENT_TOO_LARGE'],
    ['text', 'hello', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no valid JSON', '{"query":', json, 400, 'INVALID_PAYLOAD'],
    ['a plain value', '"text"', json, 400, 'INVALID_PAYLOAD'],
    ['null', 'null', json, 400, 'INVALID_PAYLOAD'],
    ['a list', [], {}, 400, 'INVALID_PAYLOAD'],
    ['an unknown key', { filter: {} }, {}, 400, 'INVALID_PAYLOAD'],
    ['a query that is a list', { query: [] }, {}, 400, 'INVALID_PAYLOAD'],
    ['an unknown key of the query', { query: { limits: 1 } }, {}, 400, 'INVALID_QUERY'],
    ['an empty body of JSON type', '', json, 200, undefined],
    ['JSON of a kin type', '{"query":{"limit":1}}', { 'content-type': 'application/vnd.api+json' }, 200, undefined],
    ['JSON with a charset', '{"query":{}}', { 'content-type': 'application/json; charset=utf-8' }, 200, undefined],
  ]

  test.each(cases)('%s', async (_, body, extra, status, code) => {
    for (const method of ['SEARCH', 'QUERY']) {
      const answer = await service.send(method, '/items/tags', body, headers(extra))
      expect([method, answer.status, codeOf(answer)]).toEqual([method, status, code])
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  /** `text` with bytes that are invalid UTF-8 in place of `?`. */
  const broken = (text: string) => {
    const [before = '', after = ''] = text.split('?')
    return Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)])
  }

  test.each([
    ['POST', '/items/tags', '{"name":"?"}'],
    ['PATCH', '/items/tags/1', '{"name":"?"}'],
    ['SEARCH', '/items/tags', '{"query":{"search":"?"}}'],
    ['QUERY', '/items/tags', '{"query":{"search":"?"}}'],
    ['POST', '/batch', '[{"method":"POST","path":"/items/tags","body":{"name":"?"}}]'],
    ['POST', '/graphql', '{"query":"{ tags(search: \\"?\\") { id } }"}'],
    ['POST', '/graphql/system', '{"query":"{ users(search: \\"?\\") { id } }"}'],
    ['POST', '/users', '{"first_name":"?"}'],
    ['POST', '/auth/login', '{"email":"a@example.com","password":"?"}'],
    ['POST', '/fields/tags', '{"field":"fresh","type":"string","meta":{"note":"?"}}'],
    ['POST', '/schema/diff', '{"note":"?"}'],
  ])('%s %s refuses bytes that are not UTF-8', async (method, path, text) => {
    const body = broken(text)
    const answer = await fetch(`${service.url}${path}`, {
      method,
      body,
      headers: { ...json, authorization: `Bearer ${TOKEN}` },
    })
    const content = await answer.text()
    expect([answer.status, content]).toEqual([400, expect.stringContaining('INVALID_PAYLOAD')])
    expect(content).toContain('UTF-8')
  })

  test.each([
    ['/utils/import/tags', 'application/json', '[{"name":"?"}]'],
    ['/utils/import/tags', 'text/csv', 'name\n?\n'],
    ['/schema/diff', 'application/json', '{"note":"?"}'],
    ['/schema/diff', 'application/yaml', 'note: ?'],
  ])('a file for %s of type %s has to be UTF-8', async (path, type, text) => {
    const form = new FormData()
    form.append('file', new Blob([broken(text)], { type }), 'file')
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const content = await answer.text()
    expect([answer.status, content]).toEqual([400, expect.stringContaining('UTF-8')])
  })

  test.each(['QUERY', 'SEARCH', 'POST', 'PATCH', 'DELETE'])(
    '%s with a body and without Content-Type is 415',
    async (method) => {
      const answer = await fetch(`${service.url}/items/tags`, {
        method,
        // fetch names no type for bytes.
        body: Buffer.from('{"query":{"limit":1}}'),
        headers: { authorization: `Bearer ${TOKEN}` },
      })
      const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] }
      expect([answer.status, errors[0]?.extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    },
  )

  test('a refusal is a list of errors with message and code, without SQL or paths of the server', async () => {
    for (const path of ['/items/nothing', '/items/tags?filter[id][_eq]=x', '/items/broken', '/nowhere']) {
      const { body, text } = await service.get(path)
      expect(body).toEqual({ errors: [{ message: expect.any(String), extensions: expect.any(Object) }] })
      expect(text).not.toMatch(/select|tags\.|\.ts|\/work|node_modules/iu)
    }
  })
})

describe('routes and methods', () => {
  test('unknown routes are 404 and name the path without its query', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['GET', '/items'],
      ['GET', '/items/a/b/c'],
      ['POST', '/server/ping'],
    ]) {
      const answer = await service.send(method ?? '', `${path}?access_token=${TOKEN}&x=1`)
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, 'ROUTE_NOT_FOUND'])
      expect(answer.text).not.toContain('x=1')
    }
  })

  test('HEAD answers like GET without a body', async () => {
    for (const path of ['/items/tags', '/items/tags/1', '/items/tags/4711', '/fields/tags', '/server/ping']) {
      const [head, get] = [await service.send('HEAD', path), await service.get(path)]
      expect([path, head.status, head.text]).toEqual([path, get.status, ''])
      for (const name of ['content-type', 'etag', 'content-length']) {
        expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)])
      }
    }
  })

  test.each(['SEARCH', 'search', 'QUERY'])('POST with X-HTTP-Method-Override: %s is a SEARCH', async (override) => {
    const body = { query: { fields: ['name'], limit: 2 } }
    const overridden = await service.send('POST', '/items/tags', body, headers({ 'x-http-method-override': override }))
    expect(overridden.body).toEqual((await service.send('SEARCH', '/items/tags', body)).body)
    expect(overridden.body).toEqual({ data: [{ name: 'math' }, { name: 'fiction' }] })
  })

  test('no other override has an effect', async () => {
    for (const override of ['DELETE', 'GET', 'SEARCHING', '']) {
      const answer = await service.send('POST', '/items/tags', {}, headers({ 'x-http-method-override': override }))
      expect([override, answer.status]).toEqual([override, 400])
    }
    const got = await service.get('/items/tags/1', headers({ 'x-http-method-override': 'DELETE' }))
    expect(got.status).toBe(200)
  })

  test('a token nobody knows is refused, none is the public', async () => {
    const wrong = await service.get('/items/tags', { token: 'wrong' })
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect((await service.get('/items/tags', { token: null })).status).toBe(403)
    expect((await service.get(`/items/tags?access_token=${TOKEN}`, { token: null })).status).toBe(200)
    expect((await service.get(`/items/tags?limit=1&access_token=wrong`, { token: null })).status).toBe(401)
  })
})

describe('If-None-Match', () => {
  const conditional = async (tags: (tag: string) => string) => {
    const tag = (await service.get('/items/tags/1')).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^",]+"$/u)
    const answer = await service.get('/items/tags/1', headers({ 'if-none-match': tags(tag) }))
    return { ...answer, tag }
  }

  test.each([
    ['the tag', (tag: string) => tag],
    ['its weak form', (tag: string) => `W/${tag}`],
    ['one of several', (tag: string) => `"a", "b" , ${tag},"c"`],
    ['a weak one of several', (tag: string) => `W/"a",W/${tag}`],
    ['a star', () => '*'],
  ])('%s gives 304 without a body', async (_, tags) => {
    const { status, text, tag, headers: sent } = await conditional(tags)
    expect([status, text, sent.get('etag')]).toEqual([304, '', tag])
  })

  test.each([
    ['another tag', () => '"other"'],
    ['the tag without quotes', (tag: string) => tag.replaceAll('"', '')],
    ['a part of the tag', (tag: string) => `${tag.slice(0, -2)}"`],
    ['nothing', () => ''],
  ])('%s gives the item', async (_, tags) => {
    expect((await conditional(tags)).status).toBe(200)
  })

  test('a missing item is refused all the same', async () => {
    expect((await service.get('/items/tags/4711', headers({ 'if-none-match': '*' }))).status).toBe(403)
  })

  test('a changed row has another tag', async () => {
    const before = (await service.get('/items/tags/4')).headers.get('etag') ?? ''
    await database.query(`update tags set color = 'grey' where id = 4`)
    const answer = await service.get('/items/tags/4?fields=name', headers({ 'if-none-match': before }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).not.toBe(before)
  })
})

describe('the log', () => {
  const CANARY = 'canary-value'
  const paths = [
    '/items/tags?limit=1',
    `/items/tags?filter[name][_eq]=${CANARY}`,
    `/items/tags?search=${CANARY}`,
    `/items/tags?nonsense=${CANARY}`,
    `/items/tags?fields=${CANARY}`,
    `/items/tags?filter[id][_eq]=${CANARY}`,
    `/items/broken?filter[name][_neq]=${CANARY}`,
    `/items/tags/4711?_=${CANARY}`,
    `/items/%zz?_=${CANARY}`,
    `/nowhere?_=${CANARY}`,
    `/fields/tags?_=${CANARY}`,
    `/server/health?_=${CANARY}`,
    `/items/slow?filter[name][_eq]=${CANARY}&export=${CANARY}`,
  ]

  test('never shows tokens, query strings or values, also when something fails', async () => {
    const statuses = new Set<number>()
    for (const path of paths) {
      statuses.add((await service.get(`${path}&access_token=${TOKEN}`, { token: null })).status)
      statuses.add((await service.get(`${path}&access_token=wrong-${CANARY}`, { token: null })).status)
      statuses.add((await service.get(path)).status)
    }
    expect(statuses).toEqual(new Set([200, 400, 401, 403, 404, 422]))
    const body = { query: { filter: { name: { _neq: CANARY } } } }
    expect((await service.send('SEARCH', '/items/broken', body)).status).toBe(422)
    await service.get('/items/tags', headers({ 'x-request-id': 'last-one' }))
    await until(() => service.log().includes('last-one'), 2, 'the last line')
    expect(service.log()).not.toContain(TOKEN)
    expect(service.log()).not.toContain('access_token')
    expect(service.log()).not.toContain(CANARY)
    expect(service.lines().filter(({ path }) => typeof path === 'string' && path.includes('?'))).toEqual([])
  })

  test('tells what failed, with the id of its request', async () => {
    const failing = await openService({ DATABASE_URL: database.url, TAIN_FAILPOINTS: 'write.begun:throw' })
    const answer = await failing.send('POST', '/items/tags', { name: CANARY }, headers({ 'x-request-id': 'it-broke' }))
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('failpoint')
    const found = () => failing.lines().filter(({ requestId }) => requestId === 'it-broke')
    await until(() => found().length === 2, 2, 'two lines')
    expect(found().map(({ level, msg }) => [level, msg])).toEqual([
      [50, 'request failed'],
      [50, 'request'],
    ])
    expect(JSON.stringify(found()[0])).toContain('failpoint write.begun')
    expect(failing.log()).not.toContain(CANARY)
    await failing.stop()
  })
})

test('without prepared statements, as behind PgBouncer, every answer is the same', async () => {
  const plain = await openService({ DATABASE_URL: database.url, DB_PREPARED_STATEMENTS: '0' })
  const paths = [
    '/items/articles?fields=*.*&sort=-published',
    '/items/oddities',
    '/items/oddities/1',
    '/items/articles?filter[author][name][_in]=Ada Byron,Jorge Borges&meta=*',
    '/items/articles?aggregate[avg]=price&groupBy=status',
    '/items/articles?export=csv',
    '/items/measurements?filter[taken][_gt]=2023-06-01',
    '/items/students?fields=name,courses.title',
    '/items/articles/4711',
    '/items/broken',
    '/fields',
  ]
  for (const path of [...paths, ...paths]) {
    const [usual, other] = [await service.get(path), await plain.get(path)]
    expect([path, other.status, other.text]).toEqual([path, usual.status, usual.text])
  }
  const named = await database.query('select count(*) from pg_prepared_statements')
  expect(named).toEqual([['0']])
  expect(await plain.stop()).toBe(0)
})

describe('a caller who goes away', () => {
  const running = async () =>
    (
      await database.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
    ).length

  test.each(['/items/slow', '/items/slow?export=csv'])('%s is cancelled in the database within a second', (path) =>
    within(1000, async () => {
      const controller = new AbortController()
      const asked = service.get(path, { signal: controller.signal }).catch((error: unknown) => error)
      await until(async () => (await running()) === 1, 5, 'the statement runs')
      controller.abort()
      expect(await asked).toBeInstanceOf(Error)
      return until(async () => (await running()) === 0, 5, 'the statement is gone')
    }),
  )

  test('leaves a service that goes on, and no failure in the log', async () => {
    expect((await service.get('/items/tags')).status).toBe(200)
    expect(service.lines().filter(({ msg }) => msg === 'request failed')).toEqual([])
  })
})
