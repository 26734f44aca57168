import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStorages, type Storages } from './storage/storages.ts'
import { sweep } from './sweep.ts'

const HOUR = 3_600_000
let root: string
let storages: Storages

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tain-sweep-'))
  storages = createStorages([{ driver: 'local', name: 'local', root }])
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(key: string, hours = 2): Promise<void> {
  await storages.at('local')!.write(key, Readable.from([Buffer.from(key)]))
  const time = new Date(Date.now() - hours * HOUR)
  await utimes(join(root, key), time, time)
}

test('removes what no row and no upload has, and nothing else', async () => {
  const [file, gone, elsewhere, direct] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const upload = 'a'.repeat(32)
  const rows = [
    { id: file, storage: 'local', key: `${file}-0a1b2c3d.png` },
    { id: elsewhere, storage: 's3', key: `${elsewhere}.png` },
  ]
  const kept = [`${file}-0a1b2c3d.png`, `${file}__ab.webp`, `${direct}.bin`, 'notes.txt', `.part/${upload}-0`]
  const old = [`${file}.png`, `${gone}.png`, `${gone}__ab.webp`, `${elsewhere}.png`, `.part/${'b'.repeat(32)}`]
  for (const key of [...kept, ...old]) await put(key)
  const young = randomUUID()
  await put(young, 0)

  const removed = await sweep({
    storages,
    rows: { byIds: async (ids: readonly string[]) => rows.filter(({ id }) => ids.includes(id)) },
    store: {
      all: async () => [
        { content: '{}', state: JSON.stringify({ name: upload }) },
        { content: JSON.stringify({ key: `${direct}.bin` }), state: '{}' },
      ],
    },
    age: HOUR,
  })
  expect(removed).toBe(old.length)
  const left: string[] = []
  for (const prefix of ['', '.part/']) for await (const { key } of storages.at('local')!.list(prefix)) left.push(key)
  expect(left.sort()).toEqual([...kept, young].sort())
})
