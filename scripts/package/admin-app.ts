import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { readAdminApp, storedEndings } from '../../packages/server/src/http/admin-app.ts'

/** Shorter files fit into one packet anyway. */
const SHORTEST = 1024
/** The best ones: a build is compressed once and downloaded often. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
const GZIP = { level: constants.Z_BEST_COMPRESSION }

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

/** What the service changes at its start, and compresses then. */
const CHANGED = 'index.html'

const isText = (name: string) => /\.(?:css|html|js|json|svg|txt|webmanifest)$/u.test(name)

/** Builds the admin app into a folder, as the service reads it. Returns the folders of the packages whose code it contains. */
export async function buildAdminApp(source: string, destination: string): Promise<readonly string[]> {
  const packages = await bundle(source)
  const began = performance.now()
  await rm(destination, { recursive: true, force: true })
  const sizes = await store(join(source, 'dist'), destination)
  const kilobytes = (of: keyof Sizes) => Math.round(sizes.reduce((sum, each) => sum + each[of], 0) / 1000)
  // What the service could not serve fails here, not at the start of an installed program.
  readAdminApp(destination, null)
  console.log(
    `admin app: ${sizes.length} files, ${kilobytes('plain')} kB, with Brotli ${kilobytes('br')}, with gzip ${kilobytes('gzip')}, compressed in ${Math.round(performance.now() - began)} ms`,
  )
  return packages
}

async function bundle(source: string): Promise<readonly string[]> {
  if (!existsSync(join(source, CHANGED))) throw new Error(`The admin app is missing: ${source} has no ${CHANGED}`)
  // React chooses its fast form by it. What runs afterwards must not start services of production.
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    const built = await build({ root: source, logLevel: 'warn' })
    if ('on' in built) throw new Error('its configuration watches files')
    return packagesIn([built].flat(), source)
  } catch (error) {
    throw new Error(`The admin app was not built: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}

/** The folders of the packages that modules and other files of the build come from. */
function packagesIn(outputs: readonly Rolldown.RolldownOutput[], source: string): readonly string[] {
  const modules = outputs.flatMap(({ output }) =>
    output.flatMap((part) =>
      part.type === 'chunk' ? part.moduleIds : part.originalFileNames.map((name) => resolve(source, name)),
    ),
  )
  return [...new Set(modules.flatMap((id) => packageFolder.exec(id)?.[0] ?? []))].sort()
}

/** Up to the name behind the last `node_modules`. */
const packageFolder = /^[^\0?]*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\?]+/u

interface Sizes {
  readonly plain: number
  readonly br: number
  readonly gzip: number
}

/** Copies the files without source maps; what shrinks is stored compressed only, because nobody reads it otherwise. */
async function store(from: string, to: string): Promise<readonly Sizes[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => relative(from, join(entry.parentPath, entry.name)))
  return Promise.all(names.map((name) => storeFile(join(from, name), join(to, name), name)))
}

async function storeFile(from: string, to: string, name: string): Promise<Sizes> {
  await mkdir(dirname(to), { recursive: true })
  const bytes = await readFile(from)
  const { length } = bytes
  if (name === CHANGED || !isText(name) || length < SHORTEST) {
    await cp(from, to)
    return { plain: length, br: length, gzip: length }
  }
  const [br, gz] = await Promise.all([compress.br(bytes, BROTLI), compress.gzip(bytes, GZIP)])
  await writeFile(`${to}${storedEndings.br}`, br)
  await writeFile(`${to}${storedEndings.gzip}`, gz)
  return { plain: length, br: br.length, gzip: gz.length }
}
