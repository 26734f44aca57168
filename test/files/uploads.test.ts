import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@tain/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anonymous, type Actor } from '../../packages/server/src/access/actor.ts'
import { createStorages, type Storages } from '../../packages/server/src/files/storage/storages.ts'
import type { Piece } from '../../packages/server/src/files/uploads/receive-piece.ts'
import type { UploadTarget } from '../../packages/server/src/files/uploads/target.ts'
import { createUploads, removeExpired, type Uploads } from '../../packages/server/src/files/uploads/uploads.ts'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { createUploadStore } from '../../packages/server/src/store/uploads.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

const MB = 1024 ** 2
const origin = { ip: null, userAgent: null }
const ada: Actor = { ...anonymous, user: randomUUID() }
const bob: Actor = { ...anonymous, user: randomUUID() }

const piece = (content: Buffer | AsyncIterable<Buffer>, more: Partial<Piece> = {}): Piece => ({
  content: Buffer.isBuffer(content) ? chunks(content) : content,
  length: null,
  checksum: null,
  ...more,
})

async function* chunks(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 64 * 1024) yield content.subarray(at, at + 64 * 1024)
}

async function* broken(content: Buffer): AsyncGenerator<Buffer> {
  yield* chunks(content)
  throw new Error('the client is gone')
}

const statusOf = async (work: Promise<unknown>): Promise<number> => {
  try {
    await work
    return 200
  } catch (error) {
    if (error instanceof ServiceError) return error.status
    throw error
  }
}

