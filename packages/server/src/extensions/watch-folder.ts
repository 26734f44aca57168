import { readdirSync, watch, type Dirent, type FSWatcher } from 'node:fs'
import { join } from 'node:path'

/** Editors write several files, and a file several times. */
const SETTLED = 100

/**
 * Calls back after files below a folder have changed, one call at a time. Each folder has its own watcher: on Linux, a
 * recursive watcher of Node loses a file once an editor has saved it by renaming another file over it.
 */
export function watchFolder(folder: string, onChange: () => Promise<void>): () => Promise<void> {
  let watchers: readonly FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()

  function follow(): void {
    for (const watcher of watchers) watcher.close()
    watchers = foldersFrom(folder).flatMap((path) => watcherOf(path, notice) ?? [])
  }

  function notice(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // New folders are watched before they are read, so no change falls in between.
      follow()
      last = last.then(onChange)
    }, SETTLED)
  }

  follow()
  return async () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
    await last
  }
}

/** The folder and those below it. Packages are not loaded again. */
const foldersFrom = (folder: string): readonly string[] => [
  folder,
  ...entriesOf(folder)
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap(({ name }) => foldersFrom(join(folder, name))),
]

/** A folder can be removed at any time; the folder above it notices that. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function watcherOf(folder: string, notice: () => void): FSWatcher | null {
  try {
    return watch(folder, notice).on('error', () => undefined)
  } catch {
    return null
  }
}
