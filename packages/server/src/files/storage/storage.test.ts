import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { s3Client, startS3 } from '../../../../../test/files/bucket.ts'
import type { Observation } from '../../observe.ts'
import { createStorages } from './storages.ts'
import type { PieceState, Storage } from './storage.ts'

const MB = 1024 ** 2

interface Place {
  readonly storage: Storage
  /** Everything that lies there, unfinished uploads too. */
  readonly objects: () => Promise<readonly string[]>
}

let folder: string
let bucket: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  bucket = await startS3()
})
afterAll(() => bucket.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-storage-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const only = (location: Parameters<typeof createStorages>[0][number]): Storage =>
  createStorages([location]).at(location.name)!

function localPlace(): Place {
  const root = join(folder, 'uploads')
  const objects = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  }
  return { storage: only({ driver: 'local', name: 'local', root }), objects }
}

function bucketPlace(): Place {
  const root = randomUUID()
  const { endpoint, bucket: name, key, secret, region } = bucket
  const place = { endpoint, bucket: name, key, secret, region, forcePathStyle: true, root }
  const storage = only({ driver: 's3', name: 's3', acl: null, serverSideEncryption: null, ...place })
  const client = s3Client(place)
  const objects = async () => {
    const unfinished = await (await client.send('GET', '', { uploads: '' })).text()
    const uploads = [...unfinished.matchAll(/<Key>([^<]*)<\/Key>/gu)].map(([, found]) => `unfinished ${found}`)
    return [...(await client.list()), ...uploads].filter((found) => found.includes(root))
  }
  return { storage, objects }
}

const broken = (bytes: number) =>
  Readable.from(
    (async function* () {
      for (let sent = 0; sent < bytes; sent += MB) yield Buffer.alloc(MB, 'x')
      throw new Error('the client is gone')
    })(),
  )

