import { Agent, request as sendRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRng } from '../random/rng.ts'
import type { TestDialect } from '../lib/databases.ts'
import { largestConnection, peakOf } from './memory.ts'
import { requestOf, type HostileRequest } from './requests.ts'
import { createHostileWorld, type Block, type HostileWorld } from './world.ts'

export interface CampaignOptions {
  readonly dialect: TestDialect
  readonly seed: number
  readonly requests: number
  /** Runs only this request and shows its response. */
  readonly only?: number | null
  readonly onProgress?: (done: number) => void
}

/** The limits that must hold, in milliseconds and megabytes. */
export const bounds = { block: 250, service: 1024, connection: 256 }

export interface Failure {
  readonly index: number
  readonly caller: string
  readonly what: string
  readonly request: string
}

export interface Report {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly failures: readonly Failure[]
  /** The longest time that the service itself blocked its event loop. */
  readonly longestBlock: number
  readonly blocks: readonly (Block & { readonly inFlight: readonly number[] })[]
  readonly servicePeak: number
  readonly connectionPeak: number | null
}

const AT_ONCE = 4
const PATIENCE = 30_000
const callers = ['administrator', 'limited', 'public'] as const

interface Reply {
  readonly status: number
  readonly text: string
}

export async function campaign(options: CampaignOptions): Promise<Report> {
  const world = await createHostileWorld(options.dialect)
  try {
    return await attack(world, options)
  } finally {
    await world.end()
  }
}

async function attack(
  world: HostileWorld,
  { seed, requests, only = null, onProgress }: CampaignOptions,
): Promise<Report> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const failures: Failure[] = []
  const statuses: Record<string, number> = {}
  const flights: { index: number; from: number; to: number }[] = []
  let connectionPeak: number | null = null
  let next = only ?? 0
  const end = only === null ? requests : only + 1

  const attempt = async (index: number): Promise<void> => {
    const rng = createRng(seed, index)
    const caller = rng.pick(callers)
    const request = requestOf(rng)
    const from = Date.now()
    const reply = await send(world.service.url, request, world.tokens[caller], agent).catch((error: unknown) =>
      String(error),
    )
    flights.push({ index, from, to: Date.now() })
    const status = typeof reply === 'string' ? 'closed' : String(reply.status)
    statuses[status] = (statuses[status] ?? 0) + 1
    const what = faultOf(reply)
    if (what !== null) failures.push({ index, caller, what, request: shown(request) })
    if (only !== null)
      console.info(
        shown(request, 5000),
        typeof reply === 'string' ? reply : `${reply.status} ${reply.text.slice(0, 2000)}`,
      )
  }

  const work = async (): Promise<void> => {
    while (next < end) {
      const index = next
      next += 1
      await attempt(index)
      if (index % 500 === 499) {
        connectionPeak = greater(connectionPeak, await largestConnection(world.database))
        onProgress?.(index + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: only === null ? AT_ONCE : 1 }, work))
  agent.destroy()
  if (only !== null) {
    // The log is written with a short delay.
    await sleep(1000)
    console.info(world.service.log().slice(-4000))
  }
  connectionPeak = greater(connectionPeak, await largestConnection(world.database))
  if ((await world.service.get('/server/ping').catch(() => null))?.status !== 200)
    failures.push({
      index: -1,
      caller: '-',
      what: `the service is gone: ${world.service.log().slice(-2000)}`,
      request: '-',
    })
  const blocks = (await world.blocks()).map((block) => ({ ...block, inFlight: inFlight(block, flights) }))
  return {
    requests: end - (only ?? 0),
    statuses,
    failures,
    longestBlock: Math.max(0, ...blocks.filter((block) => block.inFlight.length > 0).map(({ busy }) => busy)),
    blocks: blocks.toSorted((a, b) => b.busy - a.busy).slice(0, 10),
    servicePeak: peakOf(world.service.pid),
    connectionPeak,
  }
}

const greater = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

const inFlight = ({ at, wall }: Block, flights: readonly { index: number; from: number; to: number }[]): number[] =>
  flights.flatMap(({ index, from, to }) => (from <= at && to >= at - wall ? [index] : []))

function faultOf(reply: Reply | string): string | null {
  // The service may close a connection on invalid HTTP, but a refused connection or a missing answer is a failure.
  if (typeof reply === 'string') return /ECONNREFUSED|no answer/u.test(reply) ? reply : null
  if (reply.status === 500 || (reply.status > 500 && reply.status !== 503))
    return `status ${reply.status}: ${reply.text.slice(0, 300)}`
  return reply.text.includes('INTERNAL_SERVER_ERROR') ? reply.text.slice(0, 300) : null
}

const shown = ({ method, path, headers, body }: HostileRequest, length = 300): string =>
  `${method} ${path.slice(0, length)} ${JSON.stringify(headers).slice(0, 200)} ${(body ?? '').toString('utf8').slice(0, length)}`

function send(
  url: string,
  { method, path, headers, body }: HostileRequest,
  token: string | null,
  agent: Agent,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
    const request = sendRequest(
      {
        hostname,
        port,
        method,
        agent,
        path: path.replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed())),
        headers: { ...authorization, ...headers, ...(body === null ? {} : { 'content-length': String(body.length) }) },
        timeout: PATIENCE,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        )
        response.on('error', reject)
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}
