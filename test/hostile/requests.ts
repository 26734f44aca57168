import { Buffer } from 'node:buffer'
import type { Rng } from '../random/rng.ts'
import { countOf, filterOf, nameOf, pathOf, queryOf, times, valueOf } from './values.ts'

/** One request as sent over the wire. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

const collections = [
  ...Array.from({ length: 30 }, () => 'articles'),
  'authors',
  'comments',
  'nothing',
  'service_users',
  '__proto__',
  '%00',
  'a'.repeat(2000),
]
const system = [
  'users',
  'roles',
  'policies',
  'permissions',
  'access',
  'settings',
  'activity',
  'revisions',
  'presets',
  'collections',
  'fields',
  'relations',
  'folders',
  'notifications',
]

const json = (method: string, path: string, body: unknown): HostileRequest => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(textOf(body)),
})

/** JSON.stringify recurses per level, and some values have thousands of levels. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return `${'['.repeat(5000)}${']'.repeat(5000)}`
  }
}

const bare = (method: string, path: string): HostileRequest => ({ method, path, headers: {}, body: null })

const encoded = (query: Record<string, unknown>): string =>
  Object.entries(query)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : textOf(value)
      return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`
    })
    .join('&')
    .slice(0, 12_000)

const read = (rng: Rng): HostileRequest => {
  const where = rng.chance(0.8) ? `/items/${rng.pick(collections)}` : `/${rng.pick(system)}`
  const key = rng.chance(0.2) ? `/${encodeURIComponent(String(valueOf(rng, 3)).toWellFormed())}`.slice(0, 6000) : ''
  const brackets = rng.chance(0.2)
    ? `&filter${'[a]'.repeat(rng.int(1, 60))}=1&fields[]=${'&fields[]=id'.repeat(countOf(rng) % 900)}`
    : ''
  return bare('GET', `${where}${key}?${encoded(queryOf(rng))}${brackets}`)
}

const search = (rng: Rng): HostileRequest =>
  json(
    rng.pick(['SEARCH', 'QUERY', 'SEARCH']),
    `/items/${rng.pick(collections)}`,
    rng.chance(0.95) ? { query: queryOf(rng) } : valueOf(rng),
  )

const payloadOf = (rng: Rng, depth = 0): unknown =>
  Object.fromEntries(
    times(rng.int(0, 5), () => [
      nameOf(rng),
      depth < 4 && rng.chance(0.3) ? times(rng.int(0, 3), () => payloadOf(rng, depth + 1)) : valueOf(rng),
    ]),
  )

const write = (rng: Rng): HostileRequest => {
  const where = `/items/${rng.pick(['articles', 'comments', 'authors', 'nothing'])}`
  const query = rng.chance(0.3) ? `?${encoded(queryOf(rng))}` : ''
  return rng.weighted<() => HostileRequest>([
    [
      4,
      () =>
        json(
          'POST',
          `${where}${query}`,
          rng.chance(0.7) ? payloadOf(rng) : times(countOf(rng) % 500, () => payloadOf(rng, 3)),
        ),
    ],
    [2, () => json('PATCH', `${where}/${rng.int(1, 30)}${query}`, payloadOf(rng))],
    [
      1,
      () => json('PATCH', where, { query: { ...queryOf(rng), filter: filterOf(rng), limit: 1 }, data: payloadOf(rng) }),
    ],
    [
      1,
      () =>
        json(
          'PUT',
          `${where}/${rng.int(1, 30)}?on_conflict=${nameOf(rng).toWellFormed().replaceAll(/[^\w]/gu, '')}`,
          payloadOf(rng),
        ),
    ],
    [
      1,
      () =>
        json(
          'DELETE',
          where,
          rng.chance(0.5)
            ? { query: { filter: filterOf(rng), limit: 1 } }
            : times(rng.int(0, 5), () => valueOf(rng, 3)),
        ),
    ],
    [
      1,
      () =>
        json(
          'POST',
          '/batch',
          times(countOf(rng) % 200, () => ({
            method: rng.pick(['POST', 'PATCH', 'DELETE', 'GET']),
            path: `/items/${rng.pick(collections)}/${rng.int(1, 9)}`,
            body: valueOf(rng),
          })),
        ),
    ],
  ])()
}

const selection = (rng: Rng, depth: number): string => {
  const parts = times(rng.int(1, 3), () =>
    depth > 0 && rng.chance(0.6)
      ? `${rng.pick(['author', 'comments', 'articles', 'article'])} { ${selection(rng, depth - 1)} }`
      : rng.pick([
          'id',
          'title',
          'name',
          '__typename',
          'text',
          'nothing',
          '...on articles { id }',
          'details_func { count }',
        ]),
  )
  return parts.join(' ')
}

const documentOf = (rng: Rng): string =>
  rng.weighted<() => string>([
    [4, () => `{ articles { ${selection(rng, rng.int(0, 12))} } }`],
    [
      2,
      () =>
        `query ($filter: articles_filter) { ${times(rng.int(1, 60), (index) => `a${index}: articles(filter: $filter) { id }`).join(' ')} }`,
    ],
    [1, () => `{ articles { ${times(countOf(rng), (index) => `a${index}: title`).join(' ')} } }`],
    [1, () => `{ ${'articles { author { '.repeat(rng.int(1, 300))} id ${'} }'.repeat(rng.int(0, 300))} }`],
    [1, () => `{ articles(filter: ${'{ _and: ['.repeat(rng.int(1, 200))}]}) { id } }`],
    [
      1,
      () =>
        `${times(rng.int(1, 30), (index) => `fragment f${index} on articles { ...f${index + 1} ...f${index + 1} }`).join(' ')} { articles { ...f0 } }`,
    ],
    [
      1,
      () =>
        `{ articles_aggregated(groupBy: [${times(countOf(rng), () => '"title"').join(',')}]) { group count { id } } }`,
    ],
    [
      1,
      () =>
        `{ articles(search: "${'x'.repeat(rng.int(0, 10_000))}", limit: ${rng.pick(['-1', '1e9', '99999999999', '"x"'])}) { id } }`,
    ],
    [
      1,
      () =>
        `mutation { ${times(rng.int(1, 20), (index) => `m${index}: create_articles_item(data: { title: "x" }) { id }`).join(' ')} }`,
    ],
    [1, () => '{ __schema { types { name fields { name type { name ofType { name } } } } } }'],
    [1, () => `${'#'.repeat(rng.int(1, 20_000))}\n{ articles { id } }`],
    [1, () => String(valueOf(rng, 3))],
  ])()

const graphql = (rng: Rng): HostileRequest => {
  const where = rng.pick(['/graphql', '/graphql', '/graphql/system'])
  const query = documentOf(rng)
  const variables = rng.chance(0.5) ? { filter: filterOf(rng) } : rng.chance(0.2) ? valueOf(rng) : undefined
  if (rng.chance(0.1)) return bare('GET', `${where}?${encoded({ query, variables })}`)
  return json('POST', where, {
    query,
    variables,
    ...(rng.chance(0.1) ? { operationName: valueOf(rng), extensions: valueOf(rng) } : {}),
  })
}

const form = (rng: Rng): HostileRequest => {
  const boundary = rng.pick(['x', '', 'a'.repeat(300), '----', '\u00ff'])
  const content = rng.weighted<() => string>([
    [2, () => `id,title\r\n${times(countOf(rng), (index) => `${index},"${String(valueOf(rng, 3))}"`).join('\r\n')}`],
    [2, () => textOf(times(countOf(rng) % 500, () => payloadOf(rng)))],
    [1, () => '"'.repeat(rng.int(1, 5000))],
    [1, () => '['.repeat(rng.int(1, 50_000))],
  ])()
  const type = rng.pick(['text/csv', 'application/json', 'text/plain', ''])
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.${rng.pick(['csv', 'json', 'exe'])}"\r\nContent-Type: ${type}\r\n\r\n`
  const whole = Buffer.from(`${head}${content}\r\n--${boundary}--\r\n`)
  return {
    method: 'POST',
    path: `/utils/import/${rng.pick(['articles', 'comments', 'nothing'])}`,
    headers: {
      'content-type': `multipart/form-data${rng.chance(0.9) ? `; boundary=${boundary}` : ''}`.replaceAll(
        /[^\x20-\x7e]/gu,
        '',
      ),
    },
    body: rng.chance(0.4) ? whole.subarray(0, rng.int(0, whole.length)) : whole,
  }
}

const authentication = (rng: Rng): HostileRequest =>
  rng.weighted<() => HostileRequest>([
    [
      2,
      () =>
        json('POST', '/auth/login', {
          email: valueOf(rng),
          password: valueOf(rng),
          mode: valueOf(rng),
          otp: valueOf(rng),
        }),
    ],
    [2, () => json('POST', '/auth/refresh', { refresh_token: valueOf(rng), mode: valueOf(rng) })],
    [1, () => json('POST', '/auth/logout', valueOf(rng))],
    [1, () => json('POST', '/auth/password/request', { email: valueOf(rng), reset_url: valueOf(rng) })],
    [1, () => json('POST', '/auth/password/reset', { token: valueOf(rng), password: valueOf(rng) })],
    [1, () => json('POST', '/users/register', { email: valueOf(rng), password: valueOf(rng) })],
    [1, () => json('POST', '/users/invite/accept', { token: valueOf(rng), password: valueOf(rng) })],
    [1, () => json('POST', '/users/me/tfa/enable', valueOf(rng))],
    [
      1,
      () => ({
        ...bare('GET', '/users/me'),
        headers: {
          authorization: `Bearer ${rng.pick(['', 'x', 'a.b.c', '9'.repeat(8000), 'eyJhbGciOiJub25lIn0.e30.'])}`,
        },
      }),
    ],
    [
      1,
      () => ({
        ...bare('GET', '/users/me'),
        headers: {
          cookie: `service_session_token=${'x'.repeat(rng.int(0, 8000))}; =;;=a; ${'a=b; '.repeat(rng.int(0, 500))}`,
        },
      }),
    ],
  ])()

const administration = (rng: Rng): HostileRequest =>
  rng.weighted<() => HostileRequest>([
    [
      2,
      () =>
        json('POST', '/permissions/explain', {
          user: valueOf(rng),
          method: 'GET',
          path: `/items/${rng.pick(collections)}?fields=${nameOf(rng).toWellFormed()}`,
          query: queryOf(rng),
        }),
    ],
    [2, () => json('POST', `/${rng.pick(['presets', 'notifications', 'folders', 'comments'])}`, payloadOf(rng))],
    [1, () => json('POST', '/schema/diff', valueOf(rng))],
    [1, () => json('POST', `/utils/sort/${rng.pick(collections)}`, { item: valueOf(rng), to: valueOf(rng) })],
    [
      1,
      () =>
        json('POST', `/utils/revert/${encodeURIComponent(String(valueOf(rng, 3)).toWellFormed()).slice(0, 3000)}`, {}),
    ],
    [
      1,
      () =>
        bare(
          'GET',
          `/utils/random/string?length=${encodeURIComponent(String(valueOf(rng, 3)).toWellFormed()).slice(0, 3000)}`,
        ),
    ],
    [
      1,
      () =>
        bare(
          'GET',
          `/${rng.pick(['fields', 'collections', 'relations'])}/${encodeURIComponent(pathOf(rng).toWellFormed()).slice(0, 5000)}`,
        ),
    ],
  ])()

/** Corrupts the bytes of the request. */
const spoilt = (request: HostileRequest, rng: Rng): HostileRequest => {
  const { body } = request
  if (body === null || body.length === 0)
    return {
      ...request,
      path: `${request.path}${rng.pick(['%', '%E0%A4%A', '%00', '%ff', '&&&===', '?', '[', '%5B'])}`,
    }
  const bytes = Buffer.from(body)
  return rng.weighted<() => HostileRequest>([
    [2, () => ({ ...request, body: bytes.subarray(0, rng.int(0, bytes.length)) })],
    [
      2,
      () => {
        for (let count = rng.int(1, 5); count > 0; count -= 1) bytes[rng.int(0, bytes.length - 1)] = rng.int(0, 255)
        return { ...request, body: bytes }
      },
    ],
    [
      1,
      () => ({
        ...request,
        headers: {
          ...request.headers,
          'content-type': rng.pick([
            'text/plain',
            'application/json; charset=utf-16',
            'application/x-www-form-urlencoded',
            'multipart/form-data',
            'application/vnd.api+json',
          ]),
        },
      }),
    ],
    [1, () => ({ ...request, body: Buffer.from('{"a":'.repeat(rng.int(1000, 100_000))) })],
    [1, () => ({ ...request, body: Buffer.from(`[${'1'.repeat(rng.int(100, 200_000))}]`) })],
    [1, () => ({ ...request, body: Buffer.concat([Buffer.from('\ufeff'), bytes]) })],
  ])()
}

const headers = (rng: Rng): Record<string, string> =>
  rng.chance(0.85)
    ? {}
    : rng.pick<Record<string, string>>([
        { prefer: 'tx=rollback' },
        { 'if-match': `"${'x'.repeat(rng.int(0, 3000))}"` },
        { 'idempotency-key': 'x'.repeat(rng.int(0, 5000)) },
        { 'x-request-id': 'x'.repeat(rng.int(0, 5000)) },
        { 'x-http-method-override': 'SEARCH' },
        { origin: 'null' },
        { 'x-forwarded-for': '1'.repeat(rng.int(0, 3000)) },
        { accept: '*/*,'.repeat(rng.int(1, 800)) },
        { 'content-encoding': 'gzip' },
        { expect: '100-continue' },
      ])

export function requestOf(rng: Rng): HostileRequest {
  const request = rng.weighted<(rng: Rng) => HostileRequest>([
    [25, read],
    [25, search],
    [15, write],
    [15, graphql],
    [5, form],
    [7, authentication],
    [8, administration],
  ])(rng)
  const whole = { ...request, headers: { ...headers(rng), ...request.headers } }
  return rng.chance(0.12) ? spoilt(whole, rng) : whole
}
