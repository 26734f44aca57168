import { Buffer } from 'node:buffer'
import type { Bind, Statement } from '../../driver.ts'
import { isLong, wireNameOf, type PreparedStatements } from './prepared-statements.ts'

/** The protocol counts parameters in 16 bits. */
export const MAX_VALUES = 65_535

const SCRATCH_SIZE = 16_384

// All connections share one encoder: a message is written in one go and then copied out.
let scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE)
let at = 0

const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])
const EXECUTE_SYNC = Buffer.concat([EXECUTE, SYNC])
const BEGIN = encodeBegin()

/** Statements in the same message as another one. If one fails, those behind it do not run. */
export interface Around {
  readonly before: readonly Statement[]
  readonly after: readonly Statement[]
  /** The last statement of the message only tells something: all others have succeeded even if it fails. */
  readonly isLastOptional: boolean
}

/**
 * Encodes all messages of one statement in one buffer, for a single write: closes, begin, parse, bind, execute, sync.
 * There is no describe: rows are read as text by position, which saves both sides the column descriptions.
 */
export function encodeStatement(
  prepared: PreparedStatements,
  outgoing: (text: string) => string,
  statement: Statement,
  begins: boolean,
  around?: Around,
): Buffer {
  at = 0
  const { text } = statement
  const wireName = wireNameOf(prepared, outgoing, statement)
  if (prepared.closing.length > 0) writeCloses(prepared)
  if (begins) writeBytes(BEGIN)
  if (around !== undefined) for (const each of around.before) writeUnnamed(each, outgoing)
  if (wireName === '' || prepared.parsing !== undefined) writeParse(wireName, outgoing(text))
  writeBind(wireName, statement.values)
  if (around !== undefined && around.after.length > 0) {
    writeBytes(EXECUTE)
    for (const each of around.after) writeUnnamed(each, outgoing)
    writeBytes(SYNC)
  } else if (isLong(text)) {
    // Without this close, the server would keep the statement until the next unnamed one.
    writeBytes(EXECUTE)
    writeClose('')
    writeBytes(SYNC)
  } else writeBytes(EXECUTE_SYNC)
  return takeMessage()
}

function writeUnnamed({ text, values }: Statement, outgoing: (text: string) => string): void {
  writeParse('', outgoing(text))
  writeBind('', values)
  writeBytes(EXECUTE)
}

function writeCloses(prepared: PreparedStatements): void {
  for (const wireName of prepared.closing) writeClose(wireName)
  prepared.closing.length = 0
}

function writeClose(wireName: string): void {
  const start = openMessage(0x43)
  writeByte(0x53)
  writeCString(wireName)
  closeMessage(start)
}

function writeParse(wireName: string, text: string): void {
  const start = openMessage(0x50)
  writeCString(wireName)
  writeCString(text)
  writeInt16(0)
  closeMessage(start)
}

function writeBind(wireName: string, values: readonly Bind[]): void {
  const start = openMessage(0x42)
  writeByte(0)
  writeCString(wireName)
  // No format codes: parameters and columns are all text.
  writeInt16(0)
  writeInt16(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (value === null || value === undefined) writeInt32(-1)
    else if (typeof value === 'string') writeValue(value)
    else if (typeof value === 'bigint') writeValue(String(value))
    else writeValue(arrayLiteral(value))
  }
  writeInt16(0)
  closeMessage(start)
}

function arrayLiteral(values: readonly (string | null)[]): string {
  return `{${values.map(arrayElement).join(',')}}`
}

function arrayElement(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

function encodeBegin(): Buffer {
  at = 0
  writeParse('', 'begin')
  writeBind('', [])
  writeBytes(EXECUTE)
  return takeMessage()
}

function takeMessage(): Buffer {
  if (scratch.length === SCRATCH_SIZE) {
    const message = Buffer.allocUnsafe(at)
    scratch.copy(message, 0, 0, at)
    return message
  }
  // A large message keeps its grown buffer; the next message starts with a small one.
  const message = scratch.subarray(0, at)
  scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE)
  return message
}

function reserve(bytes: number): void {
  if (at + bytes <= scratch.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, at + bytes))
  scratch.copy(larger, 0, 0, at)
  scratch = larger
}

function openMessage(code: number): number {
  reserve(5)
  scratch[at] = code
  at += 5
  return at - 4
}

function closeMessage(start: number): void {
  putInt32(start, at - start)
}

function writeByte(value: number): void {
  reserve(1)
  scratch[at++] = value
}

function writeInt16(value: number): void {
  reserve(2)
  scratch[at++] = value >>> 8
  scratch[at++] = value
}

function writeInt32(value: number): void {
  reserve(4)
  putInt32(at, value)
  at += 4
}

function putInt32(position: number, value: number): void {
  scratch[position] = value >>> 24
  scratch[position + 1] = value >>> 16
  scratch[position + 2] = value >>> 8
  scratch[position + 3] = value
}

function writeBytes(bytes: Buffer): void {
  reserve(bytes.length)
  for (let index = 0; index < bytes.length; index++) scratch[at + index] = bytes[index]!
  at += bytes.length
}

function writeCString(text: string): void {
  writeText(text)
  writeByte(0)
}

function writeValue(text: string): void {
  reserve(4)
  const start = at
  at += 4
  writeText(text)
  putInt32(start, at - start - 4)
}

/** Writes short ASCII text (keys, numbers, names) by hand: the call into the runtime costs more than the bytes. */
function writeText(text: string): void {
  const { length } = text
  // At most three bytes for each UTF-16 unit.
  reserve(length * 3)
  if (length < 32) {
    let index = 0
    for (; index < length; index++) {
      const unit = text.charCodeAt(index)
      if (unit > 0x7f) break
      scratch[at + index] = unit
    }
    if (index === length) {
      at += length
      return
    }
  }
  at += scratch.write(text, at, 'utf8')
}