describe.each([
  ['local', localPlace],
  ['s3', bucketPlace],
])('%s', (_, open) => {
  let storage: Storage
  let objects: Place['objects']
  beforeEach(() => {
    ;({ storage, objects } = open())
  })
  afterEach(() => storage.close())

  const put = (key: string, content: string | Buffer) => storage.write(key, Readable.from([Buffer.from(content)]))
  const get = async (key: string, range?: { first: number; last: number }) => {
    const found = await storage.read(key, range)
    return found === null ? null : text(found)
  }
  const keys = async (prefix: string) => {
    const found: string[] = []
    for await (const { key } of storage.list(prefix)) found.push(key)
    return found.sort()
  }

  test('what was written comes back, whole and in part', async () => {
    await put('a.txt', '0123456789')
    expect(await get('a.txt')).toBe('0123456789')
    expect(await get('a.txt', { first: 2, last: 4 })).toBe('234')
    expect(await storage.size('a.txt')).toBe(10)
  })

  test('an object without bytes is an object', async () => {
    await put('empty', '')
    expect(await get('empty')).toBe('')
    expect(await storage.size('empty')).toBe(0)
  })

  test('content of several parts comes back byte for byte', async () => {
    const content = randomBytes(18 * MB)
    await storage.write('large', Readable.from(chunksOf(content, 300_000)))
    expect((await buffer((await storage.read('large'))!)).equals(content)).toBe(true)
    expect(await objects()).toHaveLength(1)
  })

  test('an object that is not there is null, and removing it is no failure', async () => {
    expect(await get('missing')).toBeNull()
    expect(await storage.size('missing')).toBeNull()
    await storage.remove('missing')
    expect(await keys('')).toEqual([])
  })

  test.each([1, 20])('content that ends after %i MB leaves the old object and nothing else', async (size) => {
    await put('a.txt', 'old')
    await expect(storage.write('a.txt', broken(size * MB))).rejects.toThrow('the client is gone')
    expect(await get('a.txt')).toBe('old')
    expect(await objects()).toHaveLength(1)
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
      await expect((async () => put(key, 'x'))()).rejects.toThrow('not a key')
      await expect((async () => storage.read(key))()).rejects.toThrow('not a key')
    },
  )

  describe('pieces', () => {
    /** Sends one piece in chunks, and answers what is kept of it. */
    async function send(state: PieceState, content: Buffer): Promise<PieceState> {
      const writer = await storage.pieces.resume(state)
      for (const chunk of chunksOf(content, 64 * 1024)) await writer.write(chunk)
      const kept = await writer.settle()
      await writer.close()
      return JSON.parse(JSON.stringify(kept)) as PieceState
    }
    const begin = () => storage.pieces.begin('upload', 'a.bin')

    test.each([
      ['small', [3, 0, 5, 1]],
      ['none', []],
      ['empty', [0]],
      ['around the size of a part', [2 * MB, 4 * MB, 3 * MB, 1, 9 * MB, 7]],
      ['large', [17 * MB, 6 * MB]],
    ])('%s pieces become one object', async (_name, sizes) => {
      const pieces = sizes.map((size) => randomBytes(size))
      let state = begin()
      for (const piece of pieces) {
        state = await send(state, piece)
        expect(await storage.size('a.bin')).toBeNull()
      }
      await storage.pieces.finish(state)
      expect((await buffer((await storage.read('a.bin'))!)).equals(Buffer.concat(pieces))).toBe(true)
      expect(await objects()).toHaveLength(1)
    })

    test('bytes that no kept state knows of are overwritten', async () => {
      const first = await send(begin(), Buffer.alloc(MB, 'a'))
      await send(first, Buffer.alloc(7 * MB, 'x'))
      const second = await send(first, Buffer.alloc(5 * MB, 'b'))
      await send(second, Buffer.alloc(100, 'x'))
      await storage.pieces.finish(second)
      const expected = Buffer.concat([Buffer.alloc(MB, 'a'), Buffer.alloc(5 * MB, 'b')])
      expect((await buffer((await storage.read('a.bin'))!)).equals(expected)).toBe(true)
    })

    test('finishing may be repeated', async () => {
      for (const size of [10, 12 * MB]) {
        const state = await send(begin(), Buffer.alloc(size, 'a'))
        await storage.pieces.finish(state)
        await storage.pieces.finish(state)
        expect(await storage.size('a.bin')).toBe(size)
        await storage.remove('a.bin')
      }
    })

    test.each([0, 10, 12 * MB])('an upload that is given up after %i bytes leaves nothing', async (size) => {
      await storage.pieces.abort(await send(begin(), Buffer.alloc(size)))
      expect(await objects()).toEqual([])
    })
  })
})

describe('local only', () => {
  test('files are closed to others, and a link is no object', async () => {
    const { storage } = localPlace()
    await storage.write('a.txt', Readable.from([Buffer.from('x')]))
    expect((await stat(join(folder, 'uploads/a.txt'))).mode & 0o777).toBe(0o640)
    await writeFile(join(folder, 'secret'), 'secret')
    await symlink(join(folder, 'secret'), join(folder, 'uploads/link'))
    await expect(storage.read('link')).rejects.toMatchObject({ cause: { code: 'ELOOP' } })
    expect(await storage.size('link')).toBeNull()
    for await (const { key } of storage.list('')) expect(key).toBe('a.txt')
  })
})

