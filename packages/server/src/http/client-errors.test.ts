import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseBrokenRequest } from './client-errors.ts'
import { gatedServer } from './gate.ts'

const nothing = () => undefined
const stats = () => ({ inFlight: 0, wait: 0 })
const admission = { refuse: () => null, retryAfter: () => 1, enter: nothing, leave: nothing, stop: nothing, stats }
const gate = { admission, headersFor: () => ({}), requestTimeout: 10_000, keepAliveTimeout: 1000 }
const app = fastify({
  clientErrorHandler: refuseBrokenRequest,
  serverFactory: (handler) => gatedServer(handler, gate),
})
let port = 0

beforeAll(async () => {
  app.get('/', async () => 'done')
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})

afterAll(() => app.close())

async function textFor(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(request)
  await once(socket, 'close')
  return text
}

async function answerTo(
  request: string,
): Promise<{ readonly status: string; readonly head: string; readonly body: unknown }> {
  const text = await textFor(request)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: head.split('\r\n')[0] ?? '', head, body: JSON.parse(body) }
}

test.each([
  ['BREW / HTTP/1.1\r\nhost: a', '405 Method Not Allowed', 'METHOD_NOT_ALLOWED', /does not know this method/u],
  ['GET /?name=čeněk HTTP/1.1\r\nhost: a', '400 Bad Request', 'INVALID_QUERY', /percent-encoded, such as "%C4%8D"/u],
  [
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}`,
    '431 Request Header Fields Too Large',
    'CONTENT_TOO_LARGE',
    /16 KB/u,
  ],
  [
    `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a`,
    '431 Request Header Fields Too Large',
    'CONTENT_TOO_LARGE',
    /SEARCH/u,
  ],
  ['GET / HTTP/9.1\r\nhost: a', '400 Bad Request', 'INVALID_PAYLOAD', /not valid HTTP/u],
  ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: x', '400 Bad Request', 'INVALID_PAYLOAD', /not valid HTTP/u],
  ['hello', '405 Method Not Allowed', 'METHOD_NOT_ALLOWED', /method/u],
  ['GET / HTTP/1.1\r\nx: 1', '400 Bad Request', 'INVALID_PAYLOAD', /"Host"/u],
  ['GET / HTTP/1.1\r\nhost: a\r\nexpect: tea', '417 Expectation Failed', 'INVALID_PAYLOAD', /100-continue/u],
  ['CONNECT a:80 HTTP/1.1\r\nhost: a', '405 Method Not Allowed', 'METHOD_NOT_ALLOWED', /method/u],
])('the server refuses %.40j in the form of all errors', async (request, status, code, message) => {
  const answer = await answerTo(`${request}\r\n\r\n`)
  expect(answer.status).toBe(`HTTP/1.1 ${status}`)
  expect(answer.head).toMatch(/^x-request-id: [\da-f-]{36}$/mu)
  expect(answer.head).toMatch(/^content-type: application\/json/mu)
  expect(answer.body).toEqual({
    errors: [{ message: expect.stringMatching(message), extensions: expect.objectContaining({ code }) }],
  })
})

test('HTTP/1.0 needs no host, and 100-continue is an expectation that is met', async () => {
  expect(await textFor('GET / HTTP/1.0\r\n\r\n')).toMatch(/ 200 OK[^]*done$/u)
  const expecting = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nexpect: 100-continue\r\n\r\n'
  expect(await textFor(expecting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK[^]*done$/u)
})

test('a refused method comes with the methods that are known', async () => {
  expect((await answerTo('BREW / HTTP/1.1\r\nhost: a\r\n\r\n')).head).toMatch(/^allow: GET, HEAD, POST,.* QUERY/mu)
})
