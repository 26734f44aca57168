import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface Pooler {
  readonly url: string
  stop(): Promise<void>
}

/** PgBouncer in front of a server that trusts its user postgres. */
export async function startPgbouncer(serverPort: number, database: string, mode: string): Promise<Pooler> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-pgbouncer-'))
  await chmod(directory, 0o755)
  const port = await freePort()
  const file = join(directory, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 5',
  ]
  await writeFile(file, `${settings.join('\n')}\n`)
  const isRoot = userInfo().uid === 0
  const program = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer'
  const child = spawn(program, ['-q', ...(isRoot ? ['-u', 'postgres'] : []), file], { stdio: 'ignore' })
  await untilOpen(port)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function untilOpen(port: number): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await isOpen(port))) {
    if (Date.now() > deadline) throw new Error('PgBouncer does not start')
    await sleep(50)
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', end(true)).once('error', end(false))
  })
