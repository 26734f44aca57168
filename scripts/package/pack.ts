// npm run package [-- <folder>]: builds the packages and packs them, into dist/ of the repository by default.
//
// The packages are packed from a staged copy. In the checkout, `exports` of the contract refer to the TypeScript source, so
// that every test and script runs without a build; in the copy they refer to the build. npm has no setting for this
// (`publishConfig.exports` is not applied), and a condition would have to be passed to every Node that runs a source.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { build, top } from './build.ts'
import { npm } from './npm.ts'

export interface Tarball {
  readonly name: string
  readonly version: string
  /** Path of the file. */
  readonly file: string
  readonly bytes: number
  readonly paths: readonly string[]
}

interface PackageFile {
  readonly name: string
  readonly exports?: Readonly<Record<string, unknown>>
  /** A program is published as a whole, a library as far as its entries reach. */
  readonly bin?: unknown
}

/** Dependencies first, which is the order to publish in. */
export const PACKAGES = ['packages/contract', 'packages/graphiql', 'packages/sdk', 'packages/server']

/** Builds and packs every package into the folder. */
export async function pack(destination: string): Promise<readonly Tarball[]> {
  await build()
  mkdirSync(destination, { recursive: true })
  return PACKAGES.map((path) => packOne(join(top, path), destination))
}

function packOne(source: string, destination: string): Tarball {
  const staged = mkdtempSync(join(tmpdir(), 'tain-package-'))
  try {
    stage(source, staged)
    const printed = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', destination], staged)
    return tarballOf(JSON.parse(printed) as Packed, destination)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

interface PackedFile {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

type Packed = readonly PackedFile[] | Readonly<Record<string, PackedFile>>

function tarballOf(packed: Packed, destination: string): Tarball {
  const [only] = Object.values(packed)
  if (only === undefined) throw new Error('npm pack printed no package')
  const { name, version, filename, size, files } = only
  return { name, version, file: join(destination, filename), bytes: size, paths: files.map(({ path }) => path) }
}

function stage(source: string, staged: string): void {
  const {
    private: _,
    devDependencies: __,
    ...file
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as PackageFile & {
    readonly private?: boolean
    readonly devDependencies?: unknown
  }
  const entries = sourceEntries(file)
  const published = entries.length === 0 ? file : { ...file, exports: { ...file.exports, ...builtExports(entries) } }
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const name of ['LICENSE', 'NOTICE']) cpSync(join(top, name), join(staged, name))
  cpSync(join(source, 'README.md'), join(staged, 'README.md'))
  if (file.bin !== undefined) for (const name of ['bin', 'dist']) copy(source, staged, name)
  else for (const name of [...publicFiles(source, entries), ...assets(source)]) copy(source, staged, name)
}

function copy(source: string, staged: string, name: string): void {
  mkdirSync(dirname(join(staged, name)), { recursive: true })
  cpSync(join(source, name), join(staged, name), { recursive: true })
}

/** What the build contains besides modules and declarations. */
const assets = (source: string): readonly string[] =>
  readdirSync(join(source, 'dist'))
    .filter((name) => name.endsWith('.br'))
    .map((name) => `dist/${name}`)

interface Entry {
  readonly name: string
  /** Path below `src`, without its ending. */
  readonly path: string
}

/** The public entries: those of `exports` that refer to a source. */
function sourceEntries({ exports = {} }: PackageFile): readonly Entry[] {
  return Object.entries(exports).flatMap(([name, target]) => {
    const path = /"\.\/src\/([^"]+)\.ts"/u.exec(JSON.stringify(target))?.[1]
    return path === undefined ? [] : [{ name, path }]
  })
}

const builtExports = (entries: readonly Entry[]) =>
  Object.fromEntries(
    entries.map(({ name, path }) => [name, { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` }]),
  )

/** The modules and declarations that the public entries refer to; everything else stays out of the package. */
function publicFiles(source: string, entries: readonly Entry[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (path: string, ending: string): void => {
    if (found.has(path)) return
    found.add(path)
    const text = readFileSync(join(source, path), 'utf8')
    for (const [, address = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)\.js["']/gu))
      visit(posix.join(posix.dirname(path), `${address}${ending}`), ending)
  }
  for (const { path } of entries) for (const ending of ['.js', '.d.ts']) visit(`dist/${path}${ending}`, ending)
  return found
}

if (import.meta.main) {
  for (const { file, bytes, paths } of await pack(resolve(process.argv[2] ?? join(top, 'dist'))))
    console.log(`${file}: ${bytes} bytes, ${paths.length} files`)
}
