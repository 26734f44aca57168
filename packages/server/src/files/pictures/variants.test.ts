import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ServiceError } from '@tain/contract'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createLocalStorage } from '../storage/local.ts'
import { Unavailable, type Maker } from './maker.ts'
import { makeVariant } from './make.ts'
import { createVariants, type Original } from './variants.ts'

const folder = mkdtempSync(join(tmpdir(), 'variants-'))
afterAll(() => rmSync(folder, { recursive: true }))

const storage = createLocalStorage(folder)
const limits = { mostPixels: 6000, mostOperations: 5 }
const content = await sharp({ create: { width: 90, height: 30, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const original: Original = {
  id: 'f0000000-0000-4000-8000-000000000001',
  key: 'f0000000-0000-4000-8000-000000000001.png',
  type: 'image/png',
  size: content.length,
  checksum: 'a'.repeat(64),
  width: 90,
  height: 30,
  focalPoint: null,
}
await storage.write(original.key, Readable.from([content]))

function variants(
  make: Maker['make'] = async (order, open) => makeVariant(Buffer.concat(await (await open()).toArray()), order),
) {
  const made = { count: 0, isCurrent: true }
  const maker: Maker = {
    make: async (...parameters) => {
      made.count += 1
      return make(...parameters)
    },
    close: () => {},
  }
  const settings = {
    storage_asset_transform: 'all',
    storage_asset_transform_public: 'all',
    storage_asset_presets: null,
  }
  return {
    made,
    variants: createVariants({ maker, settings: async () => settings, isCurrent: async () => made.isCurrent, limits }),
  }
}

const ask = async (own: ReturnType<typeof variants>['variants'], query: string, file = original) => {
  const wanted = await own.find({ query: new URLSearchParams(query), accept: '*/*', hasCredentials: false }, file)
  return wanted === null ? null : { ...wanted, size: await own.ensure(wanted, file, storage) }
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'made',
    (error: unknown) => (error instanceof ServiceError ? [error.code, error.message] : error),
  )
const stored = async () => {
  const keys: string[] = []
  for await (const { key } of storage.list(original.id)) if (key.includes('__')) keys.push(key)
  return keys
}

test('a variant is made once, stored beside the original, and found again', async () => {
  const { made, variants: own } = variants()
  const all = await Promise.all(['width=33', 'width=033&_=1', 'fit=inside&width=33'].map((query) => ask(own, query)))
  expect([made.count, new Set(all.map((one) => one?.key)).size]).toEqual([1, 1])
  expect(await stored()).toEqual([all[0]!.key])
  expect(await ask(variants().variants, 'width=33')).toMatchObject({ type: 'image/png', size: all[0]!.size })
  const bytes = Buffer.concat(await (await storage.read(all[0]!.key))!.toArray())
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 33, height: 11 })
})

test('files that are no pictures, and requests without parameters, are answered with the original', async () => {
  const { variants: own } = variants()
  expect(await ask(own, 'download=&_=5')).toBeNull()
  expect(await ask(own, 'width=5', { ...original, type: 'image/svg+xml' })).toBeNull()
  expect(await ask(own, 'width=5', { ...original, type: null })).toBeNull()
  expect(await codeOf(ask(own, 'widht=5', { ...original, type: 'text/plain' }))).toMatchObject([
    'INVALID_QUERY',
    expect.stringContaining('width'),
  ])
})

test('refusals are those of the contract', async () => {
  const { made, variants: own } = variants()
  expect(await codeOf(ask(own, 'width=0'))).toMatchObject(['INVALID_QUERY', expect.any(String)])
  expect(await codeOf(ask(own, 'width=7000'))).toMatchObject(['ILLEGAL_ASSET_TRANSFORMATION', expect.any(String)])
  expect(await codeOf(ask(own, 'width=5', { ...original, width: 50_000, height: 50_000 }))).toMatchObject([
    'ILLEGAL_ASSET_TRANSFORMATION',
    expect.any(String),
  ])
  expect(made.count).toBe(0)
  const late = variants(async () => {
    throw new Unavailable('late')
  })
  expect(await codeOf(ask(late.variants, 'width=7'))).toMatchObject(['SERVICE_UNAVAILABLE', expect.any(String)])
  const failing = variants(async () => {
    throw new Error('libvips: /secret/path')
  })
  expect(await codeOf(ask(failing.variants, 'width=7'))).toMatchObject([
    'SERVICE_UNAVAILABLE',
    expect.not.stringContaining('secret'),
  ])
  expect(await codeOf(ask(own, 'width=7', { ...original, key: 'lost.png', checksum: 'b' }))).toMatchObject([
    'SERVICE_UNAVAILABLE',
    expect.any(String),
  ])
})

test('a failure is not remembered', async () => {
  let tries = 0
  const { variants: own } = variants(async (order, open) => {
    tries += 1
    if (tries === 1) throw new Unavailable('late')
    return makeVariant(Buffer.concat(await (await open()).toArray()), order)
  })
  expect(await codeOf(ask(own, 'width=8'))).toMatchObject(['SERVICE_UNAVAILABLE', expect.any(String)])
  expect(await codeOf(ask(own, 'width=8'))).toBe('made')
})

test('a variant of content that was replaced meanwhile does not stay', async () => {
  const { made, variants: own } = variants()
  made.isCurrent = false
  const before = await stored()
  expect(await codeOf(ask(own, 'width=9'))).toMatchObject(['SERVICE_UNAVAILABLE', expect.any(String)])
  expect(await stored()).toEqual(before)
})
