import type { OutsideCells } from '../../outside.ts'

/** A table as the log describes it, before its first change in a connection and again when it has changed. */
export interface LogRelation {
  readonly schema: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly isKey: boolean }[]
}

/** Messages of pgoutput, protocol version 1. Values are texts in the form of the session. */
export type LogMessage =
  | { readonly kind: 'begin'; readonly transaction: number }
  | { readonly kind: 'commit'; readonly end: string; readonly time: number }
  | { readonly kind: 'relation'; readonly id: number; readonly relation: LogRelation }
  | { readonly kind: 'create'; readonly id: number; readonly after: OutsideCells }
  | {
      readonly kind: 'update'
      readonly id: number
      readonly before: OutsideCells | null
      readonly isBeforeWhole: boolean
      readonly after: OutsideCells
    }
  | { readonly kind: 'delete'; readonly id: number; readonly before: OutsideCells; readonly isBeforeWhole: boolean }
  | { readonly kind: 'truncate'; readonly ids: readonly number[] }
  | { readonly kind: 'other' }

const letter = (text: string) => text.charCodeAt(0)
const INSERT = letter('I')
const UPDATE = letter('U')
const DELETE = letter('D')
const NEW = letter('N')
const KEY = letter('K')
const NULL = letter('n')
const UNCHANGED = letter('u')
const TEXT = letter('t')
/** Milliseconds from 1970 to 2000. */
const EPOCH = 946_684_800_000

interface Bytes {
  readonly from: Buffer
  at: number
}

const byte = (bytes: Bytes): number => bytes.from.readUInt8(bytes.at++)

function int16(bytes: Bytes): number {
  bytes.at += 2
  return bytes.from.readInt16BE(bytes.at - 2)
}

function int32(bytes: Bytes): number {
  bytes.at += 4
  return bytes.from.readInt32BE(bytes.at - 4)
}

function int64(bytes: Bytes): bigint {
  bytes.at += 8
  return bytes.from.readBigInt64BE(bytes.at - 8)
}

function text(bytes: Bytes): string {
  const end = bytes.from.indexOf(0, bytes.at)
  const found = bytes.from.toString('utf8', bytes.at, end)
  bytes.at = end + 1
  return found
}

export const logPosition = (number: bigint): string =>
  `${(number >> 32n).toString(16).toUpperCase()}/${(number & 0xff_ff_ff_ffn).toString(16).toUpperCase()}`

export const positionNumber = (position: string): bigint => {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** `only`: the row is a key, and its other columns are empty places. */
function cells(bytes: Bytes, { columns }: LogRelation, only: boolean): OutsideCells {
  const row: Record<string, string | null | undefined> = Object.create(null) as Record<string, string | null>
  const count = int16(bytes)
  for (let index = 0; index < count; index += 1) {
    const { name, isKey } = columns[index] ?? { name: '', isKey: false }
    const kind = byte(bytes)
    let value: string | null | undefined
    if (kind === TEXT) {
      const length = int32(bytes)
      value = bytes.from.toString('utf8', bytes.at, bytes.at + length)
      bytes.at += length
    } else if (kind === NULL) value = null
    else if (kind !== UNCHANGED) throw new TypeError(`the log has a value of the unknown kind ${kind}`)
    if (!only || isKey) row[name] = value
  }
  return row
}

function relation(bytes: Bytes): LogMessage {
  const id = int32(bytes)
  const [schema, name] = [text(bytes), text(bytes)]
  // The replica identity: rows say by themselves whether they are whole.
  byte(bytes)
  const columns = Array.from({ length: int16(bytes) }, () => {
    const isKey = (byte(bytes) & 1) === 1
    const column = { name: text(bytes), isKey }
    bytes.at += 8
    return column
  })
  return { kind: 'relation', id, relation: { schema: schema === '' ? 'pg_catalog' : schema, name, columns } }
}

function update(bytes: Bytes, id: number, known: LogRelation): LogMessage {
  let what = byte(bytes)
  let before: OutsideCells | null = null
  const isBeforeWhole = what !== NEW && what !== KEY
  if (what !== NEW) {
    before = cells(bytes, known, what === KEY)
    what = byte(bytes)
  }
  const after: Record<string, string | null | undefined> = cells(bytes, known, false)
  // A long value that did not change is told with the row before only, if at all.
  if (before !== null && isBeforeWhole)
    for (const [name, value] of Object.entries(after)) if (value === undefined) after[name] = before[name]
  return { kind: 'update', id, before, isBeforeWhole, after }
}

/** Reads messages in the order of the log; `relations` has the tables that were described so far. */
export function readMessage(message: Buffer, relations: Map<number, LogRelation>): LogMessage {
  const bytes: Bytes = { from: message, at: 1 }
  const known = (id: number): LogRelation => {
    const found = relations.get(id)
    if (found === undefined) throw new TypeError('the log has a change of a table that it has not described')
    return found
  }
  switch (String.fromCharCode(message[0] ?? 0)) {
    case 'B':
      bytes.at += 16
      return { kind: 'begin', transaction: int32(bytes) >>> 0 }
    case 'C': {
      bytes.at += 9
      const end = logPosition(BigInt.asUintN(64, int64(bytes)))
      return { kind: 'commit', end, time: Number(int64(bytes) / 1000n) + EPOCH }
    }
    case 'R': {
      const described = relation(bytes)
      if (described.kind === 'relation') relations.set(described.id, described.relation)
      return described
    }
    case 'I': {
      const id = int32(bytes)
      byte(bytes)
      return { kind: 'create', id, after: cells(bytes, known(id), false) }
    }
    case 'U': {
      const id = int32(bytes)
      return update(bytes, id, known(id))
    }
    case 'D': {
      const id = int32(bytes)
      const isKey = byte(bytes) === KEY
      return { kind: 'delete', id, before: cells(bytes, known(id), isKey), isBeforeWhole: !isKey }
    }
    case 'T': {
      const count = int32(bytes)
      byte(bytes)
      return { kind: 'truncate', ids: Array.from({ length: count }, () => int32(bytes)) }
    }
    default:
      return { kind: 'other' }
  }
}

/** The table of a message about one row, without reading the row; null for other messages. */
export function tableOf(message: Buffer): number | null {
  const kind = message[0]
  return kind === INSERT || kind === UPDATE || kind === DELETE ? message.readInt32BE(1) : null
}

export const isInsert = (message: Buffer): boolean => message[0] === INSERT
