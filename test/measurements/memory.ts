// npm run verify memory
// The memory that large request bodies and bulk writes take.
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createDatabase } from '../lib/databases.ts'
import { authorization, memoryOf, untilReady, withService, type Figure, type Service } from './service.ts'

export interface MemoryOptions {
  readonly dialect: 'postgres' | 'mysql' | 'sqlite'
  /** Megabytes of the largest body. */
  readonly body: number
  /** Rows of one bulk write. */
  readonly rows: number
  /** Milliseconds between two requests. */
  readonly pause: number
}

const MEGABYTE = 1024 ** 2
/** Megabytes above the idle service. */
const REFUSED_MOST = 20
const BULK_MOST = 150

interface Sent {
  readonly status: number
  readonly text: string
  /** Bytes that the service took before it answered. */
  readonly bytes: number
}

interface Body {
  readonly chunks: () => Iterable<string | Buffer>
  readonly headers?: Readonly<Record<string, string>>
}

const EXPECTED = /^HTTP\/1\.1 (\d{3})/u

/** Sends a body as fast as it is taken, and stops at the response: one may come, and the end, in the middle of a body. */
async function send({ port }: Service, method: string, path: string, { chunks, headers = {} }: Body): Promise<Sent> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const state = { text: '', isOver: false, wake: (): void => undefined }
  const end = () => {
    state.isOver = true
    state.wake()
  }
  socket.setEncoding('utf8').on('data', (part: string) => {
    state.text += part.slice(0, 1000 - state.text.length)
    if (EXPECTED.test(state.text)) end()
  })
  socket.on('error', end).on('close', end)
  socket.on('drain', () => state.wake())
  const isAnnounced = 'content-length' in headers
  const head = {
    host: 'localhost',
    ...authorization,
    'content-type': 'application/json',
    ...headers,
  }
  const lines = Object.entries(isAnnounced ? head : { ...head, 'transfer-encoding': 'chunked' })
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
  )
  const pause = () =>
    new Promise<void>((resolve) => {
      state.wake = resolve
    })
  for (const chunk of chunks()) {
    if (state.isOver) break
    const framed = isAnnounced ? [chunk] : [Buffer.byteLength(chunk).toString(16), '\r\n', chunk, '\r\n']
    const isTaken = framed.map((part) => socket.write(part)).at(-1)
    if (isTaken === false) await pause()
  }
  if (!isAnnounced && !state.isOver) socket.write('0\r\n\r\n')
  while (!state.isOver) await pause()
  const bytes = socket.bytesWritten
  socket.destroy()
  return { status: Number(EXPECTED.exec(state.text)?.[1] ?? 0), text: state.text, bytes }
}

const long = (megabytes: number): Body => ({
  *chunks() {
    yield '{"id": 1, "name": "'
    const part = 'x'.repeat(MEGABYTE / 4)
    for (let sent = 0; sent < megabytes * 4; sent += 1) yield part
    yield '"}'
  },
})

const announced = (megabytes: number): Body => ({
  ...long(megabytes),
  headers: { 'content-length': String(megabytes * MEGABYTE + '{"id": 1, "name": ""}'.length) },
})

const bomb = (megabytes: number): Body => {
  const compressed = gzipSync(Buffer.concat([...long(megabytes).chunks()].map((part) => Buffer.from(part))))
  return { chunks: () => [compressed], headers: { 'content-encoding': 'gzip' } }
}

const rowOf = (id: number, name: string) =>
  JSON.stringify({ id, name: `${name} ${id}`, note: `a note of ${name} number ${id}`, price: id / 4 })

const list = (rows: number, name: string): Body => ({
  *chunks() {
    for (let from = 1; from <= rows; from += 1000) {
      const part = Array.from({ length: Math.min(1000, rows + 1 - from) }, (_, at) => rowOf(from + at, name))
      yield `${from === 1 ? '[' : ','}${part.join(',')}`
    }
    yield ']'
  },
})

