// deploy/systemd/tain.service on a Debian server without systemd: the restrictions of the unit are options of a container, and
// its filter of system calls is what systemd-analyze says of the groups.
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Deployment, administrator, adminToken, databasePassword, secret, untilReady } from './deployment.ts'
import { startDatabase } from './database-container.ts'
import { type Engine, clear } from './engine.ts'
import { HOST_IMAGE } from './make-images.ts'
import { sandboxOf } from './unit-sandbox.ts'
import { top } from '../lib/throwaway.ts'

export const UNIT_URL = 'http://127.0.0.1:8055'
const CONTAINER = 'unit'
const DATABASE = 'unit-database'
const MOST_FILES = 1024

const settings = `DATABASE_URL=postgres://tain:${databasePassword}@127.0.0.1:5432/tain
SECRET=${secret}
ADMIN_EMAIL=${administrator.email}
ADMIN_PASSWORD=${administrator.password}
ADMIN_TOKEN=${adminToken}
WEBSOCKETS_ENABLED=true
WEBHOOKS_ALLOWED_ADDRESSES=127.0.0.1
IP_TRUST_PROXY=loopback
`

/** The system calls of a group, and of the groups in it. */
async function systemCallsOf(engine: Engine, group: string): Promise<readonly string[]> {
  const lines = (await engine.run('systemd-analyze', ['syscall-filter', '--no-pager', group])).split('\n').slice(1)
  const names = lines.map((line) => line.trim()).filter((name) => name !== '' && !name.startsWith('#'))
  const calls = new Set<string>()
  for (const name of names)
    for (const call of name.startsWith('@') ? await systemCallsOf(engine, name) : [name]) calls.add(call)
  return [...calls]
}

export async function startUnit(engine: Engine): Promise<Deployment> {
  const unit = readFileSync(join(top, 'deploy/systemd/tain.service'), 'utf8')
  const file = (name: string, text: string) => {
    const path = join(engine.folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const stateFolder = join(engine.folder, 'state')
  const group = /^SystemCallFilter=(\S+)$/mu.exec(unit)?.[1] ?? ''
  const systemCalls = new Map([[group, await systemCallsOf(engine, group)]])
  const sandbox = sandboxOf(unit, {
    stateFolder,
    environmentFile: file('tain.env', settings),
    mostFiles: MOST_FILES,
    systemCalls: (name) => systemCalls.get(name) ?? [],
  })
  rmSync(stateFolder, { recursive: true, force: true })
  mkdirSync(stateFolder)
  chmodSync(stateFolder, sandbox.stateMode)
  chownSync(stateFolder, sandbox.user, sandbox.user)
  const seccomp = file('seccomp.json', JSON.stringify(sandbox.seccomp))

  await startDatabase(engine, DATABASE, ['--publish', '127.0.0.1:5432:5432'])
  const log = () => engine.podman(['logs', '--tail', '50', CONTAINER])
  const start = async () => {
    const options = ['--detach', '--name', CONTAINER, '--network', 'host', '--security-opt', `seccomp=${seccomp}`]
    // Options of limits replace the default ones, of which this is the other.
    options.push('--ulimit', 'nproc=1024:1024')
    await engine.podman(['run', ...options, ...sandbox.options, HOST_IMAGE, ...sandbox.command])
    await untilReady(UNIT_URL, log)
  }
  await start()
  return {
    name: 'the systemd unit',
    url: UNIT_URL,
    receiverHost: '127.0.0.1',
    async restart() {
      await engine.podman(['stop', CONTAINER])
      await engine.podman(['rm', CONTAINER])
      await start()
    },
    log,
    stop: () => clear(engine),
  }
}
