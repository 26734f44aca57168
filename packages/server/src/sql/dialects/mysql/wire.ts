import type { Buffer } from 'node:buffer'
import type { Row } from '../../driver.ts'

/** The parts of mysql2 that its typings leave out. */
export interface Packet {
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

/** Where mysql2 keeps the descriptions of a command's columns. */
const FIELDS = '_fields'

const fieldsOf = (command: Command): readonly Field[] =>
  (command as unknown as Readonly<Record<string, readonly (readonly Field[])[]>>)[FIELDS]?.[0] ?? []

const BINARY = 63
const BIT = 16
const FIRST_BLOB = 249

type Read = (packet: Packet) => string | null

const hex = (bytes: Buffer | null) => (bytes === null ? null : `\\x${bytes.toString('hex')}`)

const bits = (bytes: Buffer | null) => (bytes === null ? null : BigInt(`0x${bytes.toString('hex') || '0'}`).toString())

/** Everything is text already, but for bytes, which are given as PostgreSQL gives them. */
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
 * Reads a command's rows itself: every value as text, and how many warnings there were. mysql2 would make numbers, dates
 * and buffers of them, and drop the count.
 */
export function receive(command: Command, onRow: (row: Row) => void): Received {
  const received: Received = { warnings: 0 }
  const { readField } = command
  let readers: readonly Read[] = []

  const row: State = function (packet) {
    if (packet.isEOF()) {
      received.warnings = packet.eofWarningCount()
      return this.done()
    }
    onRow(readers.map((read) => read(packet)))
    return row
  }
  const afterFields: State = function () {
    readers = fieldsOf(this).map(readerOf)
    return row
  }
  command.readField = function field(packet, connection) {
    const next = readField.call(this, packet, connection)
    return next === readField ? field : afterFields
  }
  return received
}
