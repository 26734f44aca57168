import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allowedAddresses } from './outside-addresses.ts'
import { createOutsideConnections, type OutsideConnections } from './outside-connections.ts'
import { requestOutside } from './outside-request.ts'

/** What the name server of `hook.example` answers. */
let records: readonly string[] = []
let lookups = 0

const lookup: Parameters<typeof createOutsideConnections>[0] = (hostname, _, callback) => {
  lookups += 1
  const found = hostname === 'hook.example' ? records : [hostname]
  setImmediate(() =>
    callback(
      null,
      found.map((address) => ({ address, family: 4 })),
    ),
  )
}

const loopback = allowedAddresses({ allow: ['127.0.0.0/8'], deny: [] })
const open: (() => void)[] = []
let connections: OutsideConnections

beforeEach(() => {
  records = ['127.0.0.1']
  lookups = 0
  connections = createOutsideConnections(lookup)
})
afterEach(() => {
  connections.close()
  for (const close of open.splice(0)) close()
})

/** The address that each request arrived at, and the number of connections. */
async function serve() {
  const arrived: (string | undefined)[] = []
  let opened = 0
  const server: Server = createServer(({ socket }, response) => {
    arrived.push(socket.localAddress)
    response.end('taken')
  })
  server.on('connection', () => (opened += 1))
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, arrived, opened: () => opened }
}

const signal = () => AbortSignal.timeout(20_000)
const ask = async (url: string, isAllowed = loopback) =>
  text(
    await requestOutside({
      url: new URL(url),
      isAllowed,
      signal: signal(),
      redirects: 0,
      method: 'POST',
      body: '{}',
      connections,
    }),
  )

describe('a kept connection', () => {
  test.each(['hook.example', '127.0.0.1'])('serves further requests to %s', async (host) => {
    const { port, arrived, opened } = await serve()
    for (let n = 0; n < 3; n += 1) expect(await ask(`http://${host}:${port}/`)).toBe('taken')
    expect([arrived.length, opened()]).toEqual([3, 1])
  })

  test.each(['hook.example', '127.0.0.1'])('to %s is not used once its address is refused', async (host) => {
    const { port, arrived } = await serve()
    await ask(`http://${host}:${port}/`)
    await expect(ask(`http://${host}:${port}/`, () => false)).rejects.toThrow('cannot be reached')
    expect(arrived).toHaveLength(1)
  })

  test('is not used once the name resolves to another address', async () => {
    const { port, arrived, opened } = await serve()
    await ask(`http://hook.example:${port}/`)
    records = ['127.0.0.2']
    await ask(`http://hook.example:${port}/`)
    expect([arrived, opened()]).toEqual([['127.0.0.1', '127.0.0.2'], 2])
    records = ['127.0.0.1', '10.0.0.1']
    await expect(ask(`http://hook.example:${port}/`)).rejects.toThrow('cannot be reached')
    expect(arrived).toHaveLength(2)
  })

  test('belongs to one host, although another one has the same address', async () => {
    const { port, opened } = await serve()
    await ask(`http://hook.example:${port}/`)
    await ask(`http://127.0.0.1:${port}/`)
    expect(opened()).toBe(2)
  })

  test('that the server closes is replaced, and the request sent again', async () => {
    const sockets = new Set<Socket>()
    const server = createSocketServer((socket) => {
      let requests = 0
      sockets.add(socket)
      socket.on('data', () => {
        requests += 1
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\ntaken')
        else socket.resetAndDestroy()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await ask(url)).toBe('taken')
    expect(await ask(url)).toBe('taken')
    expect(sockets.size).toBe(2)
  })
})

test('requests that begin together share one lookup', async () => {
  const { port, arrived } = await serve()
  await Promise.all(Array.from({ length: 5 }, () => ask(`http://hook.example:${port}/`)))
  expect([arrived.length, lookups]).toEqual([5, 1])
})

test('a lookup that hangs ends with the signal of its request', async () => {
  const hanging = new AbortController()
  const asked = requestOutside({
    url: new URL('http://hook.example:1/'),
    isAllowed: loopback,
    signal: hanging.signal,
    redirects: 0,
    connections,
  })
  hanging.abort(new Error('too late'))
  await expect(asked).rejects.toThrow('too late')
})
