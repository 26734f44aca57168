// Files of a service that is killed: what its clients know, and what the database and the storage hold afterwards.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestConnection } from '../lib/databases.ts'
import { authorization } from '../crash/server.ts'

export const sumOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** Small, larger than one read, and larger than many. */
export const newContent = (): Buffer =>
  randomBytes([randomInt(1, 200), randomInt(1, 300_000), 3_000_000][randomInt(0, 3)] ?? 1)

/** What clients may expect of a file: the sums of the contents that it may have now; empty: it may be gone. */
export interface Expected {
  readonly sums: Set<string>
  /** True once a response has said that it is there. */
  isThere: boolean
  /** True from the first request to delete it. */
  mayBeGone: boolean
  /** A request about it is under way. */
  isBusy: boolean
  isGone: boolean
}

export type Known = Map<string, Expected>

const there = (content: Buffer): Expected => ({
  sums: new Set([sumOf(content)]),
  isThere: true,
  mayBeGone: false,
  isBusy: false,
  isGone: false,
})

const formOf = (content: Buffer): FormData => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)], { type: 'application/octet-stream' }), 'killed.bin')
  return form
}

async function sent(
  url: string,
  method: string,
  body?: FormData | string,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: { ...authorization, ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A response of the service, or null if it was killed meanwhile. Other statuses than these are noted as odd. */
export interface Client {
  readonly url: string
  readonly known: Known
  readonly odd: string[]
  /** Responses that were as wanted. */
  readonly done: { count: number }
}

const accept = (
  { odd, done }: Client,
  what: string,
  { status, text }: { status: number; text: string },
  wanted: number,
): boolean => {
  if (status === wanted) {
    done.count += 1
    return true
  }
  // While the service starts, or while a killed session still holds a row.
  if (status !== 503) odd.push(`${what}: ${status} ${text.slice(0, 200)}`)
  return false
}

const idOf = (text: string) => (JSON.parse(text) as { readonly data: { readonly id: string } }).data.id

export async function upload(client: Client): Promise<void> {
  const content = newContent()
  const reply = await sent(`${client.url}/files?fields=id`, 'POST', formOf(content))
  if (!accept(client, 'upload', reply, 200)) return
  client.known.set(idOf(reply.text), there(content))
}

const choose = ({ known }: Client): [string, Expected] | undefined => {
  const there = [...known].filter(([, { isThere, mayBeGone, isBusy }]) => isThere && !mayBeGone && !isBusy)
  return there.length === 0 ? undefined : there[randomInt(0, there.length)]
}

export async function replace(client: Client): Promise<void> {
  const chosen = choose(client)
  if (chosen === undefined) return upload(client)
  const [id, expected] = chosen
  const content = newContent()
  const sum = sumOf(content)
  expected.sums.add(sum)
  expected.isBusy = true
  try {
    const reply = await sent(`${client.url}/files/${id}?fields=id`, 'PATCH', formOf(content))
    if (!accept(client, 'replace', reply, 200)) return
    for (const other of expected.sums) if (other !== sum) expected.sums.delete(other)
  } finally {
    expected.isBusy = false
  }
}

export async function remove(client: Client): Promise<void> {
  const chosen = choose(client)
  if (chosen === undefined) return upload(client)
  const [id, expected] = chosen
  expected.mayBeGone = true
  if (accept(client, 'delete', await sent(`${client.url}/files/${id}`, 'DELETE'), 204)) expected.isGone = true
}

const tus = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** In three pieces. */
export async function resume(client: Client): Promise<void> {
  const content = randomBytes(randomInt(3, 200_000))
  const created = await sent(`${client.url}/files/tus`, 'POST', undefined, {
    ...tus,
    'upload-length': String(content.length),
    'upload-metadata': `filename_download ${base64('resumed.bin')},type ${base64('application/octet-stream')}`,
  })
  if (!accept(client, 'tus', created, 201)) return
  const path = new URL(created.headers.get('location') ?? '', client.url).pathname
  const third = Math.ceil(content.length / 3)
  for (let at = 0; at < content.length; at += third) {
    const response = await fetch(`${client.url}${path}`, {
      method: 'PATCH',
      body: new Uint8Array(content.subarray(at, at + third)),
      headers: {
        ...authorization,
        ...tus,
        'upload-offset': String(at),
        'content-type': 'application/offset+octet-stream',
      },
    })
    if (!accept(client, 'tus piece', { status: response.status, text: await response.text() }, 204)) return
    const id = response.headers.get('file-id')
    if (id !== null) client.known.set(id, there(content))
  }
}

/** Past the service, as far as a folder allows. */
export async function presign(client: Client): Promise<void> {
  const content = randomBytes(randomInt(1, 100_000))
  const wanted = { filename_download: 'direct.bin', type: 'application/octet-stream', filesize: content.length }
  const json = { 'content-type': 'application/json' }
  const planned = await sent(`${client.url}/files/presign`, 'POST', JSON.stringify(wanted), json)
  if (!accept(client, 'presign', planned, 200)) return
  const { id, url, method, headers, complete } = (JSON.parse(planned.text) as { data: Presigned }).data
  const put = await fetch(url.replace(/^https?:\/\/[^/]+/u, client.url), {
    method,
    headers,
    body: new Uint8Array(content),
  })
  if (!accept(client, 'presigned put', { status: put.ok ? 200 : put.status, text: await put.text() }, 200)) return
  if (!accept(client, 'complete', await sent(`${client.url}${complete}`, 'POST'), 200)) return
  client.known.set(id, there(content))
}

interface Presigned {
  readonly id: string
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly complete: string
}

export const operations = { upload, replace, remove, resume, presign } as const
export type OperationName = keyof typeof operations

/** What is wrong, in words. */
export interface Verdict {
  readonly wrong: readonly string[]
  readonly rows: number
  /** Objects of no row. */
  readonly orphans: readonly string[]
}

/** Compares rows, objects and what clients know. */
export async function judge(connection: TestConnection, own: string, root: string, known: Known): Promise<Verdict> {
  const rows = await connection.query(`select id, filename_disk, filesize, checksum from ${own}service_files`)
  const names = await readdir(root).catch(() => [])
  const objects = new Set(names.filter((name) => name !== '.part'))
  const wrong: string[] = []
  const found = new Map<string, string>()
  for (const [id = '', key = '', size, checksum = ''] of rows) {
    found.set(id ?? '', checksum ?? '')
    const content = await readFile(join(root, key ?? '')).catch(() => null)
    if (content === null) wrong.push(`the object of ${id} is missing`)
    else if (content.length !== Number(size) || sumOf(content) !== checksum)
      wrong.push(`the content of ${id} is not that of its row`)
    objects.delete(key ?? '')
  }
  for (const [id, { sums, mayBeGone, isGone }] of known) {
    const sum = found.get(id)
    if (sum === undefined && !mayBeGone) wrong.push(`${id} was acknowledged and is lost`)
    if (sum !== undefined && isGone) wrong.push(`${id} was deleted and is there`)
    if (sum !== undefined && !sums.has(sum)) wrong.push(`${id} has a content that nobody sent`)
  }
  return { wrong, rows: rows.length, orphans: [...objects] }
}
