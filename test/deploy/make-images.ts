// The images under the names that the deployments use. No registry is asked: the bases are made of Debian's packages and of the
// Node and npm of this machine, and the Dockerfile is built on one of them as it is written.
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { top } from '../lib/throwaway.ts'
import { pack } from '../../scripts/package/pack.ts'
import { type Engine, outputOf } from './engine.ts'

/** The folder of compose.yaml, with its name as project. */
export const checkoutOf = (engine: Engine) => join(engine.folder, 'tain')

const BASES = ['bookworm', 'trixie']
const NAMES = {
  node: 'docker.io/library/node:24-bookworm-slim',
  postgres: 'docker.io/library/postgres:17',
  redis: 'docker.io/library/redis:7',
}
const IMAGE = 'localhost/tain:local'
export const HOST_IMAGE = 'localhost/host'

export async function makeImages(engine: Engine): Promise<void> {
  rmSync(checkoutOf(engine), { recursive: true, force: true })
  copyCheckout(checkoutOf(engine), await outputOf('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: top }))
  for (const release of BASES) await makeBase(engine, release)
  await build(engine, NAMES.postgres, contextOf(engine, 'postgres'))
  await build(engine, NAMES.redis, contextOf(engine, 'redis'))
  await build(engine, NAMES.node, withNode(contextOf(engine, 'node')))
  await build(engine, IMAGE, checkoutOf(engine))
  const host = withNode(contextOf(engine, 'host'))
  await pack(host)
  await build(engine, HOST_IMAGE, host)
}

function copyCheckout(folder: string, files: string): void {
  for (const file of files.split('\0').filter((name) => name !== '' && !name.startsWith('test/acceptance/')))
    cpSync(join(top, file), join(folder, file), { recursive: true })
}

const exists = (engine: Engine, name: string) =>
  engine.podman(['image', 'exists', name]).then(
    () => true,
    () => false,
  )

async function makeBase(engine: Engine, release: string): Promise<void> {
  if (await exists(engine, `localhost/debian:${release}`)) return
  const root = join(engine.folder, release)
  await engine.run('debootstrap', ['--variant=minbase', '--include=libstdc++6', release, root])
  const skipped = ['./dev/*', './proc/*', './sys/*', './var/cache/apt/archives/*.deb']
  const tar = join(engine.folder, `${release}.tar`)
  await engine.run('tar', ['-C', root, ...skipped.map((name) => `--exclude=${name}`), '-cf', tar, '.'])
  await engine.podman(['import', '--quiet', tar, `localhost/debian:${release}`])
  rmSync(tar)
  rmSync(root, { recursive: true })
}

function contextOf(engine: Engine, name: string): string {
  const context = join(engine.folder, `context-${name}`)
  cpSync(join(import.meta.dirname, 'images', name), context, { recursive: true })
  return context
}

function withNode(context: string): string {
  const program = process.env['npm_execpath'] ?? '/usr/bin/npm'
  cpSync(process.execPath, join(context, 'node'))
  cpSync(join(realpathSync(program), '../..'), join(context, 'npm'), { recursive: true, dereference: true })
  return context
}

async function build(engine: Engine, name: string, context: string): Promise<void> {
  await engine.podman(['build', '--quiet', '--format=docker', ...network(), '--tag', name, context])
}

/** Builds load packages by the network of this machine, with its certificates. */
function network(): readonly string[] {
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  if (certificates === undefined) return ['--network=host']
  const argument = `--build-arg=NODE_EXTRA_CA_CERTS=${certificates}`
  return ['--network=host', argument, `--volume=${realpathSync(certificates)}:${certificates}:ro`]
}

/** Bytes of the layers that the Dockerfile adds to its base, as registries store them. */
export async function compressedSize(engine: Engine): Promise<number> {
  const folder = join(engine.folder, 'oci')
  mkdirSync(folder)
  await engine.podman(['push', '--quiet', IMAGE, `oci:${folder}:tain`])
  const manifest = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Manifest
  const [image] = manifest('index.json').manifests
  const { layers } = manifest(`blobs/${(image?.digest ?? '').replace(':', '/')}`)
  rmSync(folder, { recursive: true })
  const inBase = await engine.podman(['image', 'inspect', '--format', '{{len .RootFS.Layers}}', NAMES.node])
  return layers.slice(Number(inBase)).reduce((sum, { size }) => sum + size, 0)
}

interface Manifest {
  readonly manifests: readonly { readonly digest: string }[]
  readonly layers: readonly { readonly size: number }[]
}
