import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { allowedAddresses } from './outside-addresses.ts'
import { outsideUrl, requestOutside } from './outside-request.ts'

const servers: Server[] = []
const seen: string[] = []

afterEach(async () => {
  seen.length = 0
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }),
  )
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void, host = '127.0.0.1') {
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    answer(request, response)
  }).listen(0, host)
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const nothing = allowedAddresses({ allow: [], deny: [] })
const loopback = allowedAddresses({ allow: ['127.0.0.1', '::1'], deny: [] })

const ask = (url: string, isAllowed = loopback, more = {}) =>
  requestOutside({ url: new URL(url), isAllowed, signal: AbortSignal.timeout(5000), redirects: 5, ...more })

describe('an address', () => {
  test.each(['http://example.com/a', 'https://example.com:8443/', 'http://[2606:4700::1111]/'])('%s is one', (url) =>
    expect(outsideUrl(url)?.href).toBe(url),
  )
  test.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,x',
    'http://',
    'no address',
    'http://ann:secret@example.com/',
    7,
    ['http://example.com'],
  ])('%j is none', (url) => expect(outsideUrl(url)).toBeNull())
})

describe('this machine is out of reach', () => {
  test.each([
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '127.8.9.10',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ])('as %s', async (host) => {
    const port = await serve((_, response) => response.end('inside'), '::')
    await expect(ask(`http://${host}:${port}/a.txt`, nothing)).rejects.toThrow('cannot be reached')
    expect(seen).toEqual([])
  })

  test('behind a redirect, however it is spelt', async () => {
    const inside = await serve((_, response) => response.end('inside'))
    for (const location of [
      `http://127.8.0.1:${inside}/`,
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'http://[::ffff:10.0.0.1]/',
      '//10.1.2.3/x',
    ]) {
      const port = await serve((_, response) => response.writeHead(302, { location }).end())
      const only = allowedAddresses({ allow: ['127.0.0.1'], deny: [] })
      await expect(ask(`http://127.0.0.1:${port}/`, only)).rejects.toThrow('cannot be reached')
    }
  })

  test('also where it is allowed and denied', async () => {
    const port = await serve((_, response) => response.end('inside'))
    const both = allowedAddresses({ allow: ['127.0.0.0/8'], deny: ['127.0.0.1'] })
    await expect(ask(`http://127.0.0.1:${port}/`, both)).rejects.toThrow('cannot be reached')
  })
})

describe('what is allowed', () => {
  test('is asked, with nothing of the caller and uncompressed', async () => {
    let headers = {}
    const port = await serve((request, response) => {
      headers = request.headers
      response.end('content')
    })
    expect(await text(await ask(`http://localhost:${port}/a`))).toBe('content')
    expect(headers).toEqual({
      host: `localhost:${port}`,
      'user-agent': 'tain',
      'accept-encoding': 'identity',
      connection: 'close',
    })
  })

  test('may redirect five times', async () => {
    const port = await serve((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step === 0) response.end('there')
      else response.writeHead(302, { location: `/${step - 1}` }).end()
    })
    expect(await text(await ask(`http://127.0.0.1:${port}/5`))).toBe('there')
    await expect(ask(`http://127.0.0.1:${port}/6`)).rejects.toThrow('cannot be reached')
  })

  test('is not followed where redirects are not wanted', async () => {
    const port = await serve((_, response) => response.writeHead(302, { location: '/other' }).end())
    expect((await ask(`http://127.0.0.1:${port}/`, loopback, { redirects: 0 })).statusCode).toBe(302)
    expect(seen).toEqual(['GET /'])
  })

  test('ends with its signal, also in the middle of the content', async () => {
    const port = await serve((_, response) => void response.write('begin'))
    const response = await ask(`http://127.0.0.1:${port}/`, loopback, { signal: AbortSignal.timeout(200) })
    await expect(text(response)).rejects.toThrow('aborted')
  })

  test('has no response if the server begins to speak another protocol', async () => {
    const port = await serve(() => undefined)
    servers
      .at(-1)
      ?.on('connection', (socket) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
      )
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toThrow('without a response')
  })

  test('gets the body of a request', async () => {
    let body = ''
    const port = await serve((request, response) => {
      void text(request).then((sent) => {
        body = sent
        response.end()
      })
    })
    await text(await ask(`http://127.0.0.1:${port}/`, loopback, { method: 'POST', body: '{"a":1}' }))
    expect(body).toBe('{"a":1}')
  })
})
