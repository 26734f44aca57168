import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Observe } from '../observe.ts'
import type { Extension } from './api.ts'
import { NAME, registerExtension } from './register.ts'
import type { RegisteredExtension } from './registered.ts'
import { resolveModules } from './resolve-modules.ts'
import { runCode } from './run.ts'

/** An extension that cannot be used. */
export interface Unusable {
  readonly file: string
  readonly reason: string
}

export interface Loaded {
  readonly extensions: readonly RegisteredExtension[]
  readonly unusable: readonly Unusable[]
}

export interface LoadOptions {
  readonly timeout: number
  readonly observe: Observe
}

const CODE = /^(?<name>[^._][^.]*)\.(?:ts|mts|js|mjs)$/u
const indexes = ['index.ts', 'index.mts', 'index.js', 'index.mjs'] as const

/** Loads every extension of a folder; each call imports their files anew. */
export async function loadExtensions(folder: string, options: LoadOptions): Promise<Loaded> {
  const home = resolve(folder)
  const files = await filesIn(home)
  if (files === null) return { extensions: [], unusable: [{ file: home, reason: 'EXTENSIONS_PATH names no folder' }] }
  resolveModules(pathToFileURL(`${home}/`).href)
  const extensions: RegisteredExtension[] = []
  const unusable: Unusable[] = []
  for (const [name, file] of files) {
    try {
      if (extensions.some((other) => other.name === name)) throw new Error(`there is another extension "${name}"`)
      extensions.push(await loadFile(name, file, options))
    } catch (error) {
      unusable.push({ file, reason: reasonOf(error, home) })
    }
  }
  return { extensions, unusable }
}

/** Names and files in the order of the names; null: there is no folder. */
async function filesIn(home: string): Promise<readonly (readonly [string, string])[] | null> {
  const entries = await readdir(home, { withFileTypes: true }).catch(() => null)
  if (entries === null) return null
  return entries
    .flatMap((entry): (readonly [string, string])[] => {
      const path = join(home, entry.name)
      const index = indexes.map((name) => join(path, name)).find(existsSync)
      if (index !== undefined && entry.name !== 'node_modules') return [[entry.name, index]]
      const name = CODE.exec(entry.name)?.groups?.['name']
      return name === undefined || index !== undefined ? [] : [[name, path]]
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

async function loadFile(name: string, file: string, { timeout, observe }: LoadOptions): Promise<RegisteredExtension> {
  if (!NAME.test(name)) throw new Error('the name of an extension has lower-case letters, digits, - and _')
  return runCode({ extension: name, hook: 'loading' }, timeout, async () => {
    const { extension } = (await import(pathToFileURL(file).href)) as { readonly extension?: Partial<Extension> }
    const register = extension?.register
    if (typeof register !== 'function')
      throw new Error('it does not export "extension", made by defineExtension; files beside extensions begin with _')
    return registerExtension(name, { register }, observe)
  })
}

/** The message, and the first place in the folder that the error names. */
function reasonOf(error: unknown, home: string): string {
  if (!(error instanceof Error)) return String(error)
  const place = error.stack?.split('\n').find((line) => line.includes(home)) ?? ''
  const [, where = ''] = /([^\s(/]*:\d+(?::\d+)?)\)?$/u.exec(place.replaceAll(/\?v=\d+/gu, '')) ?? []
  return where === '' ? error.message : `${error.message} (${where})`
}
