import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { invalidPayload, ServiceError } from '@tain/contract'
import { countStreamed } from '../lib/buffer-collection.ts'
import { contentTypeOf, isAllowedType } from './content-type.ts'
import { pictureFacts, type PictureFacts } from './pictures/facts.ts'
import { lostStorage } from './storage/report-failures.ts'
import type { Storage } from './storage/storage.ts'
import type { Storages } from './storage/storages.ts'

/** Content that lies in a storage, whole. */
export interface StoredContent extends PictureFacts {
  readonly storage: string
  readonly key: string
  readonly size: number
  /** SHA-256 in hexadecimal. */
  readonly checksum: string
  readonly type: string
}

/** What callers say of content. */
export interface Claim {
  readonly name: string
  /** The media type; null: none was given. */
  readonly type: string | null
}

export interface ContentLimits {
  /** null: any size. */
  readonly size: number | null
  readonly types: readonly string[]
  /** Entries of EXIF and IPTC that are kept. */
  readonly metadata: readonly string[]
}

export interface Contents {
  /** Stores content while it arrives. Nothing stays if it fails. */
  readonly receive: (content: AsyncIterable<Buffer>, reception: Reception) => Promise<StoredContent>
  /** Reads content that already lies in a storage. */
  readonly examine: (at: { readonly storage: string; readonly key: string }, claim: Claim) => Promise<StoredContent>
  /** Refuses a type that may not be brought in. */
  readonly checkType: (type: string) => void
  readonly limits: ContentLimits
}

export interface Reception {
  readonly storage: string
  readonly claim: Claim
  readonly keyOf: (type: string) => string
  /** Runs before a byte is stored. */
  readonly check: (type: string) => Promise<void>
  /** Instead of the general limit. */
  readonly limit?: number | null
}

/** The first bytes decide on the type. */
const HEAD = 4096

export const tooLargeFile = (limit: number): ServiceError =>
  new ServiceError('CONTENT_TOO_LARGE', `The file is larger than the ${limit} bytes that are allowed.`, {
    maxSize: limit,
  })

export function createContents(storages: Storages, limits: ContentLimits): Contents {
  const at = (name: string): Storage => {
    const storage = storages.at(name)
    if (storage === undefined) throw lostStorage()
    return storage
  }

  const checkType = (type: string) => {
    if (!isAllowedType(type, limits.types)) throw invalidPayload(`Files of the type "${type}" are not accepted here`)
  }

  const facts = (type: string, storage: Storage, key: string): Promise<PictureFacts> =>
    pictureFacts(type, () => storage.read(key), limits.metadata)

  return {
    limits,
    checkType,
    async receive(content, { storage: name, claim, keyOf, check, limit = limits.size }) {
      const storage = at(name)
      const source = content[Symbol.asyncIterator]()
      const head = await readHead(source)
      const type = await contentTypeOf(head, claim.type, claim.name)
      checkType(type)
      await check(type)
      const key = keyOf(type)
      const sum = { hash: createHash('sha256'), size: 0 }
      await storage.write(key, Readable.from(counted(head, source, sum, limit), { objectMode: false }))
      try {
        const found = await facts(type, storage, key)
        return { storage: name, key, size: sum.size, checksum: sum.hash.digest('hex'), type, ...found }
      } catch (error) {
        await storage.remove(key)
        throw error
      }
    },
    async examine({ storage: name, key }, claim) {
      const storage = at(name)
      const content = await storage.read(key)
      if (content === null) throw lostStorage()
      const source = (content as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
      const head = await readHead(source)
      const sum = { hash: createHash('sha256'), size: 0 }
      for await (const _ of counted(head, source, sum, null));
      const type = await contentTypeOf(head, claim.type, claim.name)
      return {
        storage: name,
        key,
        size: sum.size,
        checksum: sum.hash.digest('hex'),
        type,
        ...(await facts(type, storage, key)),
      }
    },
  }
}

async function readHead(source: AsyncIterator<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let size = 0; size < HEAD;) {
    const { value, done } = await source.next()
    if (done === true) break
    pieces.push(value)
    size += value.length
  }
  return Buffer.concat(pieces)
}

async function* counted(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  sum: { readonly hash: Hash; size: number },
  limit: number | null,
): AsyncGenerator<Buffer> {
  let piece: Buffer | undefined = head
  while (piece !== undefined) {
    sum.size += piece.length
    if (limit !== null && sum.size > limit) throw tooLargeFile(limit)
    sum.hash.update(piece)
    countStreamed(piece.length)
    if (piece.length > 0) yield piece
    const next: IteratorResult<Buffer> = await rest.next()
    piece = next.done === true ? undefined : next.value
  }
}
