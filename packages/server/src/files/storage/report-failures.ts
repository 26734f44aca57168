import { Readable } from 'node:stream'
import { ServiceError } from '@tain/contract'
import type { Pieces, PieceWriter, Storage } from './storage.ts'

export const lostStorage = (cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The storage of files is not available.', { service: 'files' }, { cause })

/**
 * A storage whose failures become 503. The place and the reason go to `report` alone: callers learn neither. Content that
 * its sender fails to deliver is no failure of the storage.
 */
export function reportFailures(storage: Storage, report: (error: unknown) => void): Storage {
  const attempt: Attempt = async (work) => {
    try {
      return await work()
    } catch (error) {
      // A refusal of the content, or a defect of the service.
      if (error instanceof ServiceError || error instanceof TypeError) throw error
      report(error)
      throw lostStorage(error)
    }
  }
  return {
    ...storage,
    async write(key, content) {
      const source: Source = { failure: null }
      await attempt(async () => {
        try {
          await storage.write(key, Readable.from(followed(content, source), { objectMode: false }))
        } catch (error) {
          if (source.failure === null) throw error
        }
      })
      if (source.failure !== null) throw source.failure.error
    },
    read: (key, range) => attempt(() => storage.read(key, range)),
    size: (key) => attempt(() => storage.size(key)),
    move: (from, to) => attempt(() => storage.move(from, to)),
    remove: (key) => attempt(() => storage.remove(key)),
    presign: (key, content) => attempt(() => storage.presign(key, content)),
    pieces: reportPieces(storage.pieces, attempt),
  }
}

type Attempt = <T>(work: () => Promise<T>) => Promise<T>

const reportPieces = (pieces: Pieces, attempt: Attempt): Pieces => ({
  begin: pieces.begin,
  resume: async (state) => {
    const writer = await attempt(() => pieces.resume(state))
    return {
      write: (bytes) => attempt(() => writer.write(bytes)),
      settle: () => attempt(() => writer.settle()),
      close: () => attempt(() => writer.close()),
    } satisfies PieceWriter
  },
  finish: (state) => attempt(() => pieces.finish(state)),
  abort: (state) => attempt(() => pieces.abort(state)),
})

interface Source {
  failure: { readonly error: unknown } | null
}

/** A failed storage destroys the stream with its own error, so only the next chunk tells a failure of the sender. */
async function* followed(content: Readable, source: Source): AsyncGenerator<Buffer> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        source.failure = { error }
        throw error
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}