describe.each(testDialects)('uploads on %s', (dialect) => {
  let place: TestDatabase
  let databases: readonly Database[] = []
  let folder = ''
  let storages: Storages
  /** Objects that have become files, and how the next one ends. */
  let files: Set<string>
  let failure: Error | null
  let replicas: readonly Uploads[]

  const target: UploadTarget = {
    async plan(_, { claim, fields }) {
      const file = randomUUID()
      return { file, replaces: false, storage: 'local', key: `${file}.bin`, claim, fields }
    },
    async complete(_, { key }) {
      if (failure !== null) throw failure
      files.add(key)
      return { data: null, etag: null } as never
    },
    isContent: async ({ key }) => files.has(key),
  }
  const storeOf = (database: Database) => createUploadStore(database, database.systemSchema('tain'))
  const replicaOf = (database: Database, lifetime = 60_000) =>
    createUploads({ storages, store: storeOf(database), target, largest: 20 * MB, lifetime, failpoints: null })

  beforeAll(async () => {
    place = await createDatabase(dialect)
    databases = await Promise.all([1, 2].map(() => connectDatabase(connectOptions(place.url))))
    await migrate(databases[0]!, databases[0]!.systemSchema('tain'))
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-uploads-'))
    storages = createStorages([{ driver: 'local', name: 'local', root: folder }])
    replicas = databases.map((database) => replicaOf(database))
    files = new Set()
    failure = null
    return () => rm(folder, { recursive: true, force: true })
  })
  afterAll(async () => {
    await Promise.all(databases.map(closeDatabase))
    await place.drop()
  })

  const named = { replaced: null, claim: { name: 'a.bin', type: null }, fields: {} }
  const create = (size: number, actor = ada) => replicas[0]!.create(actor, size, named, origin)
  const send = (id: string, offset: number, what: Piece, { at = 0, actor = ada } = {}) =>
    replicas[at]!.receive(actor, id, offset, what, origin)
  const offsetOf = async (id: string, at = 1) => (await replicas[at]!.find(ada, id, origin)).offset
  const objects = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

  test('pieces that go to different replicas become one object', async () => {
    const content = randomBytes(200_000)
    const { id } = await create(content.length)
    await send(id, 0, piece(content.subarray(0, 70_000)))
    expect(await offsetOf(id)).toBe(70_000)
    const done = await send(id, 70_000, piece(content.subarray(70_000)), { at: 1 })
    expect(done).toMatchObject({ offset: 200_000, size: 200_000 })
    const stored = await storages.at('local')!.read(`${done.file}.bin`)
    expect((await buffer(stored!)).equals(content)).toBe(true)
    expect(await offsetOf(id, 0)).toBe(200_000)
  })

  test('an upload without bytes is complete at once', async () => {
    const { file } = await create(0)
    expect(await storages.at('local')!.size(`${file}.bin`)).toBe(0)
  })

  test('a wrong offset, another checksum and too many bytes change nothing', async () => {
    const { id } = await create(10)
    await send(id, 0, piece(Buffer.from('abc')))
    const other = { algorithm: 'sha1', digest: createHash('sha1').update('x').digest() }
    expect(await statusOf(send(id, 2, piece(Buffer.from('x'))))).toBe(409)
    expect(await statusOf(send(id, 3, piece(Buffer.from('x'.repeat(8)))))).toBe(413)
    expect(await statusOf(send(id, 3, piece(Buffer.from('x'), { length: 8 })))).toBe(413)
    expect(await statusOf(send(id, 3, piece(Buffer.from('y'), { checksum: other })))).toBe(460)
    expect(await offsetOf(id)).toBe(3)
    const right = { ...other, digest: createHash('sha1').update('defghij').digest() }
    expect(await send(id, 3, piece(Buffer.from('defghij'), { checksum: right }))).toMatchObject({ offset: 10 })
  })

  test('what arrived before a break is kept, and the upload is free at once', async () => {
    const content = randomBytes(300_000)
    const { id } = await create(content.length)
    await expect(send(id, 0, piece(broken(content.subarray(0, 200_000))))).rejects.toThrow('ended early')
    expect(await offsetOf(id)).toBe(200_000)
    await send(id, 200_000, piece(content.subarray(200_000)), { at: 1 })
    expect(files.size).toBe(1)
  })

  test('a long piece is safe from time to time while it arrives', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { id } = await create(17 * MB)
    async function* slow(): AsyncGenerator<Buffer> {
      yield* chunks(Buffer.alloc(10 * MB))
      await promise
      yield* chunks(Buffer.alloc(7 * MB))
    }
    const sending = send(id, 0, piece(slow()))
    const store = storeOf(databases[1]!)
    const safe = async () => (JSON.parse((await store.read(id))!.state) as { size: number }).size
    await expect.poll(safe).toBe(8 * MB)
    expect(await statusOf(offsetOf(id))).toBe(423)
    expect(await statusOf(send(id, 8 * MB, piece(Buffer.alloc(1)), { at: 1 }))).toBe(423)
    expect(await statusOf(replicas[1]!.remove(ada, id))).toBe(423)
    resolve()
    expect(await sending).toMatchObject({ offset: 17 * MB })
  })

  test('of two writers at once one writes', async () => {
    const content = Buffer.alloc(200_000)
    const { id } = await create(2 * content.length)
    const ends = await Promise.all([0, 1].map((at) => statusOf(send(id, 0, piece(content), { at }))))
    expect(ends.filter((status) => status === 200)).toHaveLength(1)
    expect(ends.filter((status) => [409, 423].includes(status))).toHaveLength(1)
    expect(await offsetOf(id)).toBe(content.length)
  })

  test('somebody else, and who does not know the address, find nothing', async () => {
    const { id } = await create(10)
    for (const actor of [bob, anonymous]) {
      expect(await statusOf(replicas[0]!.find(actor, id, origin))).toBe(404)
      expect(await statusOf(send(id, 0, piece(Buffer.from('x')), { actor }))).toBe(404)
      expect(await statusOf(replicas[0]!.remove(actor, id))).toBe(404)
    }
    expect(await statusOf(replicas[0]!.find(ada, 'unknown', origin))).toBe(404)
    const open = await create(10, anonymous)
    expect(await statusOf(send(open.id, 0, piece(Buffer.from('x')), { actor: bob }))).toBe(200)
  })

  test('an upload that is given up leaves nothing', async () => {
    const { id } = await create(10)
    await send(id, 0, piece(Buffer.from('half ')))
    await replicas[1]!.remove(ada, id)
    expect(await statusOf(replicas[0]!.find(ada, id, origin))).toBe(404)
    expect(await objects()).toEqual([])
  })

  test('a refusal at the end removes the bytes; a failure keeps them for another try', async () => {
    failure = new ServiceError('INVALID_PAYLOAD')
    const refused = await create(3)
    expect(await statusOf(send(refused.id, 0, piece(Buffer.from('abc'))))).toBe(400)
    expect(await statusOf(replicas[0]!.find(ada, refused.id, origin))).toBe(404)
    expect(await objects()).toEqual([])

    failure = new Error('the database is away')
    const { id } = await create(3)
    await expect(send(id, 0, piece(Buffer.from('abc')))).rejects.toThrow('away')
    failure = null
    const found = await replicas[1]!.find(ada, id, origin)
    expect(files).toEqual(new Set([`${found.file}.bin`]))
  })

  test('what nobody continues expires; files that uploads have become stay', async () => {
    const [database] = databases
    const short = replicaOf(database!, 300)
    const left = await short.create(ada, 10, named, origin)
    await short.receive(ada, left.id, 0, piece(Buffer.from('half ')), origin)
    const done = await short.create(ada, 3, named, origin)
    await short.receive(ada, done.id, 0, piece(Buffer.from('abc')), origin)
    await sleep(500)
    const another = await short.create(ada, 10, named, origin)
    await short.receive(ada, another.id, 0, piece(Buffer.from('half ')), origin)
    await sleep(500)
    // Whoever asks for it finds nothing, and then there is nothing.
    expect(await statusOf(short.find(ada, another.id, origin))).toBe(404)
    expect(await objects()).toHaveLength(2)
    expect(await removeExpired({ storages, store: storeOf(database!), target })).toBeGreaterThanOrEqual(2)
    for (const { id } of [left, done]) expect(await statusOf(short.find(ada, id, origin))).toBe(404)
    expect((await objects()).map(({ name }) => name)).toEqual([...files])
    expect(await storeOf(database!).expired()).toEqual([])
  })

  test('all that have expired are removed, however many', async () => {
    const [database] = databases
    const short = replicaOf(database!, 1)
    for (let n = 0; n < 130; n += 1) await short.create(ada, 10, named, origin)
    await sleep(50)
    await removeExpired({ storages, store: storeOf(database!), target })
    expect(await storeOf(database!).expired()).toEqual([])
  })

  test('an object that became a file is not removed, although nobody lived to tell', async () => {
    const [database] = databases
    const short = replicaOf(database!, 300)
    const { id } = await short.create(ada, 3, named, origin)
    failure = new Error('killed')
    await expect(short.receive(ada, id, 0, piece(Buffer.from('abc')), origin)).rejects.toThrow('killed')
    const [object] = await objects()
    files.add(object!.name)
    await sleep(500)
    await removeExpired({ storages, store: storeOf(database!), target })
    expect(await objects()).toHaveLength(1)
  })
})
