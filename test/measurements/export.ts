// npm run verify export
// A table of a million rows as CSV: the memory of the service meanwhile, and that the export is complete.
import { createHash, type Hash } from 'node:crypto'
import { get as request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { withDatabase } from '../lib/throwaway.ts'
import { authorization, get, memoryOf, untilReady, withService, type Figure, type Service } from './service.ts'

export interface ExportOptions {
  readonly rows: number
  /** How long the slow client reads, and how many megabytes per second. */
  readonly slowSeconds: number
  readonly slowMegabytes: number
  readonly bound: number
}

const tableScript = (rows: number) => `
  create table wares (
    id integer primary key, name varchar(80) not null, note text, price numeric(12, 2), stock bigint,
    is_sold boolean not null, made timestamptz, tags text[], data jsonb);
  insert into wares
    select n, 'ware ' || md5(n::text), case when n % 7 = 0 then null else 'a note, "quoted" and öther ' || n end,
      n / 7.0, n::bigint * 1000003, n % 3 = 0, '2024-01-01T00:00:00Z'::timestamptz + n * interval '1 minute',
      array['a', 'b' || n], jsonb_build_object('n', n, 'text', 'value ' || n)
    from generate_series(1, ${rows}) n;
  analyze wares`

async function fill(url: string, rows: number): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(tableScript(rows))
    const { rows: found } = await client.query<{ md5: string }>(
      `select md5(string_agg(md5(name), '' order by id)) from wares`,
    )
    return found[0]?.md5 ?? ''
  } finally {
    await client.end()
  }
}

/** Samples memory until stopped. */
function watchMemory(service: Service): () => number {
  let most = memoryOf(service).rss
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(service).rss)
  }, 50)
  return () => {
    clearInterval(timer)
    return Math.max(most, memoryOf(service).rss)
  }
}

const open = ({ url }: Service): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(`${url}/items/wares?export=csv&limit=-1&sort=id`, { headers: authorization }, resolve).once('error', reject)
  })

interface Arrived {
  readonly rows: number
  readonly bytes: number
  readonly nameHash: string
}

/** Reads line by line: the second cell is the name, which is never quoted. */
async function readAll(answer: IncomingMessage): Promise<Arrived> {
  const all = createHash('md5')
  let rows = -1
  let bytes = 0
  let rest = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (rows >= 0) addName(all, line)
      rows += 1
    }
  }
  return { rows, bytes, nameHash: all.digest('hex') }
}

function addName(all: Hash, line: string): void {
  const start = line.indexOf(',') + 1
  all.update(
    createHash('md5')
      .update(line.slice(start, line.indexOf(',', start)))
      .digest('hex'),
  )
}

async function readSlowly(answer: IncomingMessage, seconds: number, megabytes: number): Promise<number> {
  const start = performance.now()
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    const early = bytes / (megabytes * 1e6) - (performance.now() - start) / 1000
    if (early > 0) await sleep(early * 1000)
    if (performance.now() - start > seconds * 1000) break
  }
  answer.destroy()
  return bytes
}

async function measure(service: Service, nameHash: string, options: ExportOptions): Promise<readonly Figure[]> {
  await untilReady(service)
  await get(service, '/items/wares?export=csv&limit=1000')
  await sleep(500)
  const idle = memoryOf(service).rss

  const slowPeak = watchMemory(service)
  const slowBytes = await readSlowly(await open(service), options.slowSeconds, options.slowMegabytes)
  const slow = slowPeak()

  const fastPeak = watchMemory(service)
  const start = performance.now()
  const arrived = await readAll(await open(service))
  const seconds = (performance.now() - start) / 1000
  const fast = Math.max(fastPeak(), memoryOf(service).peak)

  return [
    { what: 'idle RSS', value: idle, unit: 'MB' },
    { what: 'fast client: peak RSS over idle', value: fast - idle, unit: 'MB', bound: { atMost: options.bound } },
    { what: 'slow client: peak RSS over idle', value: slow - idle, unit: 'MB', bound: { atMost: options.bound } },
    { what: 'slow client: read', value: slowBytes / 1e6, unit: 'MB' },
    { what: 'rows', value: arrived.rows, unit: '', bound: { atLeast: options.rows } },
    { what: 'names are the same', value: arrived.nameHash === nameHash ? 1 : 0, unit: '', bound: { atLeast: 1 } },
    { what: 'size', value: arrived.bytes / 1e6, unit: 'MB' },
    { what: 'time', value: seconds, unit: 's' },
    { what: 'speed', value: arrived.rows / seconds, unit: 'rows/s' },
  ]
}

export const exportRows = (options: ExportOptions): Promise<readonly Figure[]> =>
  withDatabase('export', async (url) => {
    const nameHash = await fill(url, options.rows)
    return withService({ DATABASE_URL: url }, (service) => measure(service, nameHash, options))
  })
