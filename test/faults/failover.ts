// npm run verify:failover
// A primary that dies, hands over or vanishes while rows are written: none is lost, none is there twice, and callers get
// nothing but 200 and 503.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { prove, untilReady, withService, authorization, type Figure, type Service } from '../measurements/service.ts'
import { startPatroni, type Patroni } from './patroni.ts'

/** What happens to the primary. */
const faults = {
  'kill-server': async (patroni: Patroni) => (await patroni.primary())?.killServer(),
  switchover: (patroni: Patroni) => patroni.switchOver(),
  'kill-node': async (patroni: Patroni) => {
    const node = await patroni.primary()
    await node?.kill()
    // Back when another one has taken over.
    void sleep(30_000).then(() => node?.start())
  },
} as const satisfies Record<string, (patroni: Patroni) => Promise<unknown>>

type Fault = keyof typeof faults

/** Patroni waits for the key of a primary that has vanished: its ttl. */
const longestGap: Readonly<Record<Fault, number>> = { 'kill-server': 6000, switchover: 6000, 'kill-node': 25_000 }

/** How the service reaches the primary. */
const ways = {
  'several hosts': ({ hostsUrl }: Patroni) => hostsUrl,
  HAProxy: ({ balancerUrl }: Patroni) => balancerUrl,
} as const satisfies Record<string, (patroni: Patroni) => string>

type Way = keyof typeof ways

export interface FailoverOptions {
  readonly rounds: Readonly<Partial<Record<Fault, number>>>
  readonly by: readonly Way[]
}

const RATE = 25
const agent = new Agent({ keepAlive: true, maxSockets: 100 })

function send({ port }: Service, path: string, body: object, key: string): Promise<{ status: number; text: string }> {
  const headers = { ...authorization, 'content-type': 'application/json', 'idempotency-key': key }
  return new Promise((resolve) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.once('error', () => resolve({ status: 0, text: '' }))
    })
    sent.once('error', () => resolve({ status: 0, text: '' }))
    sent.end(JSON.stringify(body))
  })
}

interface Written {
  readonly acknowledged: ReadonlySet<string>
  readonly statuses: ReadonlyMap<number, number>
  /** Milliseconds between two successes in a row, at most. */
  readonly gap: number
}

/** Writes rows at a rate; each is sent again until it is acknowledged. */
async function writeFor(service: Service, seconds: () => boolean): Promise<Written> {
  const acknowledged = new Set<string>()
  const statuses = new Map<number, number>()
  const successes: number[] = [performance.now()]
  const under: Promise<void>[] = []
  const write = async () => {
    const ref = randomUUID()
    for (;;) {
      const { status } = await send(service, '/items/notes', { ref }, ref)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) {
        acknowledged.add(ref)
        return void successes.push(performance.now())
      }
      await sleep(200)
    }
  }
  while (seconds()) {
    under.push(write())
    await sleep(1000 / RATE)
  }
  await Promise.all(under)
  const gap = successes.slice(1).reduce((most, at, index) => Math.max(most, at - successes[index]!), 0)
  return { acknowledged, statuses, gap }
}

async function rowsIn(service: Service): Promise<readonly { readonly ref: string }[]> {
  for (;;) {
    const answer = await fetch(`${service.url}/items/notes?fields=ref&limit=-1`, { headers: authorization })
    if (answer.status === 200) return ((await answer.json()) as { data: { ref: string }[] }).data
    if (answer.status !== 503) throw new Error(`the rows could not be read: ${answer.status} ${await answer.text()}`)
    await sleep(200)
  }
}

