import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { freePort } from './free-port.ts'

export interface Mariadb {
  /** Of its database `test`, as root. */
  readonly url: string
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
  readonly start: () => Promise<void>
  readonly destroy: () => Promise<void>
}

const run = promisify(execFile)
const isRoot = userInfo().uid === 0
const START = 60_000

/** A log of rows that says everything about them. */
export const ROW_LOG = ['--log-bin=bin', '--server-id=1', '--binlog-format=ROW', '--binlog-row-metadata=FULL'] as const

/** A throwaway MariaDB server that tests can stop and start. */
export async function startMariadb(options: readonly string[] = ROW_LOG): Promise<Mariadb> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-mariadb-'))
  const owner = await ownerOf()
  if (isRoot) await chown(folder, owner.uid, owner.gid)
  const port = await freePort()
  const data = join(folder, 'data')
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db']
  await run('mariadb-install-db', install, { ...owner })
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    const log = openSync(join(folder, 'log'), 'a')
    const all = [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--innodb-buffer-pool-size=64M',
      '--innodb-flush-log-at-trx-commit=0',
      '--debug-no-sync',
      ...options,
    ]
    child = spawn('mariadbd', all, { stdio: ['ignore', log, log], ...owner })
    await untilReady(port, join(folder, 'log'))
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  const destroy = async () => {
    await stop('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await destroy()
    throw error
  }
  return { url: `mysql://root@127.0.0.1:${port}/test`, stop, start, destroy }
}

/** The server does not run as root. */
async function ownerOf(): Promise<{ readonly uid: number; readonly gid: number }> {
  if (!isRoot) return userInfo()
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, 'mysql'])).stdout))
  return { uid: Number(uid), gid: Number(gid) }
}

async function untilReady(port: number, log: string): Promise<void> {
  for (const end = Date.now() + START; Date.now() < end; await sleep(50)) {
    const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' }).catch(() => null)
    if (connection === null) continue
    await connection.query('create database if not exists test character set utf8mb4 collate utf8mb4_nopad_bin')
    connection.destroy()
    return
  }
  throw new Error(`the server does not start:\n${(await readFile(log, 'utf8')).slice(-2000)}`)
}
