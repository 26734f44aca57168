// PostgreSQL on this machine as Patroni runs it: three nodes, etcd, synchronous replication, HAProxy in front.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../lib/free-port.ts'

export interface PatroniNode {
  readonly name: string
  readonly url: string
  /** Ends the server, not its Patroni, which starts it again or lets another one take over. */
  killServer(): Promise<void>
  /** Ends both, as a machine that loses its power does. */
  kill(): Promise<void>
  start(): void
}

export interface Patroni {
  readonly nodes: readonly PatroniNode[]
  /** All servers in one address. */
  readonly hostsUrl: string
  /** The address of HAProxy, behind which is the primary. */
  readonly balancerUrl: string
  /** null while there is none. */
  primary(): Promise<PatroniNode | null>
  /** Hands the work to another node, which becomes the primary; resolves when the order is given. */
  switchOver(): Promise<void>
  /** All members of etcd stand still. */
  pauseEtcd(): void
  resumeEtcd(): void
  /** Resolves when there is a primary with two standbys, one of them synchronous. */
  untilWhole(): Promise<void>
  destroy(): Promise<void>
}

const run = promisify(execFile)
const SIZE = 3
const PATIENCE = 120_000
const BINARIES = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'
const isRoot = userInfo().uid === 0
const HOST = '127.0.0.1'
const DATABASE = 'tain'

interface Ports {
  readonly sql: number
  readonly api: number
}

interface EtcdPorts {
  readonly client: number
  readonly peer: number
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The server does not run as root. */
async function ownerOf(): Promise<Owner> {
  if (!isRoot) return userInfo()
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, 'postgres'])).stdout))
  return { uid: Number(uid), gid: Number(gid) }
}

const settingsOf = (
  folder: string,
  at: number,
  { sql, api }: Ports,
  etcd: readonly EtcdPorts[],
  walLevel: WalLevel,
) => `
scope: tain
name: pg${at}
restapi: {listen: "${HOST}:${api}", connect_address: "${HOST}:${api}"}
etcd3: {hosts: "${etcd.map(({ client }) => `${HOST}:${client}`).join(',')}"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    primary_start_timeout: 0
    synchronous_mode: true
    failsafe_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters: {wal_level: ${walLevel}, hot_standby: "on", max_wal_senders: 10, max_replication_slots: 10, wal_log_hints: "on", max_connections: 100, wal_keep_size: 256MB, fsync: "off"}
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums, {auth-host: trust}, {auth-local: trust}]
  pg_hba: [local all all trust, host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust]
postgresql:
  listen: "${HOST}:${sql}"
  connect_address: "${HOST}:${sql}"
  data_dir: ${folder}/pg${at}/data
  bin_dir: ${BINARIES}
  pgpass: ${folder}/pg${at}/pgpass
  authentication:
    superuser: {username: postgres, password: postgres}
    replication: {username: replicator, password: replicator}
    rewind: {username: rewinder, password: rewinder}
  parameters: {unix_socket_directories: "${folder}/pg${at}"}
watchdog: {mode: "off"}
`

const balancerSettings = (port: number, ports: readonly Ports[]) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 35m
  timeout server 35m
  timeout check 1s
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
listen primary
  bind ${HOST}:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
