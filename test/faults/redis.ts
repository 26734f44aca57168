// Redis servers on this machine that tests kill, pause and start again.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../lib/free-port.ts'
import { until } from '../lib/service.ts'

export interface RedisServer {
  readonly port: number
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
  /** The process stands still: connections stay open, and nothing answers. */
  pause(): void
  goOn(): void
  startAgain(): Promise<void>
  /** Sends one command; the answer as the package returns it. */
  command(...words: readonly string[]): Promise<unknown>
}

export interface RedisServers {
  readonly url: string
  readonly servers: readonly RedisServer[]
  /** The server that takes the writes now. */
  primary(): Promise<RedisServer>
  destroy(): Promise<void>
}

const START_SECONDS = 20

/** One server. */
export async function startRedis(): Promise<RedisServers> {
  const group = await createGroup()
  const server = await group.add()
  return {
    url: `redis://127.0.0.1:${server.port}`,
    servers: [server],
    primary: async () => server,
    destroy: group.destroy,
  }
}

/** A primary, two replicas and three Sentinels. */
export async function startSentinels(): Promise<RedisServers> {
  const group = await createGroup()
  const first = await group.add()
  const replicaOf = ['--replicaof', '127.0.0.1', String(first.port)]
  const servers = [first, await group.add(replicaOf), await group.add(replicaOf)]
  const sentinels = [
    await group.addSentinel(first.port),
    await group.addSentinel(first.port),
    await group.addSentinel(first.port),
  ]
  const [asked = first] = sentinels
  const seen = async (what: string) => ((await asked.command('sentinel', what, 'main')) as unknown[]).length
  await until(async () => (await seen('replicas')) === 2 && (await seen('sentinels')) === 2, START_SECONDS, 'Sentinels')
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main`,
    servers,
    primary: async () => {
      const [, port] = (await asked.command('sentinel', 'get-master-addr-by-name', 'main')) as [string, string]
      return servers.find((server) => server.port === Number(port)) ?? first
    },
    destroy: group.destroy,
  }
}

/** Three primaries, each with a third of the slots. */
export async function startCluster(): Promise<RedisServers> {
  const group = await createGroup()
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000']
  const servers = [await group.add(options), await group.add(options), await group.add(options)]
  const [first] = servers
  if (first === undefined) throw new TypeError('no server')
  const share = Math.ceil(16_384 / servers.length)
  for (const [at, server] of servers.entries()) {
    const last = Math.min(16_384, share * (at + 1)) - 1
    await server.command('cluster', 'addslotsrange', String(share * at), String(last))
    await server.command('cluster', 'meet', '127.0.0.1', String(first.port))
  }
  const isWhole = async (server: RedisServer) =>
    /cluster_state:ok[^]*cluster_known_nodes:3/u.test(String(await server.command('cluster', 'info')))
  await until(async () => (await Promise.all(servers.map(isWhole))).every(Boolean), START_SECONDS, 'the cluster')
  return {
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    servers,
    primary: async () => first,
    destroy: group.destroy,
  }
}

async function createGroup() {
  const folder = await mkdtemp(join(tmpdir(), 'tain-redis-'))
  const processes = new Set<ChildProcess>()

  async function start(name: string, port: number, words: readonly string[]): Promise<ChildProcess> {
    await mkdir(join(folder, name), { recursive: true })
    const child = spawn('redis-server', [...words, '--port', String(port), '--dir', join(folder, name)], {
      stdio: 'ignore',
    })
    processes.add(child)
    child.once('exit', () => processes.delete(child))
    child.once('error', () => processes.delete(child))
    await until(async () => (await ask(port, ['ping']).catch(() => '')) === 'PONG', START_SECONDS, `Redis on ${port}`)
    return child
  }

  async function addProgram(port: number, words: readonly string[]): Promise<RedisServer> {
    const name = String(port)
    let child = await start(name, port, words)
    return {
      port,
      kill: () => ended(child),
      pause: () => void child.kill('SIGSTOP'),
      goOn: () => void child.kill('SIGCONT'),
      startAgain: async () => {
        child = await start(name, port, words)
      },
      command: (...given) => ask(port, given),
    }
  }

  return {
    add: async (words: readonly string[] = []) =>
      addProgram(await freePort(), ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...words]),
    async addSentinel(primary: number) {
      const port = await freePort()
      const file = join(folder, `${port}.conf`)
      const watches = `sentinel monitor main 127.0.0.1 ${primary} 2\nsentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 5000\n`
      await writeFile(file, `bind 127.0.0.1\n${watches}`)
      return addProgram(port, [file, '--sentinel'])
    },
    destroy: async () => {
      await Promise.all([...processes].map(ended))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function ask(port: number, [name = '', ...words]: readonly string[]): Promise<unknown> {
  const client = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
    commandTimeout: 2000,
    protocol: 2,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.call(name, ...words)
  } finally {
    client.disconnect()
  }
}
