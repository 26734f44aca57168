// npm run verify files
// The memory that large files take, and how fast many of them are sent, compared with a bare file stream.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '../lib/databases.ts'
import { authorization, memoryOf, median, untilReady, withService, type Figure, type Service } from './service.ts'

const MEGABYTE = 1024 ** 2
/** Megabytes above the idle service. */
const MOST_MEMORY = 60
/** Of the throughput of a bare file stream. */
const LEAST_SHARE = 0.7
const BOUNDARY = 'measured-file'

export interface FilesOptions {
  /** Megabytes of the large file. */
  readonly large: number
  readonly downloads: number
  /** Megabytes of each download. */
  readonly each: number
  readonly rounds: number
}

const piece = randomBytes(MEGABYTE)

function* form(megabytes: number): Generator<Buffer> {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="large.bin"'
  yield Buffer.from(`--${BOUNDARY}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`)
  for (let n = 0; n < megabytes; n += 1) yield piece
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
}

const responseTo = (outgoing: ReturnType<typeof request>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject)
  })

async function upload({ url }: Service, megabytes: number): Promise<string> {
  const outgoing = request(`${url}/files?fields=id`, {
    method: 'POST',
    headers: { ...authorization, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  })
  const response = responseTo(outgoing)
  for (const chunk of form(megabytes))
    if (!outgoing.write(chunk)) await new Promise<void>((resolve) => void outgoing.once('drain', resolve))
  outgoing.end()
  const pieces: Buffer[] = []
  for await (const chunk of await response) pieces.push(chunk as Buffer)
  const { data } = JSON.parse(Buffer.concat(pieces).toString()) as { readonly data: { readonly id: string } }
  return data.id
}

/** Reads a response to its end and tells its size; `hash` gets every byte. */
async function download(url: string, agent: Agent, hash?: ReturnType<typeof createHash>): Promise<number> {
  const outgoing = request(url, { headers: authorization, agent })
  outgoing.end()
  const response = await responseTo(outgoing)
  let size = 0
  let first = ''
  for await (const chunk of response) {
    size += (chunk as Buffer).length
    if (first === '') first = (chunk as Buffer).toString('latin1', 0, 300)
    hash?.update(chunk as Buffer)
  }
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${first}`)
  return size
}

/** The most memory while the work runs, in megabytes, and what it gives. */
async function watched<T>(
  service: Service,
  work: () => Promise<T>,
): Promise<{ readonly most: number; readonly result: T }> {
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, memoryOf(service).rss)), 50)
  try {
    return { result: await work(), most: Math.max(most, memoryOf(service).rss) }
  } finally {
    clearInterval(timer)
  }
}

async function largeFile(service: Service, { large }: FilesOptions): Promise<Figure[]> {
  // The first file loads what later ones use.
  await download(`${service.url}/assets/${await upload(service, 1)}`, new Agent())
  await sleep(2000)
  const idle = memoryOf(service).rss
  const sent = await watched(service, () => upload(service, large))
  const hash = createHash('sha256')
  const received = await watched(service, () => download(`${service.url}/assets/${sent.result}`, new Agent(), hash))
  const expected = createHash('sha256')
  for (let n = 0; n < large; n += 1) expected.update(piece)
  const isSame = received.result === large * MEGABYTE && hash.digest('hex') === expected.digest('hex')
  return [
    {
      what: `upload of ${large} MB: memory above the idle service`,
      value: sent.most - idle,
      unit: 'MB',
      bound: { atMost: MOST_MEMORY },
    },
    {
      what: `download of ${large} MB: memory above the idle service`,
      value: received.most - idle,
      unit: 'MB',
      bound: { atMost: MOST_MEMORY },
    },
    { what: 'content that came back otherwise', value: isSame ? 0 : 1, unit: '', bound: { atMost: 0 } },
  ]
}

async function bareServer(path: string) {
  const { size } = await stat(path)
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': size })
    createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => new Promise((resolve) => void server.close(resolve)),
  }
}

/** Seconds of all downloads at once. */
async function allAtOnce(url: string, { downloads, each }: FilesOptions): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: downloads })
  const began = performance.now()
  const sizes = await Promise.all(Array.from({ length: downloads }, () => download(url, agent)))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  if (sizes.some((size) => size !== each * MEGABYTE)) throw new Error('a download is too short')
  return seconds
}

async function manyDownloads(service: Service, directory: string, options: FilesOptions): Promise<Figure[]> {
  const path = join(directory, 'bare.bin')
  await writeFile(path, Buffer.concat(Array.from({ length: options.each }, () => piece)))
  const asset = `${service.url}/assets/${await upload(service, options.each)}`
  const bare = await bareServer(path)
  const pairs: { readonly own: number; readonly bare: number }[] = []
  try {
    for (let round = 0; round < options.rounds; round += 1)
      pairs.push({ bare: await allAtOnce(bare.url, options), own: await allAtOnce(asset, options) })
  } finally {
    await bare.stop()
  }
  const share = median(pairs.map((pair) => pair.bare / pair.own))
  const rate = median(pairs.map(({ own }) => (options.downloads * options.each) / own))
  const what = `${options.downloads} downloads of ${options.each} MB at once`
  return [
    { what: `${what}: share of a bare file stream`, value: share, unit: '', bound: { atLeast: LEAST_SHARE } },
    { what: `${what}: all together`, value: rate, unit: 'MB/s' },
  ]
}

export async function measureFiles(options: FilesOptions): Promise<Figure[]> {
  const database = await createDatabase('postgres')
  const directory = await mkdtemp(join(tmpdir(), 'tain-files-'))
  try {
    const environment = {
      DATABASE_URL: database.url,
      STORAGE_LOCAL_ROOT: join(directory, 'uploads'),
      LOG_LEVEL: 'warn',
    }
    return await withService(environment, async (service) => {
      await untilReady(service)
      return [...(await largeFile(service, options)), ...(await manyDownloads(service, directory, options))]
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
    await database.drop()
  }
}
