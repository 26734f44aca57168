// npm run verify file-conditions [-- --requests 20000 --seed 1]
// Random conditional requests and ranges, compared with a model of RFC 9110 that shares no code with the service.
import { Agent, request } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openService, TOKEN, type Service } from '../lib/service.ts'
import { createDatabase } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { createRng, type Rng } from '../random/rng.ts'

const CLIENTS = 8
const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, n) => 33 + (n % 90)))

type Headers = Readonly<Record<string, string>>

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

interface Stored {
  readonly tag: string
  /** In milliseconds, to the second. */
  readonly modified: number
}

/** What RFC 9110 demands. */
interface Demand {
  readonly status: number
  readonly body: Buffer
  readonly range: string | undefined
}

const ask = (url: string, method: string, headers: Headers, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, agent, headers: { authorization: `Bearer ${TOKEN}`, ...headers } },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
        )
      },
    )
    outgoing.on('error', reject).end()
  })

const date = (milliseconds: number) => new Date(milliseconds).toUTCString()

function randomTags({ tag }: Stored, random: Rng): string {
  const some = ['"other"', 'W/"other"', tag, `W/${tag}`, '"a,b"', '"with space"', '""']
  const count = random.int(1, 3)
  return Array.from({ length: count }, () => random.pick(some)).join(random.pick([',', ', ', ' ,  ']))
}

function randomRange(random: Rng): string {
  const near = () => random.pick([0, 1, 2, 500, 998, 999, 1000, 1001, 5000, 2 ** 40])
  const kinds: readonly (() => string)[] = [
    () => `bytes=${near()}-${near()}`,
    () => `bytes=${near()}-`,
    () => `bytes=-${near()}`,
    () => `bytes=${random.int(0, 999)}-${random.int(0, 1200)}`,
    () => `bytes=0-1,${near()}-`,
    () =>
      random.pick([
        'bytes=',
        'bytes=-',
        'bytes=a-b',
        'bytes=1',
        'items=0-2',
        'bytes 0-2',
        '',
        'bytes=0-2-3',
        'bytes=1e3-',
      ]),
  ]
  return random.pick(kinds)()
}

function randomHeaders(stored: Stored, random: Rng): Headers {
  const headers: Record<string, string> = {}
  const when = () => date(stored.modified + random.pick([-86_400_000, -1000, 0, 1000, 86_400_000]))
  if (random.chance(0.4)) headers['if-none-match'] = random.chance(0.1) ? '*' : randomTags(stored, random)
  if (random.chance(0.3)) headers['if-modified-since'] = random.chance(0.15) ? random.pick(['soon', '', '12']) : when()
  if (random.chance(0.7)) headers['range'] = randomRange(random)
  if (random.chance(0.3))
    headers['if-range'] = random.chance(0.5) ? random.pick([stored.tag, `W/${stored.tag}`, '"other"']) : when()
  return headers
}

