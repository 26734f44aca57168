import { Buffer } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { tooLarge, type Row } from '../../driver.ts'

/** Receives the rows of the running statement; `query` is undefined while none runs. */
export interface RowSink {
  readonly query: RunningQuery | undefined
}

interface RunningQuery {
  readonly rows: Row[]
  readonly mostBytes: number
  /** Bytes received so far. */
  bytes: number
  /** Statements of the message that have been run. */
  completed: number
}

const HEADER = 5
const DATA_ROW = 0x44
const COMMAND_COMPLETE = 0x43

/** Messages that are ignored while a statement runs: parse, bind and close complete, no data, command complete. */
const UNHEEDED = new Set([0x31, 0x32, 0x33, 0x6e, COMMAND_COMPLETE])

/** Above this length, the runtime's decoder is faster than a check of each byte. */
const SHORT_FIELD = 192

/** A chunk assembled for one large message is not made a string as a whole: a short field would keep it in memory. */
const LARGE_CHUNK = 262_144

/**
 * Reads data rows directly from the socket and forwards only the messages that node-postgres must handle. Its parser
 * decodes every field with a call into the runtime. Slicing short fields from one string for the whole chunk takes a
 * fifth of the time, and fields are most of the cost of a list. `onBroken` fails the running statement and drops the
 * connection.
 */
export function readRows(stream: Duplex, sink: RowSink, onBroken: (error: unknown) => void): void {
  // The check of the driver has found exactly one listener.
  const forward = stream.listeners('data')[0] as (chunk: Buffer) => void
  stream.off('data', forward)

  let parts: Buffer[] = []
  let missing = 0
  let isBroken = false

  // An exception here would end the process: nothing above a socket listener catches it.
  stream.on('data', (chunk: Buffer) => {
    if (isBroken) return
    try {
      receive(chunk)
    } catch (error) {
      isBroken = true
      parts = []
      onBroken(error)
    }
  })

  function receive(chunk: Buffer): void {
    if (parts.length === 0) {
      readChunk(chunk)
      return
    }
    // A message larger than a chunk is assembled once, when all of it has arrived.
    parts.push(chunk)
    missing -= chunk.length
    if (missing > 0) return
    const whole = Buffer.concat(parts)
    parts = []
    readChunk(whole)
  }

  function readChunk(chunk: Buffer): void {
    const end = chunk.length
    let position = 0
    let text = ''
    while (position + HEADER <= end) {
      const next = position + 1 + readInt32(chunk, position + 1)
      if (next > end) break
      const code = chunk[position]!
      const { query } = sink
      if (query !== undefined && code === DATA_ROW) {
        query.bytes += next - position
        if (query.bytes > query.mostBytes) throw tooLarge(query.mostBytes)
        if (text === '' && end < LARGE_CHUNK) text = chunk.toString('latin1')
        query.rows.push(readRow(chunk, text, position + HEADER))
      } else if (query === undefined || !UNHEEDED.has(code)) {
        forward.call(stream, chunk.subarray(position, next))
      } else if (code === COMMAND_COMPLETE) query.completed += 1
      position = next
    }
    if (position < end) keep(chunk, position)
  }

  function keep(chunk: Buffer, position: number): void {
    const rest = chunk.subarray(position)
    const length = rest.length < HEADER ? HEADER : 1 + readInt32(rest, 1)
    const { query } = sink
    // A row that is too large is refused by its header, before it fills the memory.
    if (query !== undefined && rest[0] === DATA_ROW && query.bytes + length > query.mostBytes)
      throw tooLarge(query.mostBytes)
    parts = [rest]
    missing = length - rest.length
  }
}

function readRow(chunk: Buffer, text: string, start: number): Row {
  const count = (chunk[start]! << 8) | chunk[start + 1]!
  const row: (string | null)[] = []
  let position = start + 2
  for (let index = 0; index < count; index++) {
    const length = readInt32(chunk, position)
    position += 4
    if (length < 0) {
      row.push(null)
      continue
    }
    const end = position + length
    row.push(readText(chunk, text, position, end))
    position = end
  }
  return row
}

function readText(chunk: Buffer, text: string, start: number, end: number): string {
  const isCut = text !== '' && end - start <= SHORT_FIELD && isAscii(chunk, start, end)
  return isCut ? text.slice(start, end) : chunk.toString('utf8', start, end)
}

function isAscii(chunk: Buffer, start: number, end: number): boolean {
  let bits = 0
  for (let position = start; position < end; position++) bits |= chunk[position]!
  return bits < 0x80
}

function readInt32(bytes: Buffer, position: number): number {
  return (bytes[position]! << 24) | (bytes[position + 1]! << 16) | (bytes[position + 2]! << 8) | bytes[position + 3]!
}
