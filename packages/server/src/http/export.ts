import { Readable } from 'node:stream'
import { exportFormats, type ExportFormat } from '@tain/contract'
import type { FastifyReply } from 'fastify'
import type { Stream } from '../engine/engine.ts'
import { writersOf } from './export-formats.ts'

const two = (number: number) => String(number).padStart(2, '0')

function fileName(collection: string, format: ExportFormat, now: Date): string {
  const date = `${now.getUTCFullYear()}${two(now.getUTCMonth() + 1)}${two(now.getUTCDate())}`
  const time = `${two(now.getUTCHours())}${two(now.getUTCMinutes())}${two(now.getUTCSeconds())}`
  return `${collection} ${date}-${time}.${exportFormats[format].extension}`
}

/** Names may hold anything; the plain form is for old clients, the encoded one is exact. */
const disposition = (name: string) =>
  `attachment; filename="${name.replace(/[^\w .-]/gu, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

/** Rows go out as they come in: one batch in memory, whatever the size of the answer. */
export async function sendExport(
  reply: FastifyReply,
  stream: Stream,
  collection: string,
  format: ExportFormat,
): Promise<void> {
  const batches = stream.batches[Symbol.asyncIterator]()
  // The first batch before the first header: what fails at once fails with a status.
  const first = await batches.next()
  const { open, row, close } = writersOf(format, stream.cells)

  async function* pieces(): AsyncGenerator<string> {
    yield open
    let index = 0
    try {
      for (let next = first; next.done !== true; next = await batches.next()) {
        let text = ''
        for (const values of next.value) {
          text += row(values, index)
          index += 1
        }
        if (text !== '') yield text
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
