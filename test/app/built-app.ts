// The built admin app, which a service that runs from a checkout serves.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const app = fileURLToPath(new URL('../../packages/app', import.meta.url))
const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url))

/** The folder of the built app. */
export const builtFolder = join(app, 'dist')

const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json']

async function newestOf(path: string): Promise<number> {
  const { mtimeMs } = await stat(path)
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const times = await Promise.all(
    entries.filter((each) => each.isFile()).map(async (each) => (await stat(join(each.parentPath, each.name))).mtimeMs),
  )
  return Math.max(mtimeMs, ...times)
}

async function isBuilt(): Promise<boolean> {
  const built = await stat(join(builtFolder, 'index.html')).catch(() => null)
  if (built === null || !(await hasGallery())) return false
  const times = await Promise.all(sources.map((each) => newestOf(join(app, each))))
  return times.every((time) => time <= built.mtimeMs)
}

/** A build for publication leaves the gallery of components out. */
const hasGallery = async (): Promise<boolean> =>
  (await readdir(join(builtFolder, 'assets')).catch(() => [])).some((name) => name.startsWith('gallery-page'))

/** Builds the app unless the build is newer than all sources. APP_BUILD=keep uses any build that is there. */
export async function buildApp(): Promise<void> {
  if (process.env['APP_BUILD'] === 'keep' || (await isBuilt())) return
  // Vitest runs with NODE_ENV=test, which would build the app as for development.
  const env = { ...process.env, NODE_ENV: 'production', VITE_GALLERY: 'true' }
  const child = spawn(process.execPath, [vite, 'build'], { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`the admin app could not be built\n${output.slice(-4000)}`)
}
