import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, opendir, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ByteRange } from '../byte-range.ts'
import { makeFolder, probeFolder } from './folder.ts'
import { localPieces } from './local-pieces.ts'
import { countStreamed } from '../../lib/buffer-collection.ts'
import { checkedKey, type Storage, type StoredObject } from './storage.ts'

const PARTS = '.part'
const MODE = 0o640
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Null instead of a failure if there is no such file. */
const unlessMissing = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** A folder of this machine. Nothing in it is followed out of it: links are no objects. */
export function createLocalStorage(root: string): Storage {
  const pathOf = (key: string) => join(root, checkedKey(key))

  /** A rename is on the disk once its folder is. */
  async function syncFolder(path: string): Promise<void> {
    const folder = await open(path, O_RDONLY)
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }

  async function replace(from: string, to: string): Promise<void> {
    await rename(from, to)
    await syncFolder(dirname(to))
    if (dirname(from) !== dirname(to)) await syncFolder(dirname(from))
  }

  return {
    async write(key, content) {
      const target = pathOf(key)
      await makeFolder(join(root, PARTS))
      const part = join(root, PARTS, `${randomUUID()}.write`)
      const file = await open(part, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, MODE)
      try {
        await fill(file, content)
        await replace(part, target)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async read(key, range) {
      const file = await unlessMissing(open(pathOf(key), O_RDONLY | O_NOFOLLOW))
      if (file === null) return null
      return readContent(file, range ?? { first: 0, last: Infinity })
    },
    async size(key) {
      const found = await unlessMissing(lstat(pathOf(key)))
      return found?.isFile() === true ? found.size : null
    },
    move: (from, to) => replace(pathOf(from), pathOf(to)),
    remove: (key) => rm(pathOf(key), { force: true }),
    list: (prefix) => listed(root, prefix),
    presign: () => Promise.resolve(null),
    pieces: localPieces(root, replace),
    async probe() {
      await probeFolder(root)
      await probeFolder(join(root, PARTS))
    },
    close: () => undefined,
  }
}

const PIECE = 64 * 1024

/** Its pieces are counted, which those of a file stream of Node could not be. */
function readContent(file: FileHandle, { first, last }: ByteRange): Readable {
  let at = first
  return new Readable({
    highWaterMark: PIECE,
    read() {
      const size = Math.min(PIECE, last + 1 - at)
      if (size <= 0) return void this.push(null)
      file.read(Buffer.allocUnsafeSlow(size), 0, size, at).then(
        ({ buffer, bytesRead }) => {
          at += bytesRead
          countStreamed(bytesRead)
          this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead))
        },
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      file.close().then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      )
    },
  })
}

/** Writes everything and waits for the disk. */
async function fill(file: FileHandle, content: Parameters<Storage['write']>[1]): Promise<void> {
  const sink = file.createWriteStream({ flush: true })
  await pipeline(content, sink)
}

async function* listed(root: string, prefix: string): AsyncGenerator<StoredObject> {
  const isPart = prefix.startsWith(`${PARTS}/`)
  const folder = isPart ? join(root, PARTS) : root
  const opened = await unlessMissing(opendir(folder))
  if (opened === null) return
  for await (const entry of opened) {
    const key = isPart ? `${PARTS}/${entry.name}` : entry.name
    if (!entry.isFile() || !key.startsWith(prefix)) continue
    const found: Stats | null = await unlessMissing(lstat(join(folder, entry.name)))
    if (found !== null) yield { key, size: found.size, modified: found.mtime }
  }
}
