import { existsSync, watch } from 'node:fs'

/** Editors write several files, and a file several times. */
const SETTLED = 100

/** Calls back after files below a folder have changed, one call at a time. */
export function watchFolder(folder: string, onChange: () => Promise<void>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  if (!existsSync(folder)) return async () => undefined
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name?.includes('node_modules') === true) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(onChange)
    }, SETTLED)
  })
  return async () => {
    clearTimeout(timer)
    watcher.close()
    await last
  }
}
