// npm run verify deployments [-- --keep <folder>]
// Starts every deployment that the pages describe, uses it as people do on the first day, and restarts it. Needs Debian, root,
// the network of apt and npm, and about 5 GB of disk. The deployments run in namespaces of their own: nothing of theirs reaches
// the network, takes a port of this machine, or is left. --keep keeps the images in a folder for the next run.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { engineIn, outputOf } from './engine.ts'
import { compressedSize, makeImages } from './make-images.ts'

const PROGRAMS: Readonly<Record<string, string>> = {
  podman: 'podman',
  'podman-compose': 'podman-compose',
  runc: 'runc',
  catatonit: 'catatonit',
  netavark: 'netavark',
  'aardvark-dns': 'aardvark-dns',
  iptables: 'iptables',
  debootstrap: 'debootstrap',
  'systemd-analyze': 'systemd',
  git: 'git',
  ip: 'iproute2',
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  caddy: 'caddy',
}
const PATH = `${process.env['PATH']}:/usr/sbin:/sbin:/usr/lib/podman`
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const LARGEST_IMAGE = 30_000_000

async function installPrograms(): Promise<void> {
  const isMissing = (program: string) => spawnSync('which', [program], { env: { PATH } }).status !== 0
  const packages = Object.keys(PROGRAMS).flatMap((program) => (isMissing(program) ? [PROGRAMS[program] ?? ''] : []))
  if (packages.length === 0) return
  console.log(`installing ${packages.join(' ')}`)
  // Installed programs are not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  await outputOf('apt-get', ['update', '-qq'], { env })
  await outputOf('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], { env })
}

/** In namespaces of processes, mounts and the network: when the program ends, all of its containers end. */
async function runInside(folder: string): Promise<number | null> {
  const fresh = ['/run', `${folder}/run`, `${folder}/tmp`].map((path) => `mount -t tmpfs tmpfs '${path}' && `)
  const inside = `${fresh.join('')}exec "$0" "$@"`
  const program = join(import.meta.dirname, 'run-inside.ts')
  const args = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', inside]
  const child = spawn('unshare', [...args, process.execPath, program, folder], { stdio: 'inherit' })
  for (const signal of SIGNALS) process.removeAllListeners(signal).once(signal, () => child.kill('SIGKILL'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/** The empty control groups that podman leaves behind. */
async function removeControlGroups(): Promise<void> {
  const groups = ['/sys/fs/cgroup', '-depth', '-type', 'd', '-path', '*/libpod_parent*']
  await outputOf('find', [...groups, '-exec', 'rmdir', '{}', ';'])
}

const { values } = parseArgs({ options: { keep: { type: 'string' } } })
if (process.getuid?.() !== 0)
  throw new Error('Run npm run verify deployments as root: it makes namespaces and containers.')
process.env['PATH'] = PATH
await installPrograms()
const folder = values.keep === undefined ? await mkdtemp(join(tmpdir(), 'tain-deployments-')) : resolve(values.keep)
mkdirSync(folder, { recursive: true })
const removeFolder = () => values.keep === undefined && rmSync(folder, { recursive: true, force: true })
for (const signal of SIGNALS)
  process.once(signal, () => {
    removeFolder()
    process.exit(1)
  })
const hadGroups = (await outputOf('find', ['/sys/fs/cgroup', '-name', 'libpod_parent'])) !== ''
try {
  const engine = engineIn(folder)
  const began = performance.now()
  await makeImages(engine)
  const size = await compressedSize(engine)
  console.log(`images: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  console.log(`tain:local: ${(size / 1e6).toFixed(1)} MB compressed besides its base (at most ${LARGEST_IMAGE / 1e6})`)
  const code = await runInside(folder)
  process.exitCode = code === 0 && size <= LARGEST_IMAGE ? 0 : 1
} finally {
  if (!hadGroups) await removeControlGroups()
  removeFolder()
}
