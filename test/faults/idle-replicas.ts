// npm run verify idle-replicas
// Fifty idle replicas on a thousand tables: what they cost the database in processor time and connections.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { connect, type TestConnection } from '../lib/databases.ts'
import { memoryOf, type Figure } from '../measurements/service.ts'
import { startService, type ServiceProcess } from '../lib/service.ts'

const TOGETHER = 4
const TICKS = 100

/** Starts replicas a few at a time: on few cores all at once would only be slower. */
export async function startReplicas(
  count: number,
  environment: Readonly<Record<string, string>>,
  replicas: ServiceProcess[] = [],
): Promise<ServiceProcess[]> {
  while (replicas.length < count) {
    const next = Math.min(TOGETHER, count - replicas.length)
    replicas.push(...(await Promise.all(Array.from({ length: next }, () => startService(environment)))))
  }
  return replicas
}

export async function createTables(query: TestConnection['query'], count: number): Promise<void> {
  const columns = Array.from({ length: 9 }, (_, index) => `c${index} text`).join(', ')
  await query(`do $$ begin for n in 1..${count} loop
    execute format('create table t%s (id integer primary key, ${columns})', n); end loop; end $$`)
}

const statOf = (pid: string): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []

/** Seconds of processor time of a server and of all its sessions, also of those that have ended. */
function serverTime(postmaster: string): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && parentOf(name) === postmaster)
  const own = statOf(postmaster)
  const ticks = [11, 12, 13, 14].map((at) => Number(own[at]))
  for (const child of children) {
    const fields = fieldsOf(child)
    ticks.push(Number(fields[11] ?? 0), Number(fields[12] ?? 0))
  }
  return ticks.reduce((sum, value) => sum + value, 0) / TICKS
}

/** Empty if the process has ended meanwhile. */
function fieldsOf(pid: string): readonly string[] {
  try {
    return statOf(pid)
  } catch {
    return []
  }
}
const parentOf = (pid: string): string | undefined => fieldsOf(pid)[1]

async function measure(cluster: Cluster, replicas: readonly ServiceProcess[], seconds: number): Promise<Figure[]> {
  const { query, close } = await connect(cluster.url)
  const [[session] = []] = await query('select pg_backend_pid()')
  const postmaster = parentOf(session ?? '') ?? ''
  const before = serverTime(postmaster)
  await sleep(seconds * 1000)
  const cores = (serverTime(postmaster) - before) / seconds
  const [[connections] = []] = await query(`select count(*) from pg_stat_activity where application_name = 'tain'`)
  await close()
  const memory = replicas.map((replica) => memoryOf(replica).rss)
  return [
    {
      what: `${replicas.length} idle replicas: processor time of the database`,
      value: cores,
      unit: 'cores',
      bound: { atMost: 0.2 },
    },
    { what: 'the same per replica and second', value: (cores * 1000) / replicas.length, unit: 'ms' },
    { what: 'connections', value: Number(connections), unit: '', bound: { atMost: replicas.length } },
    { what: 'memory per replica', value: memory.reduce((sum, one) => sum + one, 0) / memory.length, unit: 'MB' },
  ]
}

interface Idle {
  readonly replicas: number
  readonly tables: number
  readonly seconds: number
}

export async function figures({ replicas: count, tables, seconds }: Idle): Promise<Figure[]> {
  const cluster = await startCluster({ max_connections: '200', autovacuum: 'off' })
  const replicas: ServiceProcess[] = []
  try {
    const { query, close } = await connect(cluster.url)
    await createTables(query, tables)
    await close()
    const environment = { DATABASE_URL: cluster.url, LOG_LEVEL: 'error' }
    await startReplicas(count, environment, replicas)
    // Connections that the start needed are closed after half a minute.
    await sleep(40_000)
    return await measure(cluster, replicas, seconds)
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()))
    await cluster.destroy()
  }
}
