// npm run verify swift
// The acceptance checks of buckets against a real server: OpenStack Swift with its interface of S3, which verifies every
// signature. Needs root, and the Debian packages swift-proxy, swift-account, swift-container, swift-object and memcached,
// which it installs where they are missing.
import { execFileSync, spawn, type ChildProcess, type ExecFileSyncOptions } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { top } from '../lib/throwaway.ts'
import { freePort } from '../lib/free-port.ts'

const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']
const PATIENCE = 60_000

type Kind = 'account' | 'container' | 'object'
const kinds: readonly Kind[] = ['account', 'container', 'object']

const run = (command: string, args: readonly string[], folder?: string) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

function installPackages(): void {
  if (existsSync('/usr/bin/swift-proxy-server') && existsSync('/usr/bin/memcached')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], env }
  execFileSync('apt-get', ['update', '-qq'], options)
  execFileSync('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...PACKAGES], options)
}

const storageServer = (kind: Kind, folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = root
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
workers = 0
log_level = ERROR
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const proxyServer = (folder: string, port: number, memcached: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = root
swift_dir = ${folder}
workers = 0
log_level = ERROR
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth bulk slo dlo symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
${['catch_errors', 'listing_formats', 'bulk', 'slo', 'dlo', 'symlink']
  .map((name) => `[filter:${name}]\nuse = egg:swift#${name}`)
  .join('\n')}
`

/** A ring with one device on this machine. */
function makeRing(kind: Kind, folder: string, port: number): void {
  const builder = join(folder, `${kind}.builder`)
  run('swift-ring-builder', [builder, 'create', '4', '1', '1'], folder)
  const device = ['--region', '1', '--zone', '1', '--ip', '127.0.0.1', '--port', String(port)]
  run('swift-ring-builder', [builder, 'add', ...device, '--device', 'd1', '--weight', '1'], folder)
  run('swift-ring-builder', [builder, 'rebalance'], folder)
}

interface Swift {
  readonly endpoint: string
  stop(): Promise<void>
}

async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-swift-'))
  mkdirSync(join(folder, 'devices/d1'), { recursive: true })
  const children: ChildProcess[] = []
  const start = (command: string, ...args: readonly string[]) =>
    children.push(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }))
  const memcached = await freePort()
  start('memcached', '-u', 'nobody', '-l', '127.0.0.1', '-p', String(memcached))
  for (const kind of kinds) {
    const port = await freePort()
    makeRing(kind, folder, port)
    const file = join(folder, `${kind}-server.conf`)
    writeFileSync(file, storageServer(kind, folder, port))
    start(`swift-${kind}-server`, file)
  }
  const port = await freePort()
  const file = join(folder, 'proxy-server.conf')
  writeFileSync(file, proxyServer(folder, port, memcached))
  start('swift-proxy-server', file)
  const endpoint = `http://127.0.0.1:${port}`
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  await untilItAnswers(endpoint).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { endpoint, stop }
}

async function untilItAnswers(endpoint: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; await sleep(200)) {
    // Without a signature, a bucket list is refused: that is an answer.
    const status = await fetch(endpoint).then(
      (response) => response.status,
      () => 0,
    )
    if (status > 0 && status < 500) return
    if (Date.now() > deadline) throw new Error('Swift does not answer')
  }
}

async function main(): Promise<void> {
  installPackages()
  const swift = await startSwift()
  try {
    const child = spawn(process.execPath, [join(top, 'scripts/acceptance.ts'), 'files-s3'], {
      stdio: 'inherit',
      env: {
        ...process.env,
        STORAGE_S3_ENDPOINT: swift.endpoint,
        STORAGE_S3_BUCKET: 'acceptance',
        STORAGE_S3_KEY: 'test:tester',
        STORAGE_S3_SECRET: 'testing',
        STORAGE_S3_REGION: 'us-east-1',
      },
    })
    process.exitCode = await new Promise<number>((resolve) => void child.on('close', (code) => resolve(code ?? 1)))
  } finally {
    await swift.stop()
  }
}

if (import.meta.main) await main()
