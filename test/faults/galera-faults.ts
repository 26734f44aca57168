// npm run verify galera-faults
// Nodes of a Galera cluster are killed, stand still or lose their quorum while rows are written: none is lost, none is
// there twice, and callers get nothing but 200 and 503.
import { setTimeout as sleep } from 'node:timers/promises'
import mysql2 from 'mysql2/promise'
import { isReady, untilReady, withService, type Figure, type Service } from '../measurements/service.ts'
import { agent, writeFor, wrongIn, type Written } from './acknowledged-writes.ts'
import { startGalera, type Galera, type GaleraNode } from './galera.ts'

const PAUSE = 15_000

/** All nodes in one address; the first one that works is used. */
function urlOf({ nodes }: Galera): string {
  const hosts = nodes.map(({ url }) => new URL(url).host)
  return nodes[0]!.url.replace(hosts[0]!, hosts.join(','))
}

const errorNumber = (error: unknown) =>
  typeof error === 'object' && error !== null && 'errno' in error ? error.errno : null

/** Resolves when a node refuses statements for want of a quorum (1047). */
async function untilWithoutQuorum({ url }: GaleraNode): Promise<number> {
  for (;;) {
    try {
      const connection = await mysql2.createConnection({ uri: url, connectTimeout: 1000 })
      await connection.query('select count(*) from notes').finally(() => connection.destroy())
    } catch (error) {
      if (errorNumber(error) === 1047) return performance.now()
    }
    await sleep(20)
  }
}

const state = { notReadyAfter: 0 }

/** The node that the service works on, then the others. */
async function nodesInUse({ nodes }: Galera): Promise<readonly [GaleraNode, ...GaleraNode[]]> {
  const counted: [number, GaleraNode][] = []
  for (const node of nodes) {
    const connection = await mysql2.createConnection(node.url)
    const [rows] = await connection.query<mysql2.RowDataPacket[]>(
      `select count(*) as n from information_schema.processlist where db = 'tain'`,
    )
    connection.destroy()
    counted.push([Number(rows[0]?.['n']), node])
  }
  const [first, ...others] = counted.toSorted(([one], [other]) => other - one).map(([, node]) => node)
  if (first === undefined) throw new Error('there are no nodes')
  return [first, ...others]
}

const faults = {
  'node killed': async (first: GaleraNode) => {
    await first.kill()
    await sleep(8000)
    await first.start()
  },
  'node stopped': async (first: GaleraNode) => {
    first.pause()
    await sleep(PAUSE)
    first.goOn()
  },
  'quorum lost': async (first: GaleraNode, others: readonly GaleraNode[], service: Service) => {
    for (const node of others) node.pause()
    const began = await untilWithoutQuorum(first)
    while (await isReady(service)) await sleep(20)
    state.notReadyAfter = performance.now() - began
    await sleep(5000)
    for (const node of others) node.goOn()
  },
} as const satisfies Record<
  string,
  (first: GaleraNode, others: readonly GaleraNode[], service: Service) => Promise<void>
>

type Fault = keyof typeof faults

async function round(service: Service, galera: Galera, fault: Fault): Promise<Written & { readonly wrong: number }> {
  const writing = { isOver: false }
  const written = writeFor(service, () => !writing.isOver)
  await sleep(2000)
  const [first, ...others] = await nodesInUse(galera)
  await faults[fault](first, others, service)
  while (!(await isReady(service))) await sleep(100)
  await sleep(3000)
  writing.isOver = true
  const found = await written
  return { ...found, wrong: await wrongIn(service, found) }
}

async function proveFault(service: Service, galera: Galera, fault: Fault): Promise<readonly Figure[]> {
  const { acknowledged, statuses, gap, wrong } = await round(service, galera, fault)
  console.log(`${fault}: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
  const others = [...statuses].filter(([status]) => status !== 200 && status !== 503)
  const none = { atMost: 0 }
  return [
    { what: `${fault}: rows`, value: acknowledged.size, unit: '' },
    { what: `${fault}: rows lost or there twice`, value: wrong, unit: '', bound: none },
    {
      what: `${fault}: answers other than 200 and 503`,
      value: others.reduce((sum, [, count]) => sum + count, 0),
      unit: '',
      bound: none,
    },
    { what: `${fault}: longest time without a write`, value: gap, unit: 'ms' },
  ]
}

export async function galeraFaults(): Promise<readonly Figure[]> {
  const galera = await startGalera()
  try {
    const connection = await mysql2.createConnection(galera.nodes[0]!.url)
    await connection.query('create table notes (id bigint auto_increment primary key, ref varchar(64) not null)')
    await connection.end()
    return await withService({ DATABASE_URL: urlOf(galera), LOG_LEVEL: 'warn' }, async (service) => {
      await untilReady(service)
      const figures: Figure[] = []
      for (const fault of Object.keys(faults) as Fault[]) figures.push(...(await proveFault(service, galera, fault)))
      const bound = { atMost: 2000 }
      return [...figures, { what: 'not ready after the first 1047', value: state.notReadyAfter, unit: 'ms', bound }]
    })
  } finally {
    agent.destroy()
    await galera.destroy()
  }
}
