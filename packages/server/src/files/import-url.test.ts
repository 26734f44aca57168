import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOutside } from './import-url.ts'

let server: Server
let origin: string
const closed: string[] = []

const sends =
  (content: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(200, headers).end(content)

const drips: RequestListener = (request, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write(Buffer.alloc(20_000)), 5)
  response.on('close', () => (clearInterval(timer), closed.push(request.url ?? '')))
}

const packed = Buffer.alloc(5_000_000, 'x')

const routes: Readonly<Record<string, RequestListener>> = {
  '/a%20b.txt': sends('plain', { 'content-type': 'text/plain; charset=utf-8' }),
  '/named': sends('x', { 'content-disposition': 'attachment; filename="given.txt"' }),
  '/': sends('x'),
  '/gzip': sends(gzipSync('unpacked'), { 'content-encoding': 'gzip' }),
  '/deflate': sends(deflateSync('unpacked'), { 'content-encoding': 'deflate' }),
  '/br': sends(brotliCompressSync('unpacked'), { 'content-encoding': 'BR' }),
  '/bomb': sends(gzipSync(packed), { 'content-encoding': 'gzip' }),
  '/broken-gzip': sends('no gzip', { 'content-encoding': 'gzip' }),
  '/strange': sends('x', { 'content-encoding': 'rot13' }),
  '/long': sends(Buffer.alloc(200_000)),
  '/exact': sends(Buffer.alloc(100_000)),
  '/endless': drips,
  '/slow': (request, response) => {
    response.writeHead(200).write('x')
    response.on('close', () => closed.push(request.url ?? ''))
  },
  '/silent': () => {},
  '/loop': (_, response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/part': (_, response) => void response.writeHead(206).end('x'),
  '/headers': (request, response) => void response.end(JSON.stringify(request.headers)),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('x')
    setTimeout(() => response.destroy(), 20)
  },
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const found = routes[request.url ?? '']
    if (found === undefined) response.writeHead(404).end()
    else found(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const limits = { isAllowed: () => true, timeout: 500, size: 100_000 }
const open = (path: string) => openOutside(new URL(path, origin), limits)
const contentOf = async (path: string) => buffer((await open(path)).content)

test('the name comes from the header, else from the address', async () => {
  expect((await open('/a b.txt')).claim).toEqual({ name: 'a b.txt', type: 'text/plain; charset=utf-8' })
  expect((await open('/named')).claim).toEqual({ name: 'given.txt', type: null })
  expect((await open('/')).claim.name).toBe('')
})

test.each(['/gzip', '/deflate', '/br'])('compressed content is unpacked: %s', async (path) => {
  expect((await contentOf(path)).toString()).toBe('unpacked')
})

test('the largest size is allowed', async () => {
  expect(await contentOf('/exact')).toHaveLength(100_000)
})

test.each(['/long', '/bomb', '/endless'])('the limit counts bytes after unpacking: %s', async (path) => {
  await expect(contentOf(path)).rejects.toMatchObject({ code: 'CONTENT_TOO_LARGE' })
})

test.each(['/missing', '/part', '/loop', '/silent', '/slow', '/cut', '/strange', '/broken-gzip'])(
  'the words are the same for all that fails: %s',
  async (path) => {
    await expect(contentOf(path)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The file cannot be fetched from this address.',
      details: { service: 'external-file' },
    })
  },
)

test('an address that is not allowed fails in the same words', async () => {
  const refusing = { ...limits, isAllowed: () => false }
  await expect(openOutside(new URL('/named', origin), refusing)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The file cannot be fetched from this address.',
  })
})

test('closing ends the connection', async () => {
  closed.length = 0
  const file = await open('/endless')
  file.close()
  await expect(buffer(file.content)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect.poll(() => closed).toContain('/endless')
})

test('the other server learns nothing about the caller', async () => {
  const headers = JSON.parse((await contentOf('/headers')).toString()) as Record<string, string>
  expect(Object.keys(headers).sort()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
})
