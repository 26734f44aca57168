import { ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Engine } from '../../engine/engine.ts'
import type { FieldNamed } from '../../engine/write/import.ts'
import type { Origin } from '../../changes/change.ts'
import type { Payload } from '../../query/mutation.ts'
import { csvRows } from './csv.ts'
import { jsonRows } from './json.ts'

export interface Upload {
  readonly collection: string
  readonly content: AsyncIterable<Buffer>
  readonly fileName: string
  readonly mediaType: string
  readonly origin: Origin
  readonly isDryRun: boolean
}

export interface ImportLimits {
  readonly size: number
  readonly errors: number
}

type Format = (content: AsyncIterable<Buffer>, fieldNamed: FieldNamed) => AsyncIterable<Payload | ServiceError>

const byMediaType: ReadonlyMap<string, Format> = new Map([
  ['text/csv', csvRows],
  ['application/csv', csvRows],
  ['application/vnd.ms-excel', csvRows],
  ['application/json', jsonRows],
  ['text/json', jsonRows],
])

const byEnding: ReadonlyMap<string, Format> = new Map([
  ['csv', csvRows],
  ['json', jsonRows],
])

/** Media types that clients send for files of unknown type. */
const vague = new Set(['', 'application/octet-stream', 'text/plain'])

function formatOf({ mediaType, fileName }: Upload): Format {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const ending = /\.(\w+)$/u.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const format = byMediaType.get(type) ?? (vague.has(type) ? byEnding.get(ending) : undefined)
  if (format !== undefined) return format
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Files are imported as CSV or JSON.', { mediaType, where: 'import' })
}

/** Imports all rows of a file as items, or none. The file is read at the speed of the database. */
export function importFile(
  upload: Upload,
  actor: Actor,
  engine: Engine,
  { size, errors }: ImportLimits,
): Promise<number> {
  const format = formatOf(upload)
  return engine.importRows(actor, {
    collection: upload.collection,
    rows: (fieldNamed) => format(limited(upload.content, size), fieldNamed),
    origin: upload.origin,
    isDryRun: upload.isDryRun,
    maxErrors: errors,
  })
}

async function* limited(content: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) throw new ServiceError('CONTENT_TOO_LARGE')
    yield chunk
  }
}
