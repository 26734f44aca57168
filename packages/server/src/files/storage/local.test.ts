import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

let root: string
let storage: Storage

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tain-storage-'))
  storage = createLocalStorage(join(root, 'uploads'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const put = (key: string, content: string) => storage.write(key, Readable.from([Buffer.from(content)]))
const get = async (key: string, range?: { first: number; last: number }) => {
  const found = await storage.read(key, range)
  return found === null ? null : text(found)
}
const keys = async (prefix: string) => {
  const found: string[] = []
  for await (const { key } of storage.list(prefix)) found.push(key)
  return found.sort()
}
const files = async () => (await readdir(join(root, 'uploads'), { recursive: true })).sort()

test('what was written comes back, whole and in part', async () => {
  await put('a.txt', '0123456789')
  expect(await get('a.txt')).toBe('0123456789')
  expect(await get('a.txt', { first: 2, last: 4 })).toBe('234')
  expect(await storage.size('a.txt')).toBe(10)
  expect((await stat(join(root, 'uploads/a.txt'))).mode & 0o777).toBe(0o640)
})

test('an object without bytes is an object', async () => {
  await put('empty', '')
  expect(await get('empty')).toBe('')
  expect(await storage.size('empty')).toBe(0)
})

test('an object that is not there is null, and removing it is no failure', async () => {
  expect(await get('missing')).toBeNull()
  expect(await storage.size('missing')).toBeNull()
  await storage.remove('missing')
  expect(await keys('')).toEqual([])
})

test('content that ends early leaves the old object and nothing else', async () => {
  await put('a.txt', 'old')
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000, 'x')
      throw new Error('the client is gone')
    })(),
  )
  await expect(storage.write('a.txt', broken)).rejects.toThrow('the client is gone')
  expect(await get('a.txt')).toBe('old')
  expect(await files()).toEqual(['.part', 'a.txt'])
})

test('readers of an object that is replaced get the old bytes or the new ones', async () => {
  const contents = ['a', 'b'].map((letter) => Buffer.alloc(300_000, letter))
  await storage.write('a', Readable.from([contents[0]!]))
  const reading = Promise.all(
    Array.from({ length: 40 }, async () => {
      const bytes = await buffer((await storage.read('a'))!)
      return contents.some((content) => content.equals(bytes))
    }),
  )
  for (let round = 0; round < 10; round += 1) await storage.write('a', Readable.from([contents[round % 2]!]))
  expect(new Set(await reading)).toEqual(new Set([true]))
})

test('moving takes the place of another object', async () => {
  await put('.part/new', 'new')
  await put('a.txt', 'old')
  await storage.move('.part/new', 'a.txt')
  expect(await get('a.txt')).toBe('new')
  expect(await keys('.part/')).toEqual([])
})

test('lists what begins with a prefix, unfinished uploads only where asked for', async () => {
  for (const key of ['one.png', 'one__ab.webp', 'two.png', '.part/three']) await put(key, key)
  expect(await keys('one')).toEqual(['one.png', 'one__ab.webp'])
  expect(await keys('')).toEqual(['one.png', 'one__ab.webp', 'two.png'])
  expect(await keys('.part/')).toEqual(['.part/three'])
})

test.each(['', '.', '..', '../a', 'a/b', '/etc/passwd', '.part/../a', '.part/', '.hidden', 'a\0b', 'ä'])(
  '%j is no key',
  async (key) => {
    await expect(put(key, 'x')).rejects.toThrow('not a key')
    await expect(storage.read(key)).rejects.toThrow('not a key')
  },
)

test('a link is no object', async () => {
  await put('a.txt', 'x')
  await writeFile(join(root, 'secret'), 'secret')
  await symlink(join(root, 'secret'), join(root, 'uploads/link'))
  await expect(storage.read('link')).rejects.toThrow('ELOOP')
  expect(await storage.size('link')).toBeNull()
  expect(await keys('')).toEqual(['a.txt'])
})