/** Tags of a list, without their weakness; a comma inside of quotes is part of a tag. */
const tagsIn = (text: string) => [...text.matchAll(/(?:W\/)?("[^"]*")/gu)].map(([, tag]) => tag)

function isKnown(headers: Headers, { tag, modified }: Stored): boolean {
  const list = headers['if-none-match']
  if (list !== undefined) return list.trim() === '*' || tagsIn(list).includes(tag)
  const since = headers['if-modified-since']
  if (since === undefined || !since.endsWith(' GMT')) return false
  return modified <= Date.parse(since)
}

/** The first and last byte; undefined: the whole; null: outside. */
function partOf(text: string | undefined): readonly [number, number] | undefined | null {
  const found = /^bytes=(\d*)-(\d*)$/u.exec(text ?? '')
  if (found === null) return undefined
  const [, from = '', to = ''] = found
  if (from === '' && to === '') return undefined
  const last = CONTENT.length - 1
  if (from === '') return Number(to) === 0 ? null : [Math.max(0, CONTENT.length - Number(to)), last]
  if (Number(from) > last || (to !== '' && Number(to) < Number(from))) return null
  return [Number(from), to === '' ? last : Math.min(last, Number(to))]
}

function demandOf(headers: Headers, stored: Stored): Demand {
  const nothing = Buffer.alloc(0)
  if (isKnown(headers, stored)) return { status: 304, body: nothing, range: undefined }
  const condition = headers['if-range']
  const holds =
    condition === undefined ||
    condition === stored.tag ||
    (condition.endsWith(' GMT') && Date.parse(condition) === stored.modified)
  const part = holds ? partOf(headers['range']) : undefined
  if (part === undefined) return { status: 200, body: CONTENT, range: undefined }
  if (part === null) return { status: 416, body: nothing, range: `bytes */${CONTENT.length}` }
  const [first, last] = part
  return { status: 206, body: CONTENT.subarray(first, last + 1), range: `bytes ${first}-${last}/${CONTENT.length}` }
}

function differences(demand: Demand, answer: Answer, method: string, stored: Stored): string[] {
  const found: string[] = []
  const same = (what: string, value: unknown, wanted: unknown) => {
    if (value !== wanted) found.push(`${what} is ${String(value)}, not ${String(wanted)}`)
  }
  same('status', answer.status, demand.status)
  same('content-range', answer.headers['content-range'], demand.range)
  if (demand.status !== 416) same('etag', answer.headers['etag'], stored.tag)
  if (demand.status === 200 || demand.status === 206) {
    same('content-length', answer.headers['content-length'], String(demand.body.length))
    const body = method === 'HEAD' ? Buffer.alloc(0) : demand.body
    if (!answer.body.equals(body)) found.push('the body is another one')
  }
  if (demand.status === 304 && answer.body.length > 0) found.push('304 with a body')
  return found
}

async function uploadContent(service: Service): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(CONTENT)], { type: 'text/plain' }), 'ranges.txt')
  const response = await fetch(`${service.url}/files?fields=id`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const { data } = (await response.json()) as { readonly data: { readonly id: string } }
  return data.id
}

export interface Compared {
  readonly requests: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly wrong: readonly string[]
}

async function compare(service: Service, requests: number, seed: number): Promise<Compared> {
  const url = `${service.url}/assets/${await uploadContent(service)}`
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const { headers } = await ask(url, 'HEAD', {}, agent)
  const stored = { tag: String(headers['etag']), modified: Date.parse(String(headers['last-modified'])) }
  const random = createRng(seed)
  const byStatus: Record<string, number> = {}
  const wrong: string[] = []
  let left = requests
  const client = async () => {
    while (left > 0) {
      left -= 1
      const sent = randomHeaders(stored, random)
      const method = random.chance(0.1) ? 'HEAD' : 'GET'
      const answer = await ask(url, method, sent, agent)
      byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1
      for (const words of differences(demandOf(sent, stored), answer, method, stored))
        wrong.push(`${method} ${JSON.stringify(sent)}: ${words}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  agent.destroy()
  return { requests, byStatus, wrong }
}

export async function compareConditions(requests: number, seed = 1): Promise<Compared> {
  const database = await createDatabase('postgres')
  const root = await mkdtemp(join(tmpdir(), 'tain-conditions-'))
  const service = await openService({ DATABASE_URL: database.url, STORAGE_LOCAL_ROOT: root, LOG_LEVEL: 'warn' })
  try {
    return await compare(service, requests, seed)
  } finally {
    await service.stop()
    await rm(root, { recursive: true, force: true })
    await database.drop()
  }
}

/** The random requests come by every kind of response: each of these has its share. */
const FREQUENT = ['200', '206', '304', '416']

export async function figures(requests: number, seed: number): Promise<Figure[]> {
  const { byStatus, wrong } = await compareConditions(requests, seed)
  for (const words of wrong.slice(0, 20)) console.log(words)
  return [
    ...FREQUENT.map((status) => ({
      what: `responses with ${status}`,
      value: byStatus[status] ?? 0,
      unit: '',
      bound: { atLeast: Math.floor(requests / 30) + 1 },
    })),
    ...Object.entries(byStatus)
      .filter(([status]) => !FREQUENT.includes(status))
      .map(([status, value]) => ({ what: `responses with ${status}`, value, unit: '' })),
    { what: `differences in ${requests} requests`, value: wrong.length, unit: '', bound: { atMost: 0 } },
  ]
}
