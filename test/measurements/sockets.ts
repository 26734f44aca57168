// npm run verify sockets
// Ten thousand sockets in one process: what they cost, how a change reaches them, and what others notice of it.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '../lib/databases.ts'
import { authorization, memoryOf, processorTime, TOKEN, untilReady, withService } from './service.ts'
import type { Figure, Service } from './service.ts'

export interface SocketOptions {
  readonly sockets: number
  /** Changes whose way to one socket is timed. */
  readonly changes: number
  /** Clients that subscribe and never read. */
  readonly slow: number
}

const TABLES = `
  create table things (id integer primary key, name text);
  insert into things select n, 'thing ' || n from generate_series(1, 100) n;`
const AT_ONCE = 100
const BROADCASTS = 10

/** A client of a few bytes: it counts what it is told, and reads nothing else. */
export class Listener {
  readonly socket: Socket
  told = 0
  toldAt = 0
  private onTold: (() => void) | null = null
  private opened: (() => void) | null = null

  constructor(port: number, token = TOKEN) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('error', () => undefined)
    this.socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      if (text.includes('"event":"init"')) this.opened?.()
      const events = text.split('"event":"update"').length - 1
      if (events === 0) return
      this.told += events
      this.toldAt = performance.now()
      this.onTold?.()
    })
    const key = Buffer.alloc(16).toString('base64')
    this.socket.write(
      `GET /websocket?access_token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
  }

  /** Resolves once the subscription has begun. */
  subscribe(collection = 'things'): Promise<void> {
    const opened = new Promise<void>((resolve) => (this.opened = resolve))
    const query = { fields: ['id', 'name'] }
    const message = JSON.stringify({ type: 'subscribe', collection, event: 'update', query, uid: '1' })
    // A text that is masked with zeros is itself.
    const head = Buffer.from([0x81, 0x80 | 126, message.length >> 8, message.length & 0xff, 0, 0, 0, 0])
    this.socket.write(Buffer.concat([head, Buffer.from(message)]))
    return opened
  }

  /** Resolves at the next event. */
  next(): Promise<void> {
    return new Promise((resolve) => (this.onTold = resolve))
  }
}

async function listen({ port }: Service, count: number): Promise<readonly Listener[]> {
  const listeners: Listener[] = []
  while (listeners.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - listeners.length) }, () => new Listener(port))
    await Promise.all(some.map((listener) => listener.subscribe()))
    listeners.push(...some)
  }
  return listeners
}

async function change({ url }: Service, id: number, name: string): Promise<void> {
  const headers = { ...authorization, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/items/things/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ name }) })
  if (answer.status !== 200) throw new Error(`the change was answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Reads by key, one after the other, for as long as the work takes. Returns how long each took. */
async function readingDuring({ url }: Service, work: () => Promise<unknown>): Promise<readonly number[]> {
  const reader = fork(new URL('read-by-key.ts', import.meta.url), [`${url}/items/things/2`])
  const times = once(reader, 'message')
  await work()
  reader.send('over')
  return ((await times) as [readonly number[]])[0]
}

/** Longer than the log waits for more while changes stream in. */
const QUIET = 50

async function proveLatency(service: Service, changes: number): Promise<readonly Figure[]> {
  const [listener] = await listen(service, 1)
  if (listener === undefined) throw new Error('there is no listener')
  const times: number[] = []
  for (let n = 0; n < changes; n += 1) {
    const told = listener.next()
    await change(service, 1, `change ${n}`)
    const answered = performance.now()
    await told
    times.push(Math.max(0, listener.toldAt - answered))
    await sleep(QUIET)
  }
  listener.socket.destroy()
  return [
    { what: 'answer to frame, p50', value: percentile(times, 0.5), unit: 'ms', bound: { atMost: 10 } },
    { what: 'answer to frame, p99', value: percentile(times, 0.99), unit: 'ms', bound: { atMost: 50 } },
  ]
}

/** Reads by lists of keys since `from`: those that tell changes. Requests read by one key. */
const readsSince = (log: string, from: number): number =>
  readFileSync(log, 'utf8')
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('select v.stamp') && line.includes('things') && line.includes('json_to_recordset'))
    .length