interface Measured extends Sent {
  /** Megabytes above the memory before the request. */
  readonly peak: number
}

/** Resets the peak that the kernel keeps, sends, and reads it. */
async function measure(service: Service, pause: number, work: () => Promise<Sent>): Promise<Measured> {
  await sleep(pause)
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5')
  const before = memoryOf(service).rss
  const sent = await work()
  return { ...sent, peak: memoryOf(service).peak - before }
}

const check = (what: string, { status, text }: Sent, expected: number): Figure => {
  if (status !== expected) console.log(`${what}: ${status} ${text}`)
  return { what: `${what}: ${expected}`, value: status === expected ? 1 : 0, unit: '', bound: { atLeast: 1 } }
}

const over = (what: string, { peak }: Measured, atMost?: number): Figure => ({
  what: `${what}: over idle`,
  value: peak,
  unit: 'MB',
  ...(atMost === undefined ? {} : { bound: { atMost } }),
})

const PATH = '/items/things?fields=id'

async function refusals(service: Service, { body: megabytes, pause }: MemoryOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [what, body] of Object.entries({ announced: announced(megabytes), chunked: long(megabytes) })) {
    const name = `${megabytes} MB over the limit of 1 MB, ${what}`
    const sent = await measure(service, pause, () => send(service, 'POST', PATH, body))
    figures.push(check(name, sent, 413), over(name, sent, REFUSED_MOST))
  }
  const sent = await measure(service, pause, () => send(service, 'POST', PATH, bomb(megabytes)))
  const name = `${megabytes} MB compressed to ${Math.round(sent.bytes / 1024)} KB`
  return [...figures, check(name, sent, 400), over(name, sent, REFUSED_MOST)]
}

async function writes(service: Service, { body, rows, pause }: MemoryOptions): Promise<readonly Figure[]> {
  const bulk = `${rows} rows`
  const created = await measure(service, pause, () => send(service, 'POST', PATH, list(rows, 'row')))
  const updated = await measure(service, pause, () => send(service, 'PATCH', PATH, list(rows, 'other')))
  const large = await measure(service, pause, () => send(service, 'PATCH', '/items/things/1?fields=id', long(body)))
  const again = await measure(service, pause, () => send(service, 'GET', '/items/things/2', { chunks: () => [] }))
  return [
    check(`${bulk} created`, created, 200),
    over(`${bulk} created`, created, BULK_MOST),
    check(`${bulk} updated`, updated, 200),
    over(`${bulk} updated`, updated, BULK_MOST),
    check(`one value of ${body} MB`, large, 200),
    over(`one value of ${body} MB`, large),
    check('a read afterwards', again, 200),
  ]
}

const tables = {
  postgres: 'create table things (id integer primary key, name text, note text, price numeric)',
  mysql: 'create table things (id integer primary key, name longtext, note text, price decimal(20, 4))',
  sqlite: 'create table things (id integer primary key, name text, note text, price real)',
}

export async function memory(options: MemoryOptions): Promise<readonly Figure[]> {
  const database = await createDatabase(options.dialect)
  const base = { DATABASE_URL: database.url, LOG_LEVEL: 'warn' }
  const wide = { MAX_PAYLOAD_SIZE: String(64 * MEGABYTE), MAX_BATCH_MUTATION: String(options.rows) }
  const warm = (service: Service) => send(service, 'POST', PATH, { chunks: () => [`[${rowOf(-1, 'first')}]`] })
  try {
    await database.query(tables[options.dialect])
    const refused = await withService(base, async (service) => {
      await untilReady(service)
      await warm(service)
      return refusals(service, options)
    })
    const written = await withService({ ...base, ...wide, DB_STATEMENT_TIMEOUT: '120000' }, async (service) => {
      await untilReady(service)
      return writes(service, options)
    })
    return [...refused, ...written]
  } finally {
    await database.drop()
  }
}
