import { constants } from 'node:fs'
import { lstat, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './folder.ts'
import { checkedKey, type Pieces, type PieceState, type PieceWriter } from './storage.ts'

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants

/** Pieces are written one after the other into one file, which gets its name at the end. */
export function localPieces(root: string, replace: (from: string, to: string) => Promise<void>): Pieces {
  const partOf = ({ name }: PieceState) => join(root, checkedKey(`.part/${name}`))

  async function openPart(state: PieceState): Promise<FileHandle> {
    await makeFolder(join(root, '.part'))
    return open(partOf(state), (state.size === 0 ? O_CREAT : 0) | O_NOFOLLOW | O_RDWR, 0o640)
  }

  async function resume(state: PieceState): Promise<PieceWriter> {
    const file = await openPart(state)
    let { size } = state
    return {
      async write(bytes) {
        for (let done = 0; done < bytes.length;) {
          const { bytesWritten } = await file.write(bytes, done, bytes.length - done, size)
          done += bytesWritten
          size += bytesWritten
        }
      },
      async settle() {
        await file.datasync()
        return { ...state, size }
      },
      close: () => file.close(),
    }
  }

  return {
    begin: (name, key) => ({ name, key, size: 0 }),
    resume,
    async finish(state) {
      const target = join(root, checkedKey(state.key))
      const arrived = await lstat(partOf(state)).catch(() => null)
      const isDone = arrived === null && (await lstat(target).catch(() => null))?.size === state.size
      if (isDone) return
      const file = await openPart(state)
      try {
        await file.truncate(state.size)
        await file.sync()
      } finally {
        await file.close()
      }
      await replace(partOf(state), target)
    },
    abort: (state) => rm(partOf(state), { force: true }),
  }
}
