import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../databases.ts'
import { startService, TOKEN, type Service } from '../service.ts'

let database: TestDatabase
let service: Service

beforeAll(async () => {
  database = await createDatabase()
  await database.query(`
    create table notes (id int primary key, body text not null);
    insert into notes select n, repeat('what is said again and again ', 20) from generate_series(1, 2000) n`)
  service = await startService({ DATABASE_URL: database.url })
})

afterAll(async () => {
  await service.stop()
  await database.drop()
})

interface Answer {
  readonly status: number
  readonly encoding: string | undefined
  readonly vary: string | undefined
  readonly body: Buffer
}

/** Without the decompression that fetch does by itself. */
const ask = (path: string, accepted: string | null, { url } = service): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(accepted === null ? {} : { 'accept-encoding': accepted }),
    }
    request(`${url}${path}`, { headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response
        resolve({ status, encoding: got['content-encoding'], vary: got.vary, body: Buffer.concat(pieces) })
      })
    })
      .on('error', reject)
      .end()
  })

const LONG = '/items/notes?limit=100'
const readers = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const

describe.each(['zstd', 'br', 'gzip'] as const)('%s', (encoding) => {
  test.each([
    ['a list', LONG],
    ['a large list', '/items/notes?limit=-1'],
    ['an export', '/items/notes?limit=-1&export=csv'],
    ['GraphQL', `/graphql?query=${encodeURIComponent('{ notes { id body } }')}`],
    ['the structure', '/fields'],
  ])('%s has the same content as without it', async (_, path) => {
    const plain = await ask(path, null)
    const packed = await ask(path, encoding)
    expect(plain.encoding).toBeUndefined()
    expect(packed).toMatchObject({ status: 200, encoding })
    expect(packed.vary?.toLowerCase()).toContain('accept-encoding')
    expect(packed.vary).toContain('Authorization')
    expect(readers[encoding](packed.body).equals(plain.body)).toBe(true)
    expect(packed.body.length).toBeLessThan(plain.body.length / 4)
  })
})

test('zstd comes before brotli and gzip, and what the client refuses is not sent', async () => {
  expect((await ask(LONG, 'gzip, deflate, br, zstd')).encoding).toBe('zstd')
  expect((await ask(LONG, 'gzip, deflate, br, zstd;q=0.9')).encoding).toBe('br')
  expect((await ask(LONG, 'gzip, deflate, br')).encoding).toBe('br')
  expect((await ask(LONG, 'gzip;q=1, br;q=0')).encoding).toBe('gzip')
  expect((await ask(LONG, 'identity')).encoding).toBeUndefined()
})

test('short responses are not compressed', async () => {
  expect((await ask('/items/notes/1', 'br')).encoding).toBeUndefined()
})

test('compressed requests are not understood', async () => {
  const { status } = await service.send('POST', '/items/notes', 'x', { headers: { 'content-encoding': 'gzip' } })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test('COMPRESSION=false leaves it to a proxy', async () => {
  const plain = await startService({ DATABASE_URL: database.url, COMPRESSION: 'false' })
  expect((await ask(LONG, 'br', plain)).encoding).toBeUndefined()
  await plain.stop()
})
