import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Makes a folder; true unless its parent is missing. */
async function madeInParent(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o750 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return true
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** With its parents. Node's recursive mkdir never returns where the parent exists and takes no folder, as in /proc. */
export async function makeFolder(path: string): Promise<void> {
  if (await madeInParent(path)) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path, { mode: 0o750 }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
}

/** Writes a file to the folder and removes it. In place of a missing folder, its nearest parent has to take the file. */
export async function probeFolder(path: string): Promise<void> {
  const isMissing = await lstat(path).then(
    () => false,
    (error: unknown) => hasCode(error, 'ENOENT'),
  )
  if (isMissing && dirname(path) !== path) return probeFolder(dirname(path))
  const probe = join(path, `probe-${randomUUID()}`)
  const file = await open(probe, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o640)
  try {
    // Removed while it is open, so that a process that is killed meanwhile leaves no file.
    await rm(probe)
    await file.write('probe')
    await file.sync()
  } finally {
    await file.close()
  }
}
