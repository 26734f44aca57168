// npm run verify failover
// A primary that dies, hands over or vanishes while rows are written: none is lost, none is there twice, and callers get
// nothing but 200 and 503.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilReady, withService, type Figure, type Service } from '../measurements/service.ts'
import { agent, send, writeFor, wrongIn, type Written } from './acknowledged-writes.ts'
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

interface FailoverOptions {
  readonly rounds: Readonly<Partial<Record<Fault, number>>>
  readonly by: readonly Way[]
  readonly etcdMembers: number
  /** Seconds for which etcd stands still; 0: it does not. */
  readonly etcdPause: number
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
  return { ...written, wrong: await wrongIn(service, written) }
}

/** Patroni asks its nodes while etcd says nothing (`failsafe_mode`), so the primary stays. */
async function proveEtcdPause(
  service: Service,
  patroni: Patroni,
  way: Way,
  seconds: number,
): Promise<readonly Figure[]> {
  await patroni.untilWhole()
  const before = await patroni.primary()
  const state = { isOver: false }
  const writing = writeFor(service, () => !state.isOver)
  await sleep(2000)
  patroni.pauseEtcd()
  await sleep(seconds * 1000)
  patroni.resumeEtcd()
  await sleep(5000)
  state.isOver = true
  const written = await writing
  await patroni.untilWhole()
  const failed = [...written.statuses].filter(([status]) => status !== 200)
  const name = `${way}, etcd paused ${seconds} s`
  const none = { atMost: 0 }
  return [
    { what: `${name}: rows`, value: written.acknowledged.size, unit: '' },
    { what: `${name}: rows lost or there twice`, value: await wrongIn(service, written), unit: '', bound: none },
    {
      what: `${name}: answers other than 200`,
      value: failed.reduce((sum, [, count]) => sum + count, 0),
      unit: '',
      bound: none,
    },
    { what: `${name}: another primary`, value: (await patroni.primary()) === before ? 0 : 1, unit: '', bound: none },
    { what: `${name}: longest time without a write`, value: written.gap, unit: 'ms' },
  ]
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

async function failover(options: FailoverOptions): Promise<readonly Figure[]> {
  const { rounds, by, etcdMembers, etcdPause } = options
  const patroni = await startPatroni(etcdMembers)
  try {
    const figures: Figure[] = []
    for (const way of by)
      figures.push(
        ...(await withService({ DATABASE_URL: ways[way](patroni), LOG_LEVEL: 'warn' }, async (service) => {
          await untilReady(service)
          const made = { collection: 'notes', schema: {}, fields: [{ field: 'ref', type: 'string' }] }
          await send(service, '/collections', made, randomUUID())
          const found: Figure[] = etcdPause > 0 ? [...(await proveEtcdPause(service, patroni, way, etcdPause))] : []
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

/** All faults of a primary, by every way to find the new one; `only: 'etcd'` is the pause of etcd alone. */
export const figures = (only: string | null): Promise<readonly Figure[]> =>
  failover({
    rounds: only === 'etcd' ? {} : { 'kill-server': 10, switchover: 10, 'kill-node': 5 },
    by: ['several hosts', 'HAProxy'],
    etcdMembers: 3,
    etcdPause: 25,
  })
