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
  /** Objects whose key begins so, in no order. */
  readonly list: (prefix: string) => AsyncIterable<StoredObject>
}

export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly modified: Date
}

/** Keys are flat names, those of unfinished uploads in a folder of their own. */
const KEY = /^(?:\.part\/)?[\w-][\w.-]*$/u

export function checkedKey(key: string): string {
  if (!KEY.test(key) || key.length > 200) throw new Error(`not a key of a storage: ${JSON.stringify(key)}`)
  return key
}
