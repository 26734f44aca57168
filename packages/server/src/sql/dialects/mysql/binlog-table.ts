import { byte, bytesOf, isSet, littleEndian, packed, take, type Bytes } from './binlog-bytes.ts'
import { HEADER } from './binlog-events.ts'

/** Types of columns by their number in the log. */
export const columnTypes = {
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  oldTimestamp: 7,
  longLong: 8,
  medium: 9,
  date: 10,
  oldTime: 11,
  oldDateTime: 12,
  year: 13,
  newDate: 14,
  varchar: 15,
  bit: 16,
  timestamp: 17,
  dateTime: 18,
  time: 19,
  compressedBlob: 140,
  compressedVarchar: 141,
  decimal: 246,
  enum: 247,
  set: 248,
  blob: 252,
  varString: 253,
  string: 254,
  geometry: 255,
} as const

const t = columnTypes

/** Types that the log has as bytes of a fixed length. */
export type FixedKind = 'uuid' | 'inet6' | 'inet4' | 'unreadable'

export interface LogColumn {
  readonly name: string
  readonly type: number
  /** Depends on the type: length, digits, bytes of the length. */
  readonly meta: number
  readonly isUnsigned: boolean
  /** The number of its collation; null: the type has none. */
  readonly collation: number | null
  /** Of enum and set, as bytes in that collation. */
  readonly labels: readonly Buffer[] | null
  readonly fixed: FixedKind | null
}

/** A table as the log describes it, before each statement that changes its rows. */
export interface LogTable {
  readonly schema: string
  readonly name: string
  /** null: the log has no names, for want of binlog_row_metadata. */
  readonly columns: readonly LogColumn[] | null
}

export const tableId = (event: Buffer): number => event.readUIntLE(HEADER, 6)

/** The description without the number of the table, which is another one after each restart. */
export const descriptionIn = (event: Buffer): Buffer => event.subarray(HEADER + 6)

const numbers: ReadonlySet<number> = new Set([
  t.tiny,
  t.short,
  t.long,
  t.float,
  t.double,
  t.longLong,
  t.medium,
  // Other readers leave years out, and take the signs of all columns after them for those of others.
  t.year,
  t.decimal,
])
const texts: ReadonlySet<number> = new Set([
  t.varchar,
  t.compressedBlob,
  t.compressedVarchar,
  t.blob,
  t.varString,
  t.string,
  t.geometry,
])

type Shape = Pick<LogColumn, 'type' | 'meta'>

function shapeOf(type: number, bytes: Bytes): Shape {
  switch (type) {
    case t.float:
    case t.double:
    case t.timestamp:
    case t.dateTime:
    case t.time:
    case t.blob:
    case t.compressedBlob:
    case t.geometry:
      return { type, meta: byte(bytes) }
    case t.varchar:
    case t.varString:
    case t.compressedVarchar:
    case t.bit:
      return { type, meta: littleEndian(bytes, 2) }
    case t.decimal:
      return { type, meta: (byte(bytes) << 8) | byte(bytes) }
    case t.string: {
      const [real, length] = [byte(bytes), byte(bytes)]
      // Two bits of a long length are in the number of the type.
      return (real & 0x30) === 0x30
        ? { type: real, meta: length }
        : { type: real | 0x30, meta: length | (((real & 0x30) ^ 0x30) << 4) }
    }
    default:
      return { type, meta: 0 }
  }
}

/** What binlog_row_metadata=FULL adds, by its number. */
const members = {
  signs: 1,
  textDefault: 2,
  textEach: 3,
  names: 4,
  setLabels: 5,
  enumLabels: 6,
  labelDefault: 10,
  labelEach: 11,
} as const

function listOf<T>(bytes: Buffer | undefined, read: (bytes: Bytes) => T): T[] {
  const found: T[] = []
  if (bytes === undefined) return found
  for (const rest = bytesOf(bytes); rest.at < bytes.length;) found.push(read(rest))
  return found
}

const nameIn = (bytes: Bytes) => take(bytes, packed(bytes))
const labelsIn = (bytes: Bytes) => Array.from({ length: packed(bytes) }, () => nameIn(bytes))

/** Collations of some columns, in their order: one of each, or a default and exceptions. */
function collationsOf(fallback: Buffer | undefined, each: Buffer | undefined): (index: number) => number | null {
  if (fallback === undefined) {
    const all = listOf(each, packed)
    return (index) => all[index] ?? null
  }
  const [first = 0, ...exceptions] = listOf(fallback, packed)
  const byIndex = new Map<number, number>()
  for (let at = 0; at + 1 < exceptions.length; at += 2) byIndex.set(exceptions[at] ?? 0, exceptions[at + 1] ?? 0)
  return (index) => byIndex.get(index) ?? first
}

function columnsOf(shapes: readonly Shape[], rest: Bytes): readonly LogColumn[] | null {
  const found = new Map<number, Buffer>()
  while (rest.at < rest.from.length) found.set(byte(rest), nameIn(rest))
  const names = listOf(found.get(members.names), nameIn)
  if (names.length !== shapes.length) return null
  const signs = found.get(members.signs) ?? Buffer.alloc(0)
  const textCollation = collationsOf(found.get(members.textDefault), found.get(members.textEach))
  const labelCollation = collationsOf(found.get(members.labelDefault), found.get(members.labelEach))
  const labels = {
    [t.set]: listOf(found.get(members.setLabels), labelsIn),
    [t.enum]: listOf(found.get(members.enumLabels), labelsIn),
  }
  const seen = { number: 0, text: 0, label: 0 }
  return shapes.map(({ type, meta }, index) => {
    const own = type === t.set || type === t.enum ? (labels[type].shift() ?? []) : null
    const sign = numbers.has(type) ? seen.number++ : null
    return {
      name: names[index]?.toString() ?? '',
      type,
      meta,
      // The first column has the highest bit.
      isUnsigned: sign !== null && ((signs[sign >> 3] ?? 0) & (0x80 >> (sign & 7))) !== 0,
      collation: own !== null ? labelCollation(seen.label++) : texts.has(type) ? textCollation(seen.text++) : null,
      labels: own,
      fixed: null,
    }
  })
}

export function readTable(event: Buffer): LogTable {
  const bytes = bytesOf(event, HEADER + 8)
  const nextName = () => {
    const name = take(bytes, byte(bytes)).toString()
    bytes.at += 1
    return name
  }
  const [schema, name] = [nextName(), nextName()]
  const types = take(bytes, packed(bytes))
  const shapeBytes = bytesOf(nameIn(bytes))
  const shapes = Array.from(types, (type) => shapeOf(type, shapeBytes))
  // Which columns may be NULL.
  bytes.at += (types.length + 7) >> 3
  return { schema, name, columns: columnsOf(shapes, bytes) }
}

/** Whether a column may be of a type that the log does not name. */
export const mayBeFixed = ({ type, meta, collation }: LogColumn): boolean =>
  type === t.string && collation === BINARY && (meta === 16 || meta === 4)

export const BINARY = 63

/** Which of the columns a row has. */
export const presentIn = (bitmap: Buffer, columns: readonly LogColumn[]): readonly LogColumn[] =>
  columns.filter((_, index) => isSet(bitmap, index))