async function round(service: Service, patroni: Patroni, fault: Fault): Promise<Written & { readonly wrong: number }> {
  await patroni.untilWhole()
  const state = { isOver: false }
  const writing = writeFor(service, () => !state.isOver)
  await sleep(2000)
  const before = await patroni.primary()
  await faults[fault](patroni)
  const began = performance.now()
  while (performance.now() - began < 60_000) {
    const now = await patroni.primary()
    if (now !== null && (now !== before || fault === 'kill-server') && performance.now() - began > 3000) break
    await sleep(100)
  }
  await sleep(3000)
  state.isOver = true
  const written = await writing
  await patroni.untilWhole()
  const times = new Map<string, number>()
  for (const { ref } of await rowsIn(service)) times.set(ref, (times.get(ref) ?? 0) + 1)
  const lost = [...written.acknowledged].filter((ref) => !times.has(ref)).length
  const twice = [...times.values()].filter((count) => count > 1).length
  return { ...written, wrong: lost + twice }
}

async function proveFault(
  service: Service,
  patroni: Patroni,
  way: Way,
  fault: Fault,
  rounds: number,
): Promise<readonly Figure[]> {
  const results: Awaited<ReturnType<typeof round>>[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    results.push(await round(service, patroni, fault))
    const { gap, acknowledged, statuses } = results.at(-1)!
    const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    console.log(`${way}, ${fault}: ${acknowledged.size} rows, writes away ${Math.round(gap)} ms, ${answers}`)
  }
  const others = results.flatMap(({ statuses }) => [...statuses].filter(([status]) => status !== 200 && status !== 503))
  const name = `${way}, ${fault}`
  return [
    {
      what: `${name}: rows lost or there twice`,
      value: results.reduce((sum, { wrong }) => sum + wrong, 0),
      unit: '',
      bound: { atMost: 0 },
    },
    {
      what: `${name}: answers other than 200 and 503`,
      value: others.reduce((sum, [, count]) => sum + count, 0),
      unit: '',
      bound: { atMost: 0 },
    },
    {
      what: `${name}: longest time without a write`,
      value: Math.max(...results.map(({ gap }) => gap)),
      unit: 'ms',
      bound: { atMost: longestGap[fault] },
    },
  ]
}

/** The address of one node, which is then no primary any more. */
async function proveOneNode(patroni: Patroni): Promise<readonly Figure[]> {
  await patroni.untilWhole()
  const node = await patroni.primary()
  return withService({ DATABASE_URL: node?.url ?? '' }, async (service) => {
    await untilReady(service)
    await patroni.switchOver()
    while ((await patroni.primary().catch(() => null)) === node) await sleep(50)
    await patroni.untilWhole()
    await sleep(2000)
    const statuses: number[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      statuses.push((await send(service, '/items/notes', { ref: randomUUID() }, randomUUID())).status)
      await sleep(50)
    }
    const ready = await fetch(`${service.url}/server/ready`)
    return [
      {
        what: 'one address, no primary any more: writes answered other than 503',
        value: statuses.filter((status) => status !== 503).length,
        unit: '',
        bound: { atMost: 0 },
      },
      {
        what: 'one address, no primary any more: status of /server/ready',
        value: ready.status,
        unit: '',
        bound: { atLeast: 503 },
      },
    ]
  })
}

export async function failover({ rounds, by }: FailoverOptions): Promise<readonly Figure[]> {
  const patroni = await startPatroni()
  try {
    const figures: Figure[] = []
    for (const way of by)
      figures.push(
        ...(await withService({ DATABASE_URL: ways[way](patroni), LOG_LEVEL: 'warn' }, async (service) => {
          await untilReady(service)
          const made = { collection: 'notes', schema: {}, fields: [{ field: 'ref', type: 'string' }] }
          await send(service, '/collections', made, randomUUID())
          const found: Figure[] = []
          for (const [fault, count] of Object.entries(rounds) as [Fault, number][])
            found.push(...(await proveFault(service, patroni, way, fault, count)))
          return found
        })),
      )
    return [...figures, ...(await proveOneNode(patroni))]
  } finally {
    agent.destroy()
    await patroni.destroy()
  }
}

if (import.meta.main)
  await prove('verify:failover', () =>
    failover({ rounds: { 'kill-server': 10, switchover: 10, 'kill-node': 5 }, by: ['several hosts', 'HAProxy'] }),
  )
