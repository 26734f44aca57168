// Runs from the TypeScript source in a checkout and from the build in a published package.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Measured by test/measurements (docs/measurements.md). Young space mostly holds garbage, so it is small: a large export would double
// the process. What survives the start (the rows of the catalogue) must not teach V8 to put the rows of every later
// answer into old space. And old space is collected before a schema that was replaced several times adds up.
const heapFlags = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring', '--heap-growing-percent=100']

/**
 * V8 takes these only while it starts, so the process replaces itself: the same id, before anything is loaded. A channel
 * to a parent (`node --watch`) would not survive that.
 */
function startAgainWith(flags) {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-')
  const missing = flags.filter((flag) => !given.includes(flag.split('=')[0]))
  const isAble = process.platform !== 'win32' && process.execve !== undefined && process.send === undefined
  if (missing.length === 0 || !isAble) return
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)])
}

/** Starts an entry of the program: `src/<entry>.ts` of a checkout, or `dist/<entry>.js` of a package. */
export async function launch(entry) {
  // What was compiled at the last start is taken as it is: sooner ready, and a fifth less memory. It lies in the package's own
  // folder, where only those can write who can change the program itself; where nobody can, it is done without. Threads
  // know of it by the environment. "tain <url>" promises to write no file at all: a word that is no plain one may be a URL.
  const command = process.argv[2]
  const mayWrite = command === undefined || (/^[a-z-]+$/u.test(command) && command !== 'try')
  if (mayWrite) process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/', import.meta.url))

  if (command === undefined || command === 'start') startAgainWith(heapFlags)
  if (mayWrite) enableCompileCache(process.env.NODE_COMPILE_CACHE)

  const source = new URL(`../src/${entry}.ts`, import.meta.url)
  const built = new URL(`../dist/${entry}.js`, import.meta.url)
  const { main } = await import(existsSync(source) ? source.href : built.href)
  await main(process.argv.slice(2))
}
