import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { afterAll, beforeAll, test } from 'vitest'
import { limitBodyTime } from './body-timeout.ts'

const app = fastify()
let port = 0

beforeAll(async () => {
  limitBodyTime(app, 300)
  app.post('/plain', async () => 'done')
  app.post('/slow', { config: { isSlow: true } }, async () => 'done')
  app.post('/busy', { config: { isSlow: true } }, async () => {
    await sleep(1500)
    return 'done'
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post('/read', { config: { isSlow: true } }, async ({ raw }) => {
      for await (const _ of raw.iterator({ destroyOnReturn: false }));
      return 'done'
    })
    scope.post('/worked-on', { config: { isSlow: true } }, async ({ raw }) => {
      for await (const _ of raw.iterator({ destroyOnReturn: false })) await sleep(1000)
      return 'done'
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})

afterAll(() => app.close())

/** Sends the second half of a body after a delay and returns the status line of the response. */
async function statusOf(path: string, delay: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
  )
  await sleep(delay)
  if (socket.writable) socket.write('}')
  if (!socket.closed) await once(socket, 'close')
  return text.split('\r\n')[0] ?? ''
}

test.concurrent('a body that takes too long ends the request', async ({ expect }) => {
  const [plain, late] = await Promise.all([statusOf('/plain', 50), statusOf('/plain', 900)])
  expect([plain, late]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 408 Request Timeout'])
})

test.concurrent('where a body may be long, a client that sends next to nothing is cut off, and one that waits for the work is not', async ({
  expect,
}) => {
  const [trickle, busy] = await Promise.all([statusOf('/slow', 1500), statusOf('/busy', 0)])
  expect([trickle, busy]).toEqual(['HTTP/1.1 408 Request Timeout', 'HTTP/1.1 200 OK'])
})

test.concurrent('the same holds for a body that the handler reads piece by piece', async ({ expect }) => {
  const [trickle, busy] = await Promise.all([statusOf('/read', 1500), statusOf('/worked-on', 0)])
  expect([trickle, busy]).toEqual(['HTTP/1.1 408 Request Timeout', 'HTTP/1.1 200 OK'])
})