${ports.map(({ sql, api }, at) => `  server pg${at} ${HOST}:${sql} check port ${api}`).join('\n')}
`

/** Every process that was started, by name; the newest one of a name counts. */
function createProcesses(folder: string) {
  const running = new Map<string, ChildProcess>()
  const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null
  return {
    launch(name: string, command: string, args: readonly string[], owner: Owner | null): void {
      const log = openSync(join(folder, `${name}.log`), 'a')
      running.set(name, spawn(command, args, { stdio: ['ignore', log, log], ...owner }))
    },
    async kill(name: string): Promise<void> {
      const child = running.get(name)
      if (child === undefined || hasEnded(child)) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    signal(name: string, signal: NodeJS.Signals): void {
      running.get(name)?.kill(signal)
    },
    async killAll(): Promise<void> {
      await Promise.all([...running.keys()].map((name) => this.kill(name)))
    },
  }
}

async function until(check: () => Promise<boolean>, what: string | (() => string)): Promise<void> {
  const began = performance.now()
  while (!(await check().catch(() => false))) {
    if (performance.now() - began > PATIENCE)
      throw new Error(`not within ${PATIENCE / 1000} s: ${typeof what === 'string' ? what : what()}`)
    await sleep(100)
  }
}

async function ask(url: string, statement: string): Promise<string | null> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<(string | null)[]>({ text: statement, rowMode: 'array' })
    return rows[0]?.[0] ?? null
  } finally {
    await client.end()
  }
}

async function killPostmaster(data: string): Promise<void> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

const etcdOf = (folder: string, at: number, all: readonly EtcdPorts[]): readonly string[] => {
  const [client, peer] = [`http://${HOST}:${all[at]?.client}`, `http://${HOST}:${all[at]?.peer}`]
  return [
    `--name=e${at}`,
    `--data-dir=${join(folder, `etcd${at}`)}`,
    '--log-level=error',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${all.map((each, index) => `e${index}=http://${HOST}:${each.peer}`).join(',')}`,
    '--initial-cluster-state=new',
  ]
}

/** Whether the servers can decode their log. */
export type WalLevel = 'replica' | 'logical'

export async function startPatroni(etcdMembers = 1, walLevel: WalLevel = 'replica'): Promise<Patroni> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-patroni-'))
  await chmod(folder, 0o755)
  const owner = await ownerOf()
  const processes = createProcesses(folder)
  const balancer = await freePort()
  const etcd: EtcdPorts[] = []
  for (let at = 0; at < etcdMembers; at += 1) etcd.push({ client: await freePort(), peer: await freePort() })
  const ports: Ports[] = []
  for (let at = 0; at < SIZE; at += 1) ports.push({ sql: await freePort(), api: await freePort() })
  const urlOf = (hosts: string) => `postgres://postgres:postgres@${hosts}/${DATABASE}`
  const dataOf = (name: string) => join(folder, name, 'data')

  const nodes = ports.map(({ sql }, at): PatroniNode => {
    const name = `pg${at}`
    const start = () => processes.launch(name, 'patroni', [join(folder, name, 'patroni.yml')], isRoot ? owner : null)
    return {
      name,
      url: urlOf(`${HOST}:${sql}`),
      killServer: () => killPostmaster(dataOf(name)),
      async kill() {
        await processes.kill(name)
        await killPostmaster(dataOf(name))
      },
      start,
    }
  })
  const primary = async (): Promise<PatroniNode | null> => {
    for (const [at, { api }] of ports.entries()) {
      const answer = await fetch(`http://${HOST}:${api}/primary`, { signal: AbortSignal.timeout(2000) }).catch(
        () => null,
      )
      if (answer?.status === 200) return nodes[at] ?? null
    }
    return null
  }
  const standbys = `select count(*) filter (where state = 'streaming') || ' ' || count(*) filter (where sync_state = 'sync') from pg_stat_replication where application_name like 'pg_'`
  const untilWhole = () =>
    until(async () => {
      const found = await primary()
      if (found === null) return false
      return (await ask(found.url.replace(`/${DATABASE}`, '/postgres'), standbys)) === `${SIZE - 1} 1`
    }, 'a primary with two standbys')
  const destroy = async () => {
    await processes.killAll()
    await Promise.all(nodes.map(({ name }) => killPostmaster(dataOf(name))))
    await sleep(200)
    await rm(folder, { recursive: true, force: true })
  }

  try {
    for (const at of etcd.keys()) processes.launch(`etcd${at}`, 'etcd', etcdOf(folder, at, etcd), null)
    for (const { client } of etcd) await until(async () => (await fetch(`http://${HOST}:${client}/health`)).ok, 'etcd')
    for (const [at, each] of ports.entries()) {
      const own = join(folder, `pg${at}`)
      await mkdir(own, { mode: 0o700 })
      await writeFile(join(own, 'patroni.yml'), settingsOf(folder, at, each, etcd, walLevel))
      if (isRoot) for (const path of [own, join(own, 'patroni.yml')]) await chown(path, owner.uid, owner.gid)
      nodes[at]!.start()
    }
    await writeFile(join(folder, 'haproxy.cfg'), balancerSettings(balancer, ports))
    processes.launch('haproxy', 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], null)
    await untilWhole()
    const first = await primary()
    await ask((first?.url ?? '').replace(`/${DATABASE}`, '/postgres'), `create database ${DATABASE}`)
  } catch (error) {
    await destroy()
    throw error
  }

  return {
    nodes,
    hostsUrl: `${urlOf(ports.map(({ sql }) => `${HOST}:${sql}`).join(','))}?target_session_attrs=read-write`,
    balancerUrl: urlOf(`${HOST}:${balancer}`),
    primary,
    async switchOver() {
      let refusal = ''
      // Patroni hands over to a synchronous standby only, and learns of one a while after PostgreSQL has it.
      await until(
        async () => {
          const leader = await primary()
          const at = nodes.findIndex((node) => node === leader)
          const answer = await fetch(`http://${HOST}:${ports[at]?.api}/switchover`, {
            method: 'POST',
            body: JSON.stringify({ leader: leader?.name }),
          })
          refusal = answer.ok ? '' : await answer.text()
          return answer.ok
        },
        () => `the switchover was refused: ${refusal}`,
      )
    },
    pauseEtcd: () => etcd.forEach((_, at) => processes.signal(`etcd${at}`, 'SIGSTOP')),
    resumeEtcd: () => etcd.forEach((_, at) => processes.signal(`etcd${at}`, 'SIGCONT')),
    untilWhole,
    destroy,
  }
}
