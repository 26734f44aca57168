import { createHash } from 'node:crypto'
import type { FileRow, FileRows } from './file-rows.ts'
import { orphans, type SweepOptions } from './sweep.ts'
import type { Storages } from './storage/storages.ts'

/** Something that rows and storages do not agree on. */
export interface Finding {
  readonly kind: 'lost' | 'size' | 'content' | 'storage' | 'orphan'
  /** The key of the file; of an orphan, its object. */
  readonly subject: string
  readonly words: string
}

export interface CheckOptions extends SweepOptions {
  readonly rows: FileRows
  /** Reads every content and compares its checksum. */
  readonly isDeep: boolean
  readonly onFile: (done: number) => void
}

/** Compares every row with its object, and finds objects that belong to nothing. Writes nothing. */
export async function* checkFiles(options: CheckOptions): AsyncGenerator<Finding> {
  let done = 0
  for await (const page of options.rows.pages())
    for (const row of page) {
      const finding = await findingOf(row, options.storages, options.isDeep)
      done += 1
      options.onFile(done)
      if (finding !== null) yield finding
    }
  for await (const { storage, key, size } of orphans(options))
    yield { kind: 'orphan', subject: key, words: `belongs to no file, ${size} bytes in the storage ${storage}` }
}

async function findingOf(row: FileRow, storages: Storages, isDeep: boolean): Promise<Finding | null> {
  const { id: subject, key, size, checksum } = row
  if (key === null) return null
  const storage = storages.at(row.storage)
  if (storage === undefined)
    return {
      kind: 'storage',
      subject,
      words: `lies in the storage ${row.storage}, which STORAGE_LOCATIONS does not name`,
    }
  const stored = await storage.size(key)
  if (stored === null) return { kind: 'lost', subject, words: `its object ${key} is not in the storage ${row.storage}` }
  if (size !== null && stored !== size) return { kind: 'size', subject, words: `has ${stored} bytes, not ${size}` }
  if (!isDeep || checksum === null) return null
  const hash = createHash('sha256')
  for await (const chunk of (await storage.read(key)) ?? []) hash.update(chunk as Buffer)
  if (hash.digest('hex') === checksum) return null
  return { kind: 'content', subject, words: 'its content is not the one that was stored' }
}
