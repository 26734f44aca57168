import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripTypeScriptTypes } from 'node:module'
import { hashTag } from './entity-tag.ts'

/** A file of the page at `/docs/api`. */
export interface ReferenceFile {
  readonly text: string
  readonly type: string
  readonly etag: string
}

const isCheckout = import.meta.filename.endsWith('.ts')

/** The build puts the page next to the program. In a checkout it has a folder of its own. */
const FOLDER = isCheckout ? join(import.meta.dirname, '../../../reference') : join(import.meta.dirname, 'reference')

export const PAGE = 'page.html'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

let files: ReadonlyMap<string, ReferenceFile> | undefined

/** The files by name. They are read when the first browser asks for them, and then kept. */
export const referenceFiles = (): ReadonlyMap<string, ReferenceFile> => (files ??= readFiles())

function readFiles(): ReadonlyMap<string, ReferenceFile> {
  const plain = readdirSync(FOLDER).map((name) => [name, join(FOLDER, name)] as const)
  const texts = plain
    .filter(([name]) => endingOf(name) in types)
    .map(([name, path]) => [name, readFileSync(path, 'utf8')] as const)
  return new Map([...texts, ...(isCheckout ? strippedScripts() : [])].map(([name, text]) => [name, fileOf(name, text)]))
}

/** The scripts as the build would have them, but one by one. */
function strippedScripts(): readonly (readonly [name: string, text: string])[] {
  const folder = join(FOLDER, 'src')
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => {
      const script = stripTypeScriptTypes(readFileSync(join(folder, name), 'utf8'))
      return [inJavaScript(name), script.replaceAll(/(?<= from '\.\/[\w-]+)\.ts(?=')/gu, '.js')] as const
    })
}

const inJavaScript = (name: string) => name.replace(/\.ts$/u, '.js')
const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1)

const fileOf = (name: string, text: string): ReferenceFile => ({
  text,
  type: types[endingOf(name)] ?? 'text/plain; charset=utf-8',
  etag: hashTag(text),
})
