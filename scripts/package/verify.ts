// npm run verify package: packs the packages, installs them in an empty folder and uses them as their users do.
// Prints every figure with its bound, and fails if one is exceeded. Needs PostgreSQL (TEST_POSTGRES_URL).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyAsWritten } from './as-written.ts'
import { top } from './build.ts'
import { unexpectedFiles } from './contents.ts'
import { install } from './install.ts'
import { bytesIn, installedParts } from './installed-size.ts'
import { pack, type Tarball } from './pack.ts'
import { helpTimes } from './help-time.ts'
import { serves } from './serve.ts'

const MB = 1_000_000
const HELP_RUNS = 10
/** 200 ms where an empty Node takes 50. On a slower machine both take longer. */
const HELP_SHARE = 4
const MOST_INSTALLED = 80
/** Megabytes that the admin app may add to the package. */
const MOST_ADMIN_APP = 1.2
/**
 * Megabytes of a tarball. The page of GraphiQL is one file of 9 MB before it is compressed. The server contains the admin
 * app, whose files are stored in two compressed forms.
 */
const MOST_PACKED: Readonly<Record<string, number>> = { '@tain/graphiql': 2.5, tain: 1 + MOST_ADMIN_APP }

interface Figure {
  readonly name: string
  readonly value: number
  readonly bound: number
  readonly text: string
}

const megabytes = (name: string, bytes: number, bound: number): Figure => ({
  name,
  value: bytes,
  bound: bound * MB,
  text: `${(bytes / MB).toFixed(2)} MB (at most ${bound})`,
})

const number = (name: string, value: number, bound: number, unit: string): Figure => ({
  name,
  value,
  bound,
  text: `${value} ${unit} (at most ${bound})`,
})

const contentFigures = ({ name, bytes, paths }: Tarball, isDeclared: boolean): readonly Figure[] => [
  megabytes(`${name}: tarball`, bytes, MOST_PACKED[name] ?? 1),
  number(`${name}: tarball`, paths.length, 500, 'files'),
  ...unexpectedFiles(paths, isDeclared).map((path) => number(`${name}: unexpected ${path}`, 1, 0, 'file')),
]

function entriesOf(folder: string, name: string): readonly string[] {
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  const names = Object.keys((JSON.parse(manifest) as { readonly exports: object }).exports)
  return names.filter((each) => each !== './package.json').map((each) => `${name}${each.slice(1)}`)
}

/** Imports and compiles every public entry, with the declarations of the packages checked as well. */
function checkEntries(folder: string, packages: readonly string[]): void {
  const entries = packages.flatMap((name) => entriesOf(folder, name))
  const text = entries.map((entry, index) => `import * as entry${index} from '${entry}'\n`)
  const used = entries.map((_, index) => `if (Object.keys(entry${index}).length === 0) throw new Error('empty')\n`)
  writeFileSync(join(folder, 'entries.ts'), [...text, ...used].join(''))
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', '']
  const compiler = join(top, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, ...options, 'entries.ts'], { cwd: folder, stdio: 'inherit' })
  execFileSync(process.execPath, ['entries.ts'], { cwd: folder, stdio: 'inherit' })
}

/** The program as npm links it; on Windows the link is a shell script, so the file itself is started. */
function tain(folder: string, ...args: readonly string[]): string {
  const linked = join(folder, 'node_modules/.bin/tain')
  const options = { cwd: folder, encoding: 'utf8' } as const
  return process.platform === 'win32'
    ? execFileSync(process.execPath, [programIn(folder), ...args], options)
    : execFileSync(linked, args, options)
}

const programIn = (folder: string): string => join(folder, 'node_modules/tain/bin/tain.js')

function checkVersion(folder: string, version: string): void {
  const printed = tain(folder, '--version')
  if (printed !== `${version}\n`) throw new Error(`tain --version prints ${printed}, the package is ${version}`)
}

/** A file in place of the folder fails as a folder without write permission does, also for root. */
function checkWithoutCache(folder: string, version: string): void {
  const cache = join(folder, 'node_modules/tain/.cache')
  rmSync(cache, { recursive: true, force: true })
  writeFileSync(cache, '')
  checkVersion(folder, version)
  rmSync(cache)
}

function sizeFigure(folder: string): Figure {
  const parts = installedParts(join(folder, 'node_modules'))
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = parts.slice(0, 3).map(({ name, bytes }) => `${name} ${(bytes / MB).toFixed(1)}`)
  const figure = megabytes('install size', total, MOST_INSTALLED)
  return { ...figure, text: `${figure.text}; largest: ${largest.join(', ')}; ${parts.length} packages` }
}

function helpFigure(folder: string): Figure {
  const { wall, cpu, empty } = helpTimes(programIn(folder), HELP_RUNS)
  const bound = Math.max(200, empty * HELP_SHARE)
  const text = `${cpu} ms of CPU time, ${wall} ms in all, best of ${HELP_RUNS}; an empty Node takes ${empty} (at most ${bound})`
  return { name: 'tain --help', value: Math.min(wall, cpu), bound, text }
}

async function verify(work: string): Promise<readonly Figure[]> {
  const tarballs = await pack(join(work, 'tarballs'))
  const folder = join(work, 'installed')
  install(folder, tarballs)
  const version = tarballs.find(({ name }) => name === 'tain')?.version ?? ''
  const figures = [
    ...tarballs.flatMap((tarball) => contentFigures(tarball, tarball.name !== 'tain')),
    megabytes('admin app', bytesIn(join(folder, 'node_modules/tain/dist/app')), MOST_ADMIN_APP),
    sizeFigure(folder),
  ]
  checkEntries(folder, ['@tain/contract', '@tain/sdk'])
  const alone = join(work, 'sdk')
  install(
    alone,
    tarballs.filter(({ name }) => name === '@tain/sdk'),
  )
  checkEntries(alone, ['@tain/sdk'])
  checkVersion(folder, version)
  checkWithoutCache(folder, version)
  figures.push(helpFigure(folder))
  for (const served of await serves(programIn(folder), work)) console.log(served)
  const failures = await verifyAsWritten(folder)
  if (failures.length > 0) throw new Error(failures.join('\n'))
  return figures
}

const work = mkdtempSync(join(tmpdir(), 'tain-verify-package-'))
try {
  const figures = await verify(work)
  for (const { name, text } of figures) console.log(`${name}: ${text}`)
  const missed = figures.filter(({ value, bound }) => value > bound)
  for (const { name } of missed) console.error(`over its bound: ${name}`)
  if (missed.length > 0) process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
