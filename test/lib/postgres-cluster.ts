import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

export interface Cluster {
  readonly url: string
  readonly port: number
  stop(mode: 'smart' | 'fast' | 'immediate'): Promise<void>
  /** Resolves as soon as pg_isready succeeds. */
  start(): Promise<void>
  /** Makes a standby take writes. */
  promote(): Promise<void>
  /** The log of the server: every statement with the setting `log_statement=all`. */
  log(): Promise<string>
  destroy(): Promise<void>
}

const run = promisify(execFile)
const BINARIES = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'

/** A throwaway PostgreSQL server that tests can stop and start; `programs` is the folder of its version. */
export const startCluster = (
  settings: Readonly<Record<string, string>> = {},
  programs: string = BINARIES,
): Promise<Cluster> =>
  startOn(
    (data) => `${programs}/initdb -D ${data} -U postgres -A trust -E UTF8 --locale=C --no-sync`,
    settings,
    programs,
  )

/** A server that follows another one and takes no writes until it is promoted. */
export const startStandby = ({ port }: Cluster): Promise<Cluster> =>
  startOn((data) => `${BINARIES}/pg_basebackup -D ${data} -h 127.0.0.1 -p ${port} -U postgres -R -c fast --no-sync`, {})

async function startOn(
  fill: (data: string) => string,
  settings: Readonly<Record<string, string>>,
  programs: string = BINARIES,
): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-cluster-'))
  const data = join(directory, 'data')
  const port = await freePort()
  await own(directory)
  await asPostgres(fill(data))
  const all = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: directory, fsync: 'off' }
  const flags = Object.entries({ ...all, ...settings }).map(([name, value]) => `-c ${name}=${value}`)

  async function start(): Promise<void> {
    // Not -w: it checks only ten times a second, and outages are measured from when the server accepts connections
    // again.
    await asPostgres(`${programs}/pg_ctl -D ${data} -l ${directory}/log -o "${flags.join(' ')}" -W start`)
    await untilReady(port)
  }

  async function stop(mode: string): Promise<void> {
    await asPostgres(`${programs}/pg_ctl -D ${data} -m ${mode} -w stop`)
  }

  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    stop,
    start,
    promote: () => asPostgres(`${programs}/pg_ctl -D ${data} -w promote`),
    log: () => readFile(join(directory, 'log'), 'utf8'),
    async destroy() {
      await stop('immediate').catch(() => undefined)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function untilReady(port: number): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await isReady(port))) {
    if (Date.now() > deadline) throw new Error(`the cluster on port ${port} does not start`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    await run(`${BINARIES}/pg_isready`, ['-q', '-h', '127.0.0.1', '-p', String(port)])
    return true
  } catch {
    return false
  }
}

/** The server refuses to run as root, so root switches to the user postgres. Other users run it directly. */
async function asPostgres(command: string): Promise<void> {
  if (isRoot()) await run('su', ['postgres', '-c', command], { cwd: tmpdir() })
  else await run('sh', ['-c', command])
}

async function own(directory: string): Promise<void> {
  if (!isRoot()) return
  const { stdout: uid } = await run('id', ['-u', 'postgres'])
  const { stdout: gid } = await run('id', ['-g', 'postgres'])
  await chown(directory, Number(uid), Number(gid))
}

function isRoot(): boolean {
  return userInfo().uid === 0
}
