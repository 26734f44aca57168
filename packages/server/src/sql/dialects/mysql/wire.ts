import type { Buffer } from 'node:buffer'
import { tooLarge, type Row } from '../../driver.ts'

/** The parts of mysql2 that its typings leave out. */
export interface Packet {
  readonly buffer: Buffer
  /** Where the packet begins and ends in the buffer. */
  readonly start: number
  readonly end: number
  isEOF(): boolean
  eofWarningCount(): number
  readLengthCodedString(encoding: string): string | null
  readLengthCodedBuffer(): Buffer | null
}

interface Field {
  readonly columnType: number
  readonly characterSet: number
}

type State = (this: Command, packet: Packet, connection: unknown) => State | null

export interface Command {
  readField: State
  done(): null
}

/** Where mysql2 stores the number of columns of a result. */
const COUNT = '_fieldCount'

const countOf = (command: Command): number => (command as unknown as Readonly<Record<string, number>>)[COUNT] ?? 0

/** A column description has names of any length, followed by twelve bytes: character set, length, type and more. */
const CHARACTER_SET = -12
const TYPE = -6

const fieldOf = ({ buffer, end }: Packet): Field => ({
  columnType: buffer.readUInt8(end + TYPE),
  characterSet: buffer.readUInt16LE(end + CHARACTER_SET),
})

const BINARY = 63
const BIT = 16
const FIRST_BLOB = 249

type Read = (packet: Packet) => string | null

const hex = (bytes: Buffer | null) => (bytes === null ? null : `\\x${bytes.toString('hex')}`)

const bits = (bytes: Buffer | null) => (bytes === null ? null : BigInt(`0x${bytes.toString('hex') || '0'}`).toString())

/** Every value is already text, except bytes, which are given in the format of PostgreSQL. */
function readerOf({ columnType, characterSet }: Field): Read {
  if (columnType === BIT) return (packet) => bits(packet.readLengthCodedBuffer())
  return characterSet === BINARY && columnType >= FIRST_BLOB
    ? (packet) => hex(packet.readLengthCodedBuffer())
    : (packet) => packet.readLengthCodedString('utf8')
}

export interface Received {
  warnings: number
}

/**
 * Reads a command's rows itself: every value as text, and the number of warnings. mysql2 would convert values to
 * numbers, dates and buffers, and drop the count. An error thrown here fails the command and drops the connection:
 * mysql2 catches it.
 */
export function receive(command: Command, onRow: (row: Row) => void, mostBytes: number, isAddedUp: boolean): Received {
  const received: Received = { warnings: 0 }
  const readers: Read[] = []
  let bytes = 0

  const row: State = function (packet) {
    if (packet.isEOF()) {
      received.warnings = packet.eofWarningCount()
      return this.done()
    }
    bytes = (isAddedUp ? bytes : 0) + packet.end - packet.start
    if (bytes > mostBytes) throw tooLarge(mostBytes)
    onRow(readers.map((read) => read(packet)))
    return row
  }
  const afterFields: State = () => row
  command.readField = function field(packet) {
    readers.push(readerOf(fieldOf(packet)))
    return readers.length < countOf(this) ? field : afterFields
  }
  return received
}
