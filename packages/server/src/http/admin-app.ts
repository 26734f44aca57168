import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { StartError } from '../schema/start-error.ts'
import { hashTag } from './entity-tag.ts'
import type { Encoding } from './compression.ts'

/** A file of the admin app, in every form that a client may accept. */
export interface AdminFile extends Readonly<Partial<Record<StoredEncoding, Buffer>>> {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
}

/** The admin app as it is served. */
export interface AdminApp {
  /** The path at which browsers find it. */
  readonly home: string
  /** The page of every screen. */
  readonly index: AdminFile
  /** All other files, by their paths below the folder. */
  readonly others: ReadonlyMap<string, AdminFile>
}

const INDEX = 'index.html'

const types = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
} as const

type Form = 'bytes' | StoredEncoding

/** The build stores what shrinks in these forms only, so that the package stays small. */
export const storedEndings = { br: '.br', gzip: '.gz' } as const satisfies Partial<Record<Encoding, string>>

export type StoredEncoding = keyof typeof storedEndings

export const storedEncodings = Object.keys(storedEndings) as readonly StoredEncoding[]

type Forms = Readonly<Partial<Record<Form, Buffer>>>

/** Reads the built app. Requests are answered from the result, so that no path of a request reaches the disk. */
export function readAdminApp(folder: string, publicUrl: string | null): AdminApp {
  const prefix = publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/u, '')
  const home = `${prefix}/admin/`
  const found = storedFiles(folder)
  const page = found.get(INDEX)?.bytes
  if (page === undefined) throw unusable(folder, `it has no ${INDEX}`)
  found.delete(INDEX)
  return {
    home,
    index: indexFile(folder, page.toString('utf8'), home),
    others: new Map([...found].map(([name, forms]) => [name, fileOf(folder, name, forms)])),
  }
}

function storedFiles(folder: string): Map<string, Forms> {
  const found = new Map<string, Forms>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // Source maps are for those who build the app.
    if (!entry.isFile() || entry.name.endsWith('.map')) continue
    const path = join(entry.parentPath, entry.name)
    const [name, form] = formOf(relative(folder, path).replaceAll(sep, '/'))
    found.set(name, { ...found.get(name), [form]: readFileSync(path) })
  }
  return found
}

function formOf(path: string): readonly [name: string, form: Form] {
  for (const [encoding, ending] of Object.entries(storedEndings) as [StoredEncoding, string][])
    if (path.endsWith(ending)) return [path.slice(0, -ending.length), encoding]
  return [path, 'bytes']
}

function fileOf(folder: string, name: string, forms: Forms): AdminFile {
  const bytes = forms.bytes ?? (forms.gzip === undefined ? undefined : gunzipSync(forms.gzip))
  if (bytes === undefined) throw unusable(folder, `${name} is only there in a form that not every client accepts`)
  const type = (types as Readonly<Record<string, string>>)[name.slice(name.lastIndexOf('.') + 1)]
  if (type === undefined) throw unusable(folder, `${name} has an ending without a media type`)
  return { ...forms, bytes, type, etag: hashTag(bytes) }
}

const baseElement = /<base href="\/admin\/"\s*\/?>/u

/** The page with the address that its relative addresses begin with: a proxy may serve the app below a path. */
function indexFile(folder: string, page: string, home: string): AdminFile {
  if (!baseElement.test(page)) throw unusable(folder, `${INDEX} has no <base href="/admin/">`)
  const base = `<base href="${home.replaceAll('&', '&amp;')}">`
  const bytes = Buffer.from(page.replace(baseElement, () => base))
  return fileOf(folder, INDEX, { bytes, br: brotliCompressSync(bytes), gzip: gzipSync(bytes) })
}

const unusable = (folder: string, reason: string) =>
  new StartError(
    `The admin app in ${folder} cannot be served: ${reason}. Build it again with "npm run build", or set ADMIN_APP=false.`,
  )
