import { setTimeout as pause } from 'node:timers/promises'
import { between, type Failpoints } from '../lib/failpoint.ts'
import type { Observe } from '../observe.ts'
import type { FileObject } from './file-object.ts'
import type { FileRows } from './file-rows.ts'
import { variantPrefix } from './object-key.ts'
import type { Storages } from './storage/storages.ts'

/** Takes objects away that belong to no row any more. What it cannot do, the daily sweep does. */
export interface Removals {
  /** Of deleted rows, with all variants; in the background. */
  readonly ofRows: (objects: readonly FileObject[]) => void
  /** Of content that was replaced, with its variants: later ones are of the new content. */
  readonly ofContent: (object: FileObject) => Promise<void>
  /** Of content that no row was made for. Objects that a row has after all stay. */
  readonly unlessKept: (objects: readonly FileObject[]) => Promise<void>
  /** Waits for what runs in the background. */
  readonly settled: () => Promise<void>
}

const TRIES = 4
const FIRST_PAUSE = 250

export interface RemovalParts {
  readonly storages: Storages
  readonly rows: Pick<FileRows, 'kept'>
  readonly observe: Observe
  readonly failpoints: Failpoints | null
}

export function createRemovals({ storages, rows, observe, failpoints }: RemovalParts): Removals {
  const running = new Set<Promise<void>>()

  const remove = async (objects: readonly FileObject[]): Promise<void> => {
    // It is uncertain whether a failed commit was one: what a row has stays.
    const kept = await rows.kept(objects)
    const left = objects.filter(({ key }) => key === null || !kept.has(key))
    await removeObjects(left, storages)
    await removeVariants(objects, storages)
  }

  const patiently = async (objects: readonly FileObject[]): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await between(failpoints, 'files.before-remove', 'files.after-remove', () => remove(objects))
      } catch (error) {
        if (tries >= TRIES) return observe({ kind: 'objects-left', count: objects.length, error })
        await pause(FIRST_PAUSE * 4 ** (tries - 1), undefined, { ref: false })
      }
    }
  }

  const inBackground = (objects: readonly FileObject[]) => {
    if (objects.length === 0) return
    const work = patiently(objects).finally(() => running.delete(work))
    running.add(work)
  }

  return {
    ofRows: inBackground,
    async ofContent(object) {
      try {
        await between(failpoints, 'files.before-remove', 'files.after-remove', () => remove([object]))
      } catch {
        inBackground([object])
      }
    },
    async unlessKept(objects) {
      if (objects.length === 0) return
      try {
        const kept = await rows.kept(objects)
        await removeObjects(
          objects.filter(({ key }) => key === null || !kept.has(key)),
          storages,
        )
      } catch (error) {
        observe({ kind: 'objects-left', count: objects.length, error })
      }
    },
    settled: async () => void (await Promise.all(running)),
  }
}

async function removeObjects(objects: readonly FileObject[], storages: Storages): Promise<void> {
  for (const { storage, key } of objects) if (key !== null) await storages.at(storage)?.remove(key)
}

async function removeVariants(objects: readonly FileObject[], storages: Storages): Promise<void> {
  for (const storage of new Set(objects.map((object) => object.storage))) {
    const prefixes = new Set(objects.filter((each) => each.storage === storage).map(({ id }) => variantPrefix(id)))
    const [only] = prefixes
    const place = storages.at(storage)
    if (place === undefined || only === undefined) continue
    // One walk through the storage for all of them.
    const prefix = prefixes.size === 1 ? only : ''
    for await (const { key } of place.list(prefix)) if (prefixes.has(key.slice(0, only.length))) await place.remove(key)
  }
}
