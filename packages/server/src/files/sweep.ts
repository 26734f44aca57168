import type { UploadStore } from '../store/uploads.ts'
import type { FileObject } from './file-object.ts'
import type { Storage, StoredObject } from './storage/storage.ts'
import type { Storages } from './storage/storages.ts'

/** Finds the rows of files with the objects that they have. */
interface ObjectRows {
  readonly byIds: (ids: readonly string[]) => Promise<readonly FileObject[]>
}

export interface SweepOptions {
  readonly storages: Storages
  readonly rows: ObjectRows
  readonly store: Pick<UploadStore, 'all'>
  /** Milliseconds; younger objects may belong to a row that is being written. */
  readonly age: number
}

/** An object that belongs to no file and to no upload. */
export interface Orphan {
  readonly storage: string
  readonly key: string
  readonly size: number
}

/** Objects whose rows are asked for at once. */
const AT_ONCE = 200

const FILE = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:__|-|\.|$)/u

/** The file that an object belongs to by its key; null: its key is not one that the service makes. */
const fileOf = (key: string): string | null => FILE.exec(key)?.[1] ?? null

const isVariant = (key: string): boolean => key.includes('__')

/** Objects that belong to nothing, and are old enough that nothing will claim them. Others are left alone. */
export async function* orphans(options: SweepOptions): AsyncGenerator<Orphan> {
  const before = Date.now() - options.age
  // Uploads are read before the objects are, so that what is begun meanwhile is too young.
  const uploads = await options.store.all()
  const used = uploads.map(({ content, state }) => `${content} ${state}`).join(' ')
  for (const name of options.storages.names) {
    const storage = options.storages.at(name)
    if (storage === undefined) continue
    for (const prefix of ['', '.part/'])
      for await (const group of grouped(storage, prefix, before))
        for (const object of await unclaimed(group, name, used, options.rows))
          yield { storage: name, key: object.key, size: object.size }
  }
}

async function* grouped(storage: Storage, prefix: string, before: number): AsyncGenerator<readonly StoredObject[]> {
  let group: StoredObject[] = []
  for await (const object of storage.list(prefix)) {
    if (object.modified.getTime() < before) group.push(object)
    if (group.length < AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

async function unclaimed(
  objects: readonly StoredObject[],
  storage: string,
  used: string,
  rows: ObjectRows,
): Promise<readonly StoredObject[]> {
  const ids = new Set(objects.flatMap(({ key }) => fileOf(key) ?? []))
  const found = new Map((ids.size === 0 ? [] : await rows.byIds([...ids])).map((row) => [row.id, row]))
  return objects.filter(({ key }) => {
    if (key.startsWith('.part/')) return !isOfUpload(key, used)
    const id = fileOf(key)
    return id !== null && !isClaimed(key, storage, found.get(id)) && !used.includes(key)
  })
}

const isOfUpload = (key: string, used: string): boolean => {
  const [name = ''] = /^[\da-f]{32}/u.exec(key.slice('.part/'.length)) ?? []
  return name !== '' && used.includes(name)
}

/** Variants belong to their file wherever its content lies; they are made again when they are missing. */
const isClaimed = (key: string, storage: string, row: FileObject | undefined): boolean =>
  row !== undefined && row.storage === storage && (row.key === key || isVariant(key))

/** Removes orphans, and answers how many those were. */
export async function sweep(
  options: SweepOptions,
  onRemoved: (removed: number) => void = () => undefined,
): Promise<number> {
  let removed = 0
  for await (const { storage, key } of orphans(options)) {
    await options.storages.at(storage)?.remove(key)
    removed += 1
    onRemoved(removed)
  }
  return removed
}
