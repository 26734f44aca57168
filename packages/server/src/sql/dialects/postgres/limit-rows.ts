import { Buffer } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { tooLarge } from '../../driver.ts'
import type { RowSink } from './rows.ts'

const HEADER = 5
const DATA_ROW = 0x44
const NONE: Buffer = Buffer.alloc(0)

/**
 * Counts the bytes of rows by the headers of their messages, before node-postgres reads them. Its parser throws on a cell
 * over 512 MiB, in a listener where nothing catches the exception. `onBroken` fails the running statement and drops the
 * connection.
 */
export function limitRows(stream: Duplex, sink: RowSink, onBroken: (error: unknown) => void): void {
  /** The beginning of a header that the chunk has cut. */
  let cut: Buffer = NONE
  /** Bytes until the next header. */
  let skip = 0
  let isBroken = false

  stream.prependListener('data', (chunk: Buffer) => {
    if (isBroken) return
    const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk])
    let position = skip
    while (position + HEADER <= bytes.length) {
      const length = 1 + bytes.readUInt32BE(position + 1)
      if (bytes[position] === DATA_ROW) count(length)
      position += length
    }
    skip = Math.max(0, position - bytes.length)
    cut = position < bytes.length ? bytes.subarray(position) : NONE
  })

  function count(length: number): void {
    const { query } = sink
    if (query === undefined || isBroken) return
    query.bytes += length
    if (query.bytes <= query.mostBytes) return
    isBroken = true
    onBroken(tooLarge(query.mostBytes))
  }
}
