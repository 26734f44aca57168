import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createArchive, type ArchiveEntry } from './archive.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-archive-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const modified = new Date('2026-05-04T10:20:30Z')
const entry = (path: string, content: string | Buffer, type = 'text/plain'): ArchiveEntry => ({
  path,
  type,
  modified,
  open: async () => Readable.from([Buffer.from(content)]),
})

/** What another program finds in the archive. */
async function unpacked(entries: readonly ArchiveEntry[]) {
  const file = join(folder, 'a.zip')
  await writeFile(file, await buffer(createArchive(entries)))
  execFileSync('unzip', ['-tqq', file])
  execFileSync('unzip', ['-qq', file, '-d', join(folder, 'out')])
  return {
    list: execFileSync('unzip', ['-lv', file], { encoding: 'utf8' }),
    at: (path: string) => join(folder, 'out', path),
  }
}

test('another program unpacks what was packed', async () => {
  const noise = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 251))
  const { at, list } = await unpacked([
    entry('a.txt', 'first'),
    entry('Below/ü 報告.txt', 'x'.repeat(100_000)),
    entry('empty', ''),
    entry('photo.jpg', noise, 'image/jpeg'),
  ])
  expect(await readFile(at('a.txt'), 'utf8')).toBe('first')
  expect(await readFile(at('Below/ü 報告.txt'), 'utf8')).toBe('x'.repeat(100_000))
  expect(await readFile(at('empty'), 'utf8')).toBe('')
  expect((await readFile(at('photo.jpg'))).equals(noise)).toBe(true)
  expect(list).toMatch(/Stored.*photo\.jpg/u)
  expect(list).toMatch(/Defl.*a\.txt/u)
})

test('an archive of nothing is one', async () => {
  expect(await buffer(createArchive([]))).toHaveLength(22)
})

test('thousands of files are opened one after the other', async () => {
  let [open, most] = [0, 0]
  const entries = Array.from({ length: 3000 }, (_, index): ArchiveEntry => ({
    ...entry(`file-${index}`, ''),
    open: async () => {
      open += 1
      most = Math.max(most, open)
      const content = Readable.from([Buffer.from(String(index))])
      return content.once('close', () => (open -= 1))
    },
  }))
  const { at } = await unpacked(entries)
  expect(await readFile(at('file-2999'), 'utf8')).toBe('2999')
  expect(most).toBeLessThanOrEqual(2)
})

/** A source that never ends. */
function endless() {
  const state = { read: 0, isClosed: false }
  const content = new Readable({
    read() {
      state.read += 65_536
      setTimeout(() => this.push(Buffer.alloc(65_536)))
    },
  })
  content.once('close', () => (state.isClosed = true))
  return { state, open: async () => content }
}

test('nothing is read ahead of a slow reader', async () => {
  const source = endless()
  const archive = createArchive([{ path: 'a', type: 'image/png', modified, open: source.open }])
  archive.read(0)
  for (let turn = 0; turn < 100; turn += 1) await pause(1)
  expect(source.state.read).toBeGreaterThan(0)
  expect(source.state.read).toBeLessThan(2_000_000)
  archive.destroy()
})

test('a reader that goes away closes the open file, and no other is opened', async () => {
  const source = endless()
  let opened = 0
  const archive = createArchive([
    { path: 'a', type: 'image/png', modified, open: source.open },
    { ...entry('b', 'x'), open: async () => ((opened += 1), Readable.from([])) },
  ])
  await new Promise((resolve) => archive.once('data', resolve))
  archive.destroy()
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  expect([source.state.isClosed, opened]).toEqual([true, 0])
})

test('a file that opens after the reader has gone is closed', async () => {
  const late = new PassThrough()
  const opening = Promise.withResolvers<Readable>()
  const archive = createArchive([{ path: 'a', type: null, modified, open: () => opening.promise }])
  archive.destroy()
  opening.resolve(late)
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  expect(late.destroyed).toBe(true)
})

test.each([
  ['is lost', 'lost', async () => null],
  ['cannot be opened', 'no storage', () => Promise.reject(new Error('no storage'))],
  [
    'breaks off',
    'gone',
    async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('x')
          throw new Error('gone')
        })(),
      ),
  ],
])('content that %s breaks the archive off', async (_, words, open) => {
  const entries = [entry('a', 'first'), { ...entry('b', ''), open }, entry('c', 'last')]
  await expect(buffer(createArchive(entries))).rejects.toThrow(words)
})
