import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, TOKEN, type Answer } from '../lib/service.ts'
import { createWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.end())

const JSON_TYPE = { 'content-type': 'application/json' }

const send = (
  method: string,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Answer> =>
  fetch(`${world.service.url}${path}`, {
    method,
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
  }).then(async (response) => {
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
  })

/** Sends raw bytes. Resolves to the status code, or null if the connection closed without a response. */
const raw = (bytes: string | Buffer): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.service.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      const status = /^HTTP\/1\.1 (\d{3})/u.exec(text)?.[1]
      resolve(status === undefined ? null : Number(status))
    }
    const timer = setTimeout(finish, 3000)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n\r\n')) finish()
    })
    socket.on('close', finish)
    socket.on('error', (error) => (text === '' ? finish() : reject(error)))
  })

const nested = (levels: number, open: string, close: string, inside = '') =>
  `${open.repeat(levels)}${inside}${close.repeat(levels)}`

describe('JSON that nests without end is refused', () => {
  const object = (levels: number) => nested(levels, '{"a":', '}', '1')
  test.each([
    ['POST', '/items/articles', nested(200_000, '[', ']')],
    ['POST', '/items/articles', object(100_000)],
    ['POST', '/items/articles', `{"details":${object(100_000)}}`],
    ['POST', '/items/articles', `{"details":${object(100_000)},"rank":12345678901234567890}`],
    ['PATCH', '/items/articles/1', `{"details":${nested(200_000, '[', ']')}}`],
    ['SEARCH', '/items/articles', `{"query":{"filter":${object(100_000)}}}`],
    ['SEARCH', '/items/articles', `{"query":{"filter":${JSON.stringify(object(50_000))}}}`],
    ['SEARCH', '/items/articles', `{"query":{"deep":${object(100_000)}}}`],
    ['POST', '/graphql', `{"query":"{ articles { id } }","variables":${object(100_000)}}`],
    ['POST', '/graphql', JSON.stringify({ query: nested(20_000, '{a', '}') })],
    ['POST', '/batch', `[{"method":"POST","path":"/items/articles","body":${object(100_000)}}]`],
    [
      'POST',
      '/permissions',
      `{"policy":null,"collection":"articles","action":"read","permissions":${object(100_000)}}`,
    ],
    ['POST', '/permissions/explain', `{"query":${object(100_000)}}`],
    ['POST', '/schema/diff', object(100_000)],
    ['POST', '/auth/login', `{"email":${nested(200_000, '[', ']')},"password":"x"}`],
    ['POST', '/users', `{"email":${object(100_000)}}`],
  ])('%s %s', async (method, path, body) => {
    const { status } = await send(method, path, body)
    expect([400, 403, 413]).toContain(status)
  })

  test('a document of some hundred levels is stored and read again', async () => {
    const details = JSON.parse(object(200)) as unknown
    const made = await send('POST', '/items/articles', JSON.stringify({ title: 'deep', details }))
    expect([made.status, made.status === 200 ? '' : made.text]).toEqual([200, ''])
    expect((made.body as { data: { details: unknown } }).data.details).toEqual(details)
  })
})

