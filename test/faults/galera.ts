// A MariaDB Galera cluster of three nodes on this machine. All of them take writes.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { access, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import mysql2 from 'mysql2/promise'
import { freePort } from '../lib/free-port.ts'

export interface GaleraNode {
  readonly url: string
  /** The process stands still, as a machine that is cut off does. */
  readonly pause: () => void
  readonly goOn: () => void
  readonly kill: () => Promise<void>
  /** Starts a killed node, and resolves when it is part of the cluster again. */
  readonly start: () => Promise<void>
}

export interface Galera {
  readonly nodes: readonly GaleraNode[]
  destroy(): Promise<void>
}

const run = promisify(execFile)
const SIZE = 3
const START = 90_000
const LIBRARY = process.env['GALERA_PROVIDER'] ?? '/usr/lib/galera/libgalera_smm.so'
const isRoot = userInfo().uid === 0

interface Ports {
  readonly sql: number
  readonly group: number
  readonly increments: number
  readonly copies: number
}

export async function startGalera(): Promise<Galera> {
  await access(LIBRARY)
  const folder = await mkdtemp(join(tmpdir(), 'tain-galera-'))
  const owner = await ownerOf()
  await own(folder, owner)
  const ports: Ports[] = []
  for (let at = 0; at < SIZE; at += 1)
    ports.push({
      sql: await freePort(),
      group: await freePort(),
      increments: await freePort(),
      copies: await freePort(),
    })
  const processes: ChildProcess[] = []
  const destroy = async (): Promise<void> => {
    await Promise.all(
      processes.map(async (each) => {
        if (each.exitCode !== null || each.signalCode !== null) return
        each.kill('SIGKILL')
        await once(each, 'exit')
      }),
    )
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const [at, own] of ports.entries()) {
      await prepareNode(folder, at, owner)
      processes.push(await startNode(folder, at, ports, owner, at === 0))
      await untilSynced(own.sql, join(folder, `${at}.log`))
    }
  } catch (error) {
    await destroy()
    throw error
  }
  return {
    nodes: ports.map(({ sql }, at) => ({
      url: `mysql://tain:tain@127.0.0.1:${sql}/tain`,
      pause: () => processes[at]?.kill('SIGSTOP'),
      goOn: () => processes[at]?.kill('SIGCONT'),
      async kill() {
        processes[at]?.kill('SIGKILL')
        await once(processes[at]!, 'exit')
      },
      async start() {
        processes[at] = await startNode(folder, at, ports, owner, false)
        await untilSynced(sql, join(folder, `${at}.log`))
      },
    })),
    destroy,
  }
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The server does not run as root. */
async function ownerOf(): Promise<Owner> {
  if (!isRoot) return userInfo()
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, 'mysql'])).stdout))
  return { uid: Number(uid), gid: Number(gid) }
}

const own = ((path, { uid, gid }) => (isRoot ? chown(path, uid, gid) : Promise.resolve())) satisfies (
  path: string,
  owner: Owner,
) => Promise<void>

const setUp = `
  create user 'tain'@'%' identified by 'tain';
  grant all on *.* to 'tain'@'%' with grant option;
  create database tain character set utf8mb4;`

/** Only the first node has data of its own; the others copy them. */
async function prepareNode(folder: string, at: number, owner: Owner): Promise<void> {
  const data = join(folder, String(at))
  await mkdir(data)
  await own(data, owner)
  if (at > 0) return
  const init = join(folder, 'init.sql')
  await writeFile(init, setUp.replaceAll(/\s*\n\s*/gu, '\n'))
  await own(init, owner)
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db']
  await run('mariadb-install-db', install, { ...owner })
}

async function startNode(
  folder: string,
  at: number,
  ports: readonly Ports[],
  owner: Owner,
  isFirst: boolean,
): Promise<ChildProcess> {
  const data = join(folder, String(at))
  const init = join(folder, 'init.sql')
  const { sql, group, increments, copies } = ports[at]!
  const provider = [
    'base_host=127.0.0.1',
    `base_port=${group}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
    `ist.recv_addr=127.0.0.1:${increments}`,
    'gcache.size=64M',
  ]
  const options = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(folder, `${at}.sock`)}`,
    `--pid-file=${join(folder, `${at}.pid`)}`,
    '--bind-address=127.0.0.1',
    `--port=${sql}`,
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--innodb-buffer-pool-size=64M',
    '--innodb-flush-log-at-trx-commit=0',
    '--wsrep-on=ON',
    `--wsrep-provider=${LIBRARY}`,
    '--wsrep-cluster-name=tain',
    `--wsrep-cluster-address=gcomm://${ports.map((each) => `127.0.0.1:${each.group}`).join(',')}`,
    `--wsrep-node-name=node${at}`,
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${copies}`,
    `--wsrep-provider-options=${provider.join(';')}`,
    ...(isFirst ? ['--wsrep-new-cluster', `--init-file=${init}`] : []),
  ]
  const log = openSync(join(folder, `${at}.log`), 'a')
  return spawn('mariadbd', options, { stdio: ['ignore', log, log], ...owner })
}

async function untilSynced(port: number, log: string): Promise<void> {
  for (const end = Date.now() + START; Date.now() < end; await sleep(300)) {
    const connection = await mysql2
      .createConnection({ host: '127.0.0.1', port, user: 'tain', password: 'tain' })
      .catch(() => null)
    if (connection === null) continue
    const [rows] = await connection.query(`show status like 'wsrep_local_state_comment'`)
    connection.destroy()
    if (JSON.stringify(rows).includes('Synced')) return
  }
  throw new Error(`a node does not join its cluster:\n${(await readFile(log, 'utf8')).slice(-2000)}`)
}
