import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { expectedExtension, expectedName, hostileNames, parsedDisposition } from '../files/names.ts'
import { openService, TOKEN, type Service } from '../lib/service.ts'

const NAMES = hostileNames(500, 20_261_118)
const TYPE = 'text/plain'
const authorization = `Bearer ${TOKEN}`

interface Made {
  readonly status: number
  readonly row: Readonly<Record<string, unknown>>
  readonly code: string | undefined
}

/** Runs work for all names, a few at a time. */
async function forAll<T>(work: (name: string, index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < NAMES.length; index = next++) results[index] = await work(NAMES[index]!, index)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return results
}

describe('names that somebody makes up', () => {
  let database: TestDatabase
  let service: Service
  let folder: string
  let uploaded: readonly Made[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-names-'))
    database = await createDatabase()
    service = await openService({ DATABASE_URL: database.url, STORAGE_LOCAL_ROOT: join(folder, 'uploads') })
    uploaded = await forAll(upload)
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  async function made(response: Response): Promise<Made> {
    const body = (await response.json()) as { data?: Made['row']; errors?: { extensions: { code: string } }[] }
    return { status: response.status, row: body.data ?? {}, code: body.errors?.[0]?.extensions.code }
  }

  /** By hand: clients would correct some of the names. A line end can only be sent encoded. */
  async function upload(name: string): Promise<Made> {
    const parameter = /[\r\n]/u.test(name)
      ? `filename*=UTF-8''${encodeURIComponent(name)}`
      : `filename="${name.replaceAll(/["\\]/gu, (character) => `\\${character}`)}"`
    const head = `--names\r\nContent-Disposition: form-data; name="file"; ${parameter}\r\nContent-Type: ${TYPE}\r\n\r\n`
    const headers = { authorization, 'content-type': 'multipart/form-data; boundary=names' }
    const body = `${head}content\r\n--names--\r\n`
    return made(await fetch(`${service.url}/files`, { method: 'POST', headers, body }))
  }

  const outcome = ({ status, row, code }: Made) => (status === 200 ? row['filename_download'] : code)

  /** The name that a row has to have. */
  function wanted(name: string, id: unknown, byId = `${String(id)}.txt`): string {
    const expected = expectedName(name)
    return expected === 'too long' ? 'VALUE_TOO_LONG' : expected === 'by id' ? byId : expected.name
  }

  test('are cleaned in uploads', () => {
    expect(uploaded.map(outcome)).toEqual(NAMES.map((name, at) => wanted(name, uploaded[at]!.row['id'])))
  })

  test('leave nothing but an extension in the storage', async () => {
    const kept = uploaded.flatMap((each, at) => (each.status === 200 ? [{ ...each, name: NAMES[at]! }] : []))
    const keys = kept.map(({ row, name }) => `${String(row['id'])}.${expectedExtension(name, 'txt')}`)
    expect(kept.map(({ row }) => row['filename_disk'])).toEqual(keys)
    const objects = (await readdir(join(folder, 'uploads'))).filter((name) => name !== '.part')
    expect(objects.filter((name) => kept.some(({ row }) => name.startsWith(String(row['id'])))).toSorted()).toEqual(
      keys.toSorted(),
    )
    expect(objects.filter((name) => !/^[0-9a-f-]{36}(?:\.[a-z0-9]{1,16})?$/u.test(name))).toEqual([])
    expect(await readdir(folder)).toEqual(['uploads'])
  })

  test('come back whole in Content-Disposition', async () => {
    const told = await forAll(async (_name, at) => {
      const { status, row } = uploaded[at]!
      if (status !== 200) return null
      const response = await fetch(`${service.url}/assets/${String(row['id'])}`, {
        method: 'HEAD',
        headers: { authorization },
      })
      return parsedDisposition(response.headers.get('content-disposition') ?? '')
    })
    expect(told).toEqual(uploaded.map(({ status, row }) => (status === 200 ? row['filename_download'] : null)))
  })

  test('are cleaned in changes of a row', async () => {
    const own = await Promise.all(Array.from({ length: 8 }, () => upload('own.txt')))
    const changed = await forAll(async (name, at) => {
      const { id } = own[at % own.length]!.row
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ filename_download: name })
      return made(await fetch(`${service.url}/files/${String(id)}`, { method: 'PATCH', headers, body }))
    })
    const idOf = (at: number) => String(own[at % own.length]!.row['id'])
    expect(changed.map(outcome)).toEqual(NAMES.map((name, at) => wanted(name, idOf(at))))
  })

  test('are cleaned in resumable uploads', async () => {
    const sent = await forAll(async (name) => {
      const metadata = `filename_download ${Buffer.from(name).toString('base64')},type ${Buffer.from(TYPE).toString('base64')}`
      const headers = {
        authorization,
        'tus-resumable': '1.0.0',
        'upload-length': '7',
        'upload-metadata': metadata,
        'content-type': 'application/offset+octet-stream',
      }
      const response = await fetch(`${service.url}/files/tus`, { method: 'POST', headers, body: 'content' })
      const id = response.headers.get('file-id')
      if (id === null) return made(response)
      return made(await fetch(`${service.url}/files/${id}`, { headers: { authorization } }))
    })
    // A resumable upload has to have a name.
    const expected = NAMES.map((name, at) => (name === '' ? 'INVALID_PAYLOAD' : wanted(name, sent[at]!.row['id'])))
    expect(sent.map(outcome)).toEqual(expected)
  })
})
