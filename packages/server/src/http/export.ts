import { Readable } from 'node:stream'
import { exportFormats, type ExportFormat } from '@tain/contract'
import type { FastifyReply } from 'fastify'
import type { Stream } from '../engine/read.ts'
import { exportPieces } from '../system/export/export.ts'

const two = (number: number) => String(number).padStart(2, '0')

function fileName(collection: string, format: ExportFormat, now: Date): string {
  const date = `${now.getUTCFullYear()}${two(now.getUTCMonth() + 1)}${two(now.getUTCDate())}`
  const time = `${two(now.getUTCHours())}${two(now.getUTCMinutes())}${two(now.getUTCSeconds())}`
  return `${collection} ${date}-${time}.${exportFormats[format].extension}`
}

/** Names may contain any character; the plain form is for old clients, the encoded one is exact. */
const disposition = (name: string) =>
  `attachment; filename="${name.replace(/[^\w .-]/gu, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

/** An early error still gets its status, because the first batch is read before headers are sent. */
export async function sendExport(
  reply: FastifyReply,
  stream: Stream,
  collection: string,
  format: ExportFormat,
): Promise<void> {
  const pieces = await exportPieces(stream, format)
  void reply
    .header('content-type', exportFormats[format].type)
    .header('content-disposition', disposition(fileName(collection, format, new Date())))
    .send(Readable.from(pieces, { objectMode: false, highWaterMark: 64 * 1024 }))
}
