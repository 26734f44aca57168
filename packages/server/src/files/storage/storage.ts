import type { Readable } from 'node:stream'
import type { ByteRange } from '../byte-range.ts'

/**
 * A place for objects: bytes under a key. Keys are made by the service, never by callers. An object appears whole or not
 * at all, and stays when the machine loses power.
 */
export interface Storage {
  /** Stores all bytes of `content` and replaces what was there. If it fails, or `content` does, nothing changes. */
  readonly write: (key: string, content: Readable) => Promise<void>
  /** The bytes, or a part of them; null: there is no such object. */
  readonly read: (key: string, range?: ByteRange) => Promise<Readable | null>
  readonly size: (key: string) => Promise<number | null>
  /** An object takes the place of another one at once. */
  readonly move: (from: string, to: string) => Promise<void>
  /** An object that is not there is no failure. */
  readonly remove: (key: string) => Promise<void>
  /** Objects whose key begins so, in no order; unfinished ones only if the prefix says so. */
  readonly list: (prefix: string) => AsyncIterable<StoredObject>
  /** An address where a client may put the object itself; null: clients cannot reach this storage. */
  readonly presign: (key: string, content: PresignedContent) => Promise<PresignedPut | null>
  /** Objects that arrive over many requests. */
  readonly pieces: Pieces
  /** Fails if objects cannot be written. Leaves nothing. */
  readonly probe: () => Promise<void>
  readonly close: () => void
}

export interface PresignedContent {
  readonly size: number
  readonly type: string
  /** In seconds. */
  readonly expiresIn: number
}

export interface PresignedPut {
  readonly url: string
  /** What the client has to send along. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * What has arrived of an object, as JSON that the caller keeps. Bytes that no kept state knows of do not count: they are
 * overwritten by the next piece.
 */
export interface PieceState {
  /** Of the upload; it is a part of the keys of what has arrived. */
  readonly name: string
  /** Where the object will be. */
  readonly key: string
  readonly size: number
  /** In a bucket: the upload there with its parts, and how many bytes wait for more because they are too few for a part. */
  readonly bucket?: BucketUpload
}

export interface BucketUpload {
  readonly id: string | null
  readonly parts: readonly string[]
  readonly tail: number
}

export interface Pieces {
  readonly begin: (name: string, key: string) => PieceState
  /** For one piece. */
  readonly resume: (state: PieceState) => Promise<PieceWriter>
  /** The object appears under its key. May be repeated if nobody knows whether it succeeded. */
  readonly finish: (state: PieceState) => Promise<void>
  /** Nothing of it stays. */
  readonly abort: (state: PieceState) => Promise<void>
}

export interface PieceWriter {
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Waits until everything written is safe, and tells the state that contains it. */
  readonly settle: () => Promise<PieceState>
  readonly close: () => Promise<void>
}

export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly modified: Date
}

/** Keys are flat names, those of unfinished uploads in a folder of their own. */
const KEY = /^(?:\.part\/)?[\w-][\w.-]*$/u

export function checkedKey(key: string): string {
  if (!KEY.test(key) || key.length > 200) throw new TypeError(`not a key of a storage: ${JSON.stringify(key)}`)
  return key
}
