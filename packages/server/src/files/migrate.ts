import type { FileRow, FileRows } from './file-rows.ts'
import type { Removals } from './removals.ts'
import type { Storage } from './storage/storage.ts'

export interface MigrationOptions {
  readonly rows: Pick<FileRows, 'pages' | 'relocate'>
  readonly removals: Pick<Removals, 'ofContent' | 'unlessKept'>
  readonly from: { readonly name: string; readonly storage: Storage }
  readonly to: { readonly name: string; readonly storage: Storage }
  readonly onFile: (done: number) => void
}

export interface Migrated {
  readonly moved: number
  /** Files whose content is lost, or that changed meanwhile. */
  readonly skipped: readonly string[]
}

/**
 * Moves content from one storage to another, file by file: the copy is there before its row says so, and the original
 * goes after that. It may stop at any moment and begin again.
 */
export async function migrateFiles(options: MigrationOptions): Promise<Migrated> {
  const { rows, from, onFile } = options
  const skipped: string[] = []
  let moved = 0
  for await (const page of rows.pages(from.name))
    for (const row of page) {
      if (await moveOne(row, options)) moved += 1
      else skipped.push(row.id)
      onFile(moved + skipped.length)
    }
  return { moved, skipped }
}

async function moveOne(row: FileRow, { rows, removals, from, to }: MigrationOptions): Promise<boolean> {
  if (row.key !== null) {
    const content = await from.storage.read(row.key)
    if (content === null) return false
    await to.storage.write(row.key, content)
  }
  const isMoved = await rows.relocate(row, to.name)
  if (!isMoved) await removals.unlessKept([{ ...row, storage: to.name }])
  else if (row.key !== null) await removeOriginal(row, from.storage, removals)
  return isMoved
}

/** The row has the same key in the other storage, so that it does not count as in use here. */
async function removeOriginal(row: FileRow, storage: Storage, removals: Pick<Removals, 'ofContent'>): Promise<void> {
  if (row.key !== null) await storage.remove(row.key)
  await removals.ofContent({ ...row, key: null })
}
