// npm run build: the published form of the packages, in their `dist` folders.
// The contract is compiled file by file, with declarations. The SDK is one file per entry, with declarations. The server is bundled: it has one public module, and an
// installed program that loads a few files starts sooner than one that loads hundreds.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { rolldown } from 'rolldown'
import { render } from '../../packages/graphiql/src/page.ts'
import { buildAdminApp } from './admin-app.ts'
import { licencesOf } from './licences.ts'
import { buildReference } from './reference.ts'

/** The repository. Scripts outside of this folder are not imported here, so that an image builds from few files. */
export const top = join(import.meta.dirname, '../..')

/** Of brotli. The largest one takes ten times as long for a tenth less. */
const QUALITY = 9

const app = join(top, 'packages/app')
const contract = join(top, 'packages/contract')
const graphiql = join(top, 'packages/graphiql')
const reference = join(top, 'packages/reference')
const sdk = join(top, 'packages/sdk')
const server = join(top, 'packages/server')

/**
 * All but `main` are found by their addresses, not imported; `extensions/api` is what extensions import, and `testing` is
 * for tests and left out of the package.
 */
const ENTRIES = {
  main: join(server, 'src/main.ts'),
  testing: join(server, 'src/testing.ts'),
  thread: join(server, 'src/sql/dialects/sqlite/thread.ts'),
  decoder: join(server, 'src/files/pictures/decoder.ts'),
  'extensions/api': join(server, 'src/extensions/api.ts'),
}

/**
 * Packages of hundreds of small modules, which take longer to find than to run, and packages that come in many forms, of
 * which one is used. They are copied into the build, with their licences; all other dependencies are installed.
 */
const COPIED = [
  '@noble/hashes',
  '@tain/contract',
  'csv-parse',
  'eventemitter2',
  'graphql',
  'graphql-ws',
  'jose',
  'kysely',
  'lru-cache',
  'otpauth',
  'pg-logical-replication',
  'rate-limiter-flexible',
  'typebox',
  'yaml',
] as const

/** Files of the admin app come from them, besides the modules in its build. */
const COPIED_BY_APP = ['@fontsource-variable/inter', 'lucide-static'] as const

/**
 * The client of buckets, with everything it imports: 22 MB of modules for every service and protocol of Amazon, of which
 * the build keeps the tenth part that is used.
 */
const COPIED_FOR_BUCKETS = ['@aws', '@aws-sdk', '@smithy', 'bowser', 'tslib'] as const

/** The packages of a scope, or the package of that name. */
const packagesOf = (name: string): readonly string[] =>
  name.startsWith('@') ? readdirSync(join(top, 'node_modules', name)).map((each) => `${name}/${each}`) : [name]

const isCopied = (id: string) =>
  [...COPIED, ...COPIED_FOR_BUCKETS].some((name) => id === name || id.startsWith(`${name}/`))

/** Compiles a package file by file, with declarations. */
function compile(folder: string): void {
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  const compiler = join(top, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
  nameBuiltFiles(join(folder, 'dist'))
}

/** The page is compressed once, here: the package that renders it is not installed with the program. */
async function buildGraphiql(): Promise<void> {
  compile(graphiql)
  const page = brotliCompressSync(await render(), { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
  writeFileSync(join(graphiql, 'dist/page.html.br'), page)
}

/** Each entry becomes one file, which browsers can import as it is; the compiler's modules are replaced by them. */
async function buildSdk(): Promise<void> {
  compile(sdk)
  const folder = join(sdk, 'dist')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.js')) rmSync(join(folder, name))
  const input = {
    index: join(sdk, 'src/index.ts'),
    procedures: join(sdk, 'src/procedures.ts'),
    realtime: join(sdk, 'src/realtime.ts'),
  }
  const bundle = await rolldown({ input, platform: 'neutral' })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
}

/** The compiler keeps `./name.ts` in declarations, which older compilers do not accept there. */
function nameBuiltFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!name.endsWith('.d.ts')) continue
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(/(["']\.[^"']+)\.ts(["'])/gu, '$1.js$2'))
  }
}

async function buildServer(): Promise<void> {
  const folder = join(server, 'dist')
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    input: ENTRIES,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !isCopied(id),
    onwarn: (warning) => {
      throw new Error(warning.message)
    },
  })
  // One folder, because files that are started by their address are expected next to the file that starts them.
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  checkAddresses(folder)
  declareExtensions(join(folder, 'extensions'))
  await buildReference(reference, join(folder, 'reference'))
  const copied = [
    ...COPIED.filter((name) => !name.startsWith('@tain/')),
    ...COPIED_BY_APP,
    ...COPIED_FOR_BUCKETS.flatMap(packagesOf),
  ]
  const folders = copied.map((name) => join(top, 'node_modules', name))
  const inApp = await buildAdminApp(app, join(folder, 'app'))
  writeFileSync(join(folder, 'LICENCES.txt'), licencesOf([...new Set([...folders, ...inApp])]))
}

/** The one public module of the server; it imports nothing. */
function declareExtensions(folder: string): void {
  const compiler = join(top, 'node_modules/typescript/bin/tsc')
  const form = ['--target', 'es2024', '--module', 'nodenext', '--types', 'node', '--skipLibCheck', '--ignoreConfig']
  const output = ['--declaration', '--emitDeclarationOnly', '--outDir', folder]
  execFileSync(process.execPath, [compiler, ENTRIES['extensions/api'], ...form, ...output], {
    cwd: server,
    stdio: 'inherit',
  })
}

/** Every file that the build refers to by its address must be an entry of its own. */
function checkAddresses(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    for (const [, address = ''] of text.matchAll(/["'](\.{1,2}\/[\w./-]+\.js)["']/gu))
      if (!existsSync(join(folder, address)))
        throw new Error(`${name} refers to ${address}, which is not in the build; add it to ENTRIES`)
  }
}

export async function build(): Promise<void> {
  compile(contract)
  await buildGraphiql()
  await buildSdk()
  await buildServer()
}

if (import.meta.main) await build()
