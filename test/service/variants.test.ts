import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, TOKEN, type Service } from '../lib/service.ts'

interface FileRow {
  readonly id: string
  readonly width: number
  readonly height: number
}

describe.each(testDialects)('variants of pictures on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'variants-'))
    database = await createDatabase(dialect)
    service = await openService({ DATABASE_URL: database.url, STORAGE_LOCAL_ROOT: folder })
  })
  afterAll(async () => {
    await service.stop()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const picture = (background: string) =>
    sharp({ create: { width: 90, height: 30, channels: 3, background } })
      .png()
      .toBuffer()

  async function send(method: string, path: string, content: Buffer): Promise<FileRow> {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'red.png')
    const answer = await fetch(`${service.url}${path}`, { method, body, headers: { authorization: `Bearer ${TOKEN}` } })
    return ((await answer.json()) as { data: FileRow }).data
  }
  async function asset(id: string, query: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
    const answer = await fetch(`${service.url}/assets/${id}?${query}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const stored = async (id: string) => (await readdir(folder)).filter((name) => name.startsWith(`${id}__`))

  test('are made once, whoever asks how, and known by their tag', async () => {
    const { id } = await send('POST', '/files', await picture('red'))
    const [first] = await Promise.all(
      ['width=33&format=webp', 'format=webp&width=033', 'format=webp&width=33&_=1'].map((query) => asset(id, query)),
    )
    expect([first!.status, first!.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(await sharp(first!.bytes).metadata()).toMatchObject({ width: 33, height: 11, format: 'webp' })
    expect(first!.headers.get('content-disposition')).toBe('inline; filename="red.webp"')
    const head = await asset(id, 'width=33&format=webp', {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(first!.bytes.length)])
    const tag = first!.headers.get('etag') ?? ''
    expect((await asset(id, 'width=33&format=webp', { 'if-none-match': tag })).status).toBe(304)
    expect(await stored(id)).toHaveLength(1)
  })

  test('that the client has are not made', async () => {
    const content = await picture('blue')
    const [one, other] = [await send('POST', '/files', content), await send('POST', '/files', content)]
    const tag = (await asset(one.id, 'width=21')).headers.get('etag') ?? ''
    expect((await asset(other.id, 'width=21', { 'if-none-match': tag })).status).toBe(304)
    expect(await stored(other.id)).toEqual([])
  })

  test('go with the content and with the file', async () => {
    const { id } = await send('POST', '/files', await picture('red'))
    const before = await asset(id, 'width=9')
    await send('PATCH', `/files/${id}`, await picture('lime'))
    await expect.poll(() => stored(id)).toEqual([])
    const after = await asset(id, 'width=9')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect((await sharp(after.bytes).stats()).dominant.g).toBeGreaterThan(200)
    expect(await stored(id)).toHaveLength(1)
    expect((await service.send('DELETE', `/files/${id}`)).status).toBe(204)
    await expect.poll(() => stored(id)).toEqual([])
  })

  test('follow the settings, whose presets are checked when they are saved', async () => {
    const { id } = await send('POST', '/files', await picture('red'))
    const card = { key: 'card', fit: 'cover', width: 20, height: 20, format: 'jpg' }
    const save = (values: object) => service.send('PATCH', '/settings', values)
    for (const presets of [
      [{ ...card, width: 7000 }],
      [{ ...card, fit: 'squeeze' }],
      [card, card],
      [{ ...card, key: 'system-x' }],
    ])
      expect(codeOf(await save({ storage_asset_presets: presets }))).toBe('FAILED_VALIDATION')
    dataOf(await save({ storage_asset_presets: [card], storage_asset_transform: 'presets' }))
    expect(await sharp((await asset(id, 'key=card')).bytes).metadata()).toMatchObject({
      width: 20,
      height: 20,
      format: 'jpeg',
    })
    expect((await asset(id, 'width=5')).status).toBe(400)
    dataOf(await save({ storage_asset_transform: 'all' }))
    expect((await asset(id, 'width=5')).status).toBe(200)
  })

  test('are refused without a word of the tools', async () => {
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { id, width } = await send('POST', '/files', whole.subarray(0, 150))
    expect(width).toBe(300)
    const answer = await service.get(`/assets/${id}?width=10`)
    expect(codeOf(answer)).toBe('UNPROCESSABLE_CONTENT')
    expect(answer.text).not.toMatch(/vips|png|sharp/iu)
    expect(codeOf(await service.get(`/assets/${id}?width=7000`))).toBe('ILLEGAL_ASSET_TRANSFORMATION')
    expect(codeOf(await service.get(`/assets/${id}?widht=7`))).toBe('INVALID_QUERY')
    expect(answer.headers.get('cache-control')).not.toMatch(/max-age=[1-9]/u)
  })
})