describe('a broken form is INVALID_PAYLOAD', () => {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'
  test.each([
    ['that ends in the middle', `${head}id,title\r\n`, 'multipart/form-data; boundary=x'],
    ['that ends in its head', head.slice(0, 60), 'multipart/form-data; boundary=x'],
    ['without a boundary', `${head}id\r\n--x--\r\n`, 'multipart/form-data'],
    ['with an empty boundary', `${head}id\r\n--x--\r\n`, 'multipart/form-data; boundary='],
    ['with another boundary', `${head}id\r\n--x--\r\n`, 'multipart/form-data; boundary=y'],
    ['that is empty', '', 'multipart/form-data; boundary=x'],
    [
      'with headers that do not end',
      '--x\r\nContent-D\u00a0s; name="file"\r\nContent-Type: text/csv\r\nid\r\n1\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['of zeros', Buffer.alloc(1000), 'multipart/form-data; boundary=x'],
    [
      'without a file',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    [
      'with a hundred fields',
      `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(100)}--x--\r\n`,
      'multipart/form-data; boundary=x',
    ],
    [
      'with a field called __proto__',
      `--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n${head}nothing\r\n1\r\n--x--\r\n`,
      'multipart/form-data; boundary=x',
    ],
    [
      'with JSON that nests',
      `${head.replaceAll('csv', 'json').replace('text/', 'application/')}[{"details":${nested(100_000, '[', ']')}}]\r\n--x--\r\n`,
      'multipart/form-data; boundary=x',
    ],
  ])('%s', async (_, body, type) => {
    for (const path of ['/utils/import/articles', '/schema/diff']) {
      const answer = await send('POST', path, body, { 'content-type': type })
      // An invalid snapshot may also be refused by its media type.
      expect([path, answer.status === 415 && path === '/schema/diff' ? 400 : answer.status]).toEqual([path, 400])
      expect(['INVALID_PAYLOAD', 'UNSUPPORTED_MEDIA_TYPE']).toContain(codeOf(answer))
    }
  })
})

describe('names and numbers beyond all measure are refused', () => {
  const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: title`).join(' ')
  test.each([
    ['POST', '/graphql', JSON.stringify({ query: `{ articles { ${aliases(5000)} } }` })],
    ['POST', '/graphql', JSON.stringify({ query: `{ ${aliases(5000).replaceAll('title', 'articles { id }')} }` })],
    [
      'SEARCH',
      '/items/articles',
      JSON.stringify({
        query: { alias: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a${index}`, 'title'])) },
      }),
    ],
    ['POST', '/items/articles', `{"rank":${'9'.repeat(100_000)}}`],
    ['POST', '/items/articles', '{"rank":1e400}'],
    ['POST', '/items/articles', '{"rank":-0.00000000000000000000000000000000000000000001}'],
    ['SEARCH', '/items/articles', `{"query":{"filter":{"rank":{"_eq":${'9'.repeat(100_000)}}}}}`],
    ['SEARCH', '/items/articles', `{"query":{"limit":${'9'.repeat(400)}}}`],
    ['SEARCH', '/items/articles', `{"query":{"limit":1e20}}`],
    ['SEARCH', '/items/articles', '{"query":{"offset":9007199254740993}}'],
    ['SEARCH', '/items/articles', `{"query":{"filter":{"id":{"_eq":"${'9'.repeat(100_000)}"}}}}`],
    ['SEARCH', '/items/articles', '{"query":{"search":"\\u0000"}}'],
    ['SEARCH', '/items/articles', '{"query":{"filter":{"title":{"_eq":"a\\u0000b"}}}}'],
    ['POST', '/items/articles', '{"title":"a\\u0000b"}'],
    ['POST', '/items/articles', '{"__proto__":{"title":"x"},"nothing":1}'],
    ['POST', '/items/articles', '{"constructor":1}'],
  ])('%s %s %s', async (method, path, body) => {
    const { status, text } = await send(method, path, body)
    const isRefused = status >= 400 && status < 500
    expect([isRefused || text.startsWith('{"errors"'), status]).toEqual([true, isRefused ? status : 200])
  })

  test.each([
    ['SEARCH', '/items/articles', '{"query":{"filter":{"title":{"_eq":"\\ud800"}}}}'],
    ['SEARCH', '/items/articles', '{"query":{"search":"\\udc00x"}}'],
    ['POST', '/items/articles', '{"title":"\\ud800"}'],
    ['POST', '/items/articles', '{"details":{"\\ud800":"\\udfff"}}'],
    ['POST', '/items/articles', '{"title":"a","title":"b"}'],
    ['POST', '/auth/login', '{"email":"\\ud800@example.com","password":"\\udc00"}'],
  ])('%s %s %s does not fail', async (method, path, body) => {
    const { status } = await send(method, path, body)
    expect(status).toBeLessThan(500)
  })
})

describe('what is no HTTP is refused', () => {
  const auth = `Authorization: Bearer ${TOKEN}\r\n`
  const host = 'Host: x\r\n'
  test.each([
    ['a long address', `GET /items/articles?fields=${'a,'.repeat(50_000)} HTTP/1.1\r\n${host}${auth}\r\n`],
    ['a long header', `GET /items/articles HTTP/1.1\r\n${host}${auth}X-A: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['many headers', `GET /items/articles HTTP/1.1\r\n${host}${auth}${'X-A: 1\r\n'.repeat(5000)}\r\n`],
    ['broken percent signs', `GET /items/%E0%A4%A HTTP/1.1\r\n${host}${auth}\r\n`],
    ['bytes that are no UTF-8', `GET /items/articles/%ff%fe HTTP/1.1\r\n${host}${auth}\r\n`],
    ['a zero in the address', `GET /items/articles/%00 HTTP/1.1\r\n${host}${auth}\r\n`],
    ['broken parameters', `GET /items/articles?filter[%E0%A4%A]=1 HTTP/1.1\r\n${host}${auth}\r\n`],
    ['another method', `FROBNICATE /items/articles HTTP/1.1\r\n${host}${auth}\r\n`],
    ['no host', `GET /items/articles HTTP/1.1\r\n${auth}\r\n`],
    ['no request at all', '\u0000\u0001\u0002\r\n\r\n'],
    [
      'broken chunks',
      `POST /items/articles HTTP/1.1\r\n${host}${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'two lengths',
      `POST /items/articles HTTP/1.1\r\n${host}${auth}Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    [
      'a negative length',
      `POST /items/articles HTTP/1.1\r\n${host}${auth}Content-Type: application/json\r\nContent-Length: -1\r\n\r\n{}`,
    ],
    [
      'a length and chunks',
      `POST /items/articles HTTP/1.1\r\n${host}${auth}Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
  ])('%s', async (_, bytes) => {
    const status = await raw(bytes)
    expect(status === null || (status >= 400 && status < 500) ? 'refused' : status).toBe('refused')
  })

  test('a body that is shorter than announced leaves the service as it was', async () => {
    await raw(
      `POST /items/articles HTTP/1.1\r\n${host}${auth}Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"title"`,
    )
    expect((await world.admin.get('/items/articles?limit=1')).status).toBe(200)
  })
})
