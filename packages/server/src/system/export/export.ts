import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExportFormat } from '@tain/contract'
import type { Stream } from '../../engine/read.ts'
import { writersOf } from './formats.ts'

/** Characters written per turn of the event loop. */
const PIECE = 64 * 1024

/**
 * Writes rows as they arrive: at most two batches are in memory, independent of the result size. The first batch is
 * fetched before this returns, so that a caller learns of an early error before it sends anything.
 */
export async function exportPieces(
  { cells, batches: found }: Stream,
  format: ExportFormat,
  onRows: (written: number) => void = () => undefined,
): Promise<AsyncGenerator<string>> {
  const batches = found[Symbol.asyncIterator]()
  const first = await batches.next()
  const { open, row, close } = writersOf(format, cells)

  async function* pieces(): AsyncGenerator<string> {
    yield open
    let index = 0
    try {
      let current = first
      while (current.done !== true) {
        // The database reads on while this batch is written and sent.
        const following = batches.next()
        // Prevents an unhandled rejection: with a slow client, the `await` below may come much later.
        following.catch(() => undefined)
        let text = ''
        for (const values of current.value) {
          text += row(values, index)
          index += 1
          if (text.length < PIECE) continue
          yield text
          text = ''
          // A batch of wide rows takes long to write; other requests get a turn in between.
          await nextTurn()
        }
        if (text !== '') yield text
        onRows(index)
        current = await following
      }
    } finally {
      await batches.return?.()
    }
    yield close
  }

  return pieces()
}
