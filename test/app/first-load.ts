// The sizes of the built app: what the first screen loads, and the largest part that is loaded later.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtFolder } from './built-app.ts'

export interface Sizes {
  /** Gzipped, in KB of 1000 bytes. */
  readonly script: number
  readonly style: number
  readonly largestLater: number
}

const assets = join(builtFolder, 'assets')
const sizeOf = async (name: string): Promise<number> =>
  gzipSync(await readFile(join(assets, name)), { level: 9 }).length / 1000

const imported = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/gu

/** A script and all that it imports at once. */
async function withImports(names: readonly string[], found = new Set<string>()): Promise<ReadonlySet<string>> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const text = await readFile(join(assets, name), 'utf8')
    await withImports(
      [...text.matchAll(imported)].map(([, each = '']) => each),
      found,
    )
  }
  return found
}

/** The start of the app together with the page of a list, which is what most people open first. */
export async function sizesOfApp(): Promise<Sizes> {
  const files = await readdir(assets)
  const index = await readFile(join(builtFolder, 'index.html'), 'utf8')
  const entries = [...index.matchAll(/src="\.\/assets\/([\w.-]+\.js)"/gu)].map(([, name = '']) => name)
  const named = (beginning: string, ending: string) =>
    files.filter((file) => file.startsWith(`${beginning}-`) && file.endsWith(ending))
  const scripts = await withImports([...entries, ...named('browse-page', '.js')])
  const first = [...index.matchAll(/href="\.\/assets\/([\w.-]+\.css)"/gu)].map(([, name = '']) => name)
  const styles = new Set([
    ...first,
    ...[...scripts].flatMap((name) => named(name.replace(/-[\w-]{8}\.js$/u, ''), '.css')),
  ])
  const sum = async (names: Iterable<string>) =>
    (await Promise.all([...names].map(sizeOf))).reduce((total, size) => total + size, 0)
  const later = files.filter((file) => file.endsWith('.js') && !scripts.has(file))
  return {
    script: await sum(scripts),
    style: await sum(styles),
    largestLater: Math.max(...(await Promise.all(later.map(sizeOf)))),
  }
}
