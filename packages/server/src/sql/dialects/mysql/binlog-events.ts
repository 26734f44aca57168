import { inflateSync } from 'node:zlib'
import { byte, bytesOf, littleEndian, take, type Bytes } from './binlog-bytes.ts'

/** Events of the binary log by their number; others do not matter to a reader of rows. */
export const eventTypes = {
  query: 2,
  rotate: 4,
  variable: 5,
  random: 13,
  userVariable: 14,
  description: 15,
  commit: 16,
  beginLoad: 17,
  executeLoad: 18,
  tableMap: 19,
  insert: 23,
  update: 24,
  delete: 25,
  incident: 26,
  prepared: 38,
  transaction: 162,
  compressedQuery: 165,
  compressedInsert: 166,
  compressedUpdate: 167,
  compressedDelete: 168,
} as const

export const HEADER = 19

export interface EventHeader {
  /** Seconds since 1970; a file has the same in its description as long as it is kept. */
  readonly time: number
  readonly type: number
  readonly server: number
  /** Where the event ends in its file, in 32 bits; 0: it is in no file. */
  readonly end: number
}

export const readHeader = (event: Buffer): EventHeader => ({
  time: event.readUInt32LE(0),
  type: event.readUInt8(4),
  server: event.readUInt32LE(5),
  end: event.readUInt32LE(13),
})

/** The file that follows, and where in it. */
export const readRotation = (event: Buffer): { readonly file: string; readonly offset: number } => ({
  offset: Number(event.readBigUInt64LE(HEADER)),
  file: event.toString('utf8', HEADER + 8).replace(/\0.*$/su, ''),
})

const STANDALONE = 1
const COMPLETES_PREPARED = 128

/** What comes before everything that was committed together. */
export interface TransactionStart {
  readonly name: string
  /** One statement follows, and nothing that ends the transaction. */
  readonly isStandalone: boolean
  /** The statement that follows ends a transaction that was prepared before. */
  readonly completesPrepared: boolean
}

export function readTransactionStart(event: Buffer): TransactionStart {
  const sequence = event.readBigUInt64LE(HEADER)
  const domain = event.readUInt32LE(HEADER + 8)
  const flags = event.readUInt8(HEADER + 12)
  return {
    name: `${domain}-${event.readUInt32LE(5)}-${sequence}`,
    isStandalone: (flags & STANDALONE) !== 0,
    completesPrepared: (flags & COMPLETES_PREPARED) !== 0,
  }
}

/** The name of a prepared transaction as the statements that end it print it; null: it is committed with this event. */
export function readPrepared(event: Buffer): string | null {
  const bytes = bytesOf(event, HEADER)
  if (byte(bytes) === 1) return null
  const [format, global, branch] = [littleEndian(bytes, 4), littleEndian(bytes, 4), littleEndian(bytes, 4)]
  const hex = (length: number) => `X'${take(bytes, length).toString('hex')}'`
  return `${hex(global)},${hex(branch)},${format}`
}

/** With `log_bin_compress`: a byte with the length of the length, the length, and a stream of zlib. */
export function inflated(bytes: Bytes): Buffer {
  const { from, at } = bytes
  const head = from.readUInt8(at)
  if ((head & 0x70) !== 0) throw new TypeError('the log is compressed in an unknown way')
  return inflateSync(from.subarray(at + 1 + (head & 7)))
}

export interface LoggedStatement {
  readonly schema: string
  readonly text: string
}

export function readStatement(event: Buffer, isCompressed: boolean): LoggedStatement {
  const bytes = bytesOf(event, HEADER + 8)
  const schemaLength = byte(bytes)
  bytes.at += 2
  const statusLength = littleEndian(bytes, 2)
  bytes.at += statusLength
  const schema = take(bytes, schemaLength).toString()
  bytes.at += 1
  return { schema, text: (isCompressed ? inflated(bytes) : event.subarray(bytes.at)).toString() }
}
