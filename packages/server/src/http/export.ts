import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { exportFormats, type ExportFormat } from '@tain/contract'
import type { FastifyReply } from 'fastify'
import type { Stream } from '../engine/read.ts'
import { writersOf } from './export-formats.ts'

/** Characters written per turn of the event loop. */
const PIECE = 64 * 1024

const two = (number: number) => String(number).padStart(2, '0')

function fileName(collection: string, format: ExportFormat, now: Date): string {
  const date = `${now.getUTCFullYear()}${two(now.getUTCMonth() + 1)}${two(now.getUTCDate())}`
  const time = `${two(now.getUTCHours())}${two(now.getUTCMinutes())}${two(now.getUTCSeconds())}`
  return `${collection} ${date}-${time}.${exportFormats[format].extension}`
}

/** Names may contain any character; the plain form is for old clients, the encoded one is exact. */
const disposition = (name: string) =>
  `attachment; filename="${name.replace(/[^\w .-]/gu, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

/** Streams rows as they arrive: at most two batches are in memory, independent of the result size. */
export async function sendExport(
  reply: FastifyReply,
  stream: Stream,
  collection: string,
  format: ExportFormat,
): Promise<void> {
  const batches = stream.batches[Symbol.asyncIterator]()
  // Fetches the first batch before sending headers, so that an early error still gets its status.
  const first = await batches.next()
  const { open, row, close } = writersOf(format, stream.cells)

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
        current = await following
      }
    } finally {
      await batches.return?.()
    }
    yield close
  }

  void reply
    .header('content-type', exportFormats[format].type)
    .header('content-disposition', disposition(fileName(collection, format, new Date())))
    .send(Readable.from(pieces(), { objectMode: false, highWaterMark: 64 * 1024 }))
}