describe('bucket only', () => {
  test('a client puts an object of the promised size and type, and no other', async () => {
    const { storage } = bucketPlace()
    const { url, headers } = (await storage.presign('a.txt', { size: 4, type: 'text/plain', expiresIn: 60 }))!
    const send = async (body: string, type: string) =>
      (await fetch(url, { method: 'PUT', headers: { ...headers, 'content-type': type }, body })).status
    expect(await send('longer', 'text/plain')).toBe(403)
    expect(await send('four', 'text/html')).toBe(403)
    expect(await storage.size('a.txt')).toBeNull()
    expect(await send('four', 'text/plain')).toBe(200)
    expect(await storage.size('a.txt')).toBe(4)
  })

  test('a wrong secret is a failure, not an empty storage', async () => {
    const { endpoint, bucket: name, key, region } = bucket
    const place = { name: 's3', endpoint, bucket: name, key, secret: 'wrong', region, forcePathStyle: true, root: '' }
    const storage = only({ driver: 's3', acl: null, serverSideEncryption: null, ...place })
    await expect(storage.read('a.txt')).rejects.toMatchObject({ cause: { name: 'SignatureDoesNotMatch' } })
    await expect(storage.write('a.txt', Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
      cause: { name: 'SignatureDoesNotMatch' },
    })
  })
})

function* chunksOf(content: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

describe('a storage that cannot be written', () => {
  const places = (): readonly (readonly [string, RegExp])[] => [
    [join(folder, 'file', 'uploads'), /^ENOTDIR: /u],
    // Node's recursive mkdir never returns here.
    ['/proc/tain/uploads', /^ENOENT: /u],
  ]

  test('fails each write with 503, and tells the place and the reason to its observer alone', async () => {
    await writeFile(join(folder, 'file'), '')
    for (const [root, reason] of places()) {
      const observed: Observation[] = []
      const storages = createStorages([{ driver: 'local', name: 'local', root }], (seen) => void observed.push(seen))
      const storage = storages.at('local')!
      const begun = storage.pieces.begin('a'.repeat(32), 'a.txt')
      const failures = [
        await storage.write('a.txt', Readable.from([Buffer.from('a')])).catch((error: unknown) => error),
        await storage.pieces.resume(begun).catch((error: unknown) => error),
      ]
      const failure = { status: 503, details: { service: 'files' }, message: 'The storage of files is not available.' }
      expect(failures).toMatchObject([failure, failure])
      const told = {
        kind: 'storage-failed',
        storage: 'local',
        place: root,
        reason: expect.stringMatching(reason) as string,
      }
      expect(observed).toEqual([told, told])
      // A probe tells a reason once, however often it is repeated.
      for (let times = 0; times < 2; times += 1)
        expect(await storages.probe()).toMatchObject([{ place: root, reason: told.reason }])
      expect(observed).toHaveLength(3)
    }
  })

  test('is none where the content breaks off', async () => {
    const observed: Observation[] = []
    const root = join(folder, 'uploads')
    const storages = createStorages([{ driver: 'local', name: 'local', root }], (seen) => void observed.push(seen))
    await expect(storages.at('local')!.write('a.bin', broken(2 * MB))).rejects.toThrow('the client is gone')
    expect(observed).toEqual([])
  })
})

test('a probe leaves nothing, also of a folder that is not there', async () => {
  const place = localPlace()
  expect(
    await createStorages([{ driver: 'local', name: 'local', root: join(folder, 'a', 'b') }]).probe(),
  ).toMatchObject([{ reason: null }])
  expect(await readdir(folder)).toEqual([])
  await place.storage.write('a.txt', Readable.from([Buffer.from('a')]))
  await place.storage.probe()
  expect(await place.objects()).toEqual(['a.txt'])
})

test('a bucket is probed by an object, which goes again', async () => {
  const place = bucketPlace()
  await place.storage.probe()
  expect(await place.objects()).toEqual([])
  const { endpoint, key, secret, region } = bucket
  const location = {
    endpoint,
    key,
    secret,
    region,
    forcePathStyle: true,
    root: '',
    acl: null,
    serverSideEncryption: null,
  }
  const missing = createStorages([{ driver: 's3', name: 's3', bucket: 'not-there', ...location }])
  expect(await missing.probe()).toMatchObject([
    { place: `${endpoint}/not-there`, reason: expect.stringMatching(/^NoSuchBucket: /u) as string },
  ])
  missing.close()
})