async function proveBroadcast(
  service: Service,
  listeners: readonly Listener[],
  log: string,
): Promise<readonly Figure[]> {
  const takes: number[] = []
  const last: number[] = []
  const statements: number[] = []
  const broadcast = async (n: number) => {
    const [cpu, from, began] = [processorTime(service), readFileSync(log, 'utf8').length, performance.now()]
    const before = listeners.map(({ told }) => told)
    await change(service, 1, `broadcast ${n}`)
    const deadline = performance.now() + 20_000
    while (listeners.some(({ told }, at) => told === before[at]) && performance.now() < deadline) await sleep(5)
    last.push(Math.max(...listeners.map(({ toldAt }) => toldAt)) - began)
    await sleep(50)
    takes.push((processorTime(service) - cpu) * 1000)
    statements.push(readsSince(log, from))
  }
  for (let n = 0; n < BROADCASTS; n += 1) await broadcast(n)
  const lost = listeners.filter(({ told }) => told !== BROADCASTS).length
  const idle = await readingDuring(service, () => sleep(5000))
  const busy = await readingDuring(service, async () => {
    for (let n = 0; n < BROADCASTS; n += 1) await broadcast(BROADCASTS + n)
  })
  const quiet = percentile(idle, 0.99)
  return [
    { what: 'sockets that were not told each change once', value: lost, unit: '', bound: { atMost: 0 } },
    { what: 'reads for one change, fewest', value: Math.min(...statements), unit: '', bound: { atLeast: 1 } },
    { what: 'reads for one change, most', value: Math.max(...statements), unit: '', bound: { atMost: 1 } },
    {
      what: 'processor time of one change',
      value: percentile(takes.slice(0, BROADCASTS), 0.5),
      unit: 'ms',
      bound: { atMost: 250 },
    },
    { what: 'change sent to last frame, median', value: percentile(last.slice(0, BROADCASTS), 0.5), unit: 'ms' },
    { what: 'read by key, p99, idle', value: quiet, unit: 'ms' },
    { what: 'read by key, p99, meanwhile', value: percentile(busy, 0.99), unit: 'ms', bound: { atMost: quiet + 15 } },
  ]
}

/** Clients that never read: they are ended, and hold up nobody. */
async function proveSlow(service: Service, count: number): Promise<readonly Figure[]> {
  const slow = await listen(service, count)
  for (const { socket } of slow) socket.pause()
  const [quick] = await listen(service, 1)
  if (quick === undefined) throw new Error('there is no listener')
  const times: number[] = []
  const before = memoryOf(service).rss
  for (let n = 0; n < 40; n += 1) {
    const told = quick.next()
    const began = performance.now()
    await change(service, 1, `${n} ${'x'.repeat(200_000)}`)
    await told
    times.push(performance.now() - began)
  }
  const grown = memoryOf(service).rss - before
  for (const { socket } of slow) socket.destroy()
  quick.socket.destroy()
  return [
    {
      what: `with ${count} who do not read: change to frame, p99`,
      value: percentile(times, 0.99),
      unit: 'ms',
      bound: { atMost: 2000 },
    },
    { what: `with ${count} who do not read: memory`, value: grown, unit: 'MB', bound: { atMost: 300 } },
  ]
}

export async function sockets({ sockets: count, changes, slow }: SocketOptions): Promise<readonly Figure[]> {
  const database = await createDatabase('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'tain-sockets-'))
  const log = join(folder, 'statements')
  try {
    await database.query(TABLES)
    const settings = {
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      WEBSOCKETS_ENABLED: 'true',
      WEBSOCKETS_HEARTBEAT_PERIOD: '600',
      REALTIME_USER_CONNECTIONS: '100000',
      EVENTS_OUTSIDE: 'none',
      TAIN_STATEMENT_LOG: log,
    }
    return await withService(settings, async (service) => {
      await untilReady(service)
      const latency = await proveLatency(service, changes)
      await sleep(2000)
      const empty = memoryOf(service).rss
      const listeners = await listen(service, count)
      await sleep(5000)
      const each = ((memoryOf(service).rss - empty) * 1024) / count
      const figures = await proveBroadcast(service, listeners, log)
      for (const { socket } of listeners) socket.destroy()
      await sleep(2000)
      return [
        ...latency,
        { what: `memory of each of ${count} sockets`, value: each, unit: 'KB', bound: { atMost: 20 } },
        ...figures,
        ...(await proveSlow(service, slow)),
      ]
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await database.drop()
  }
}
