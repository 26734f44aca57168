import { inflateRawSync, inflateSync } from 'node:zlib'
import { littleEndian, type Bytes } from './binlog-bytes.ts'
import type { Decode } from './binlog-charsets.ts'
import { readDecimal, sizeOfDecimal } from './binlog-decimal.ts'
import { readFixed } from './binlog-fixed.ts'
import { geoJson } from './binlog-geometry.ts'
import { BINARY, columnTypes as t, type LogColumn } from './binlog-table.ts'
import * as times from './binlog-times.ts'

const fractionBytes = (digits: number) => (digits + 1) >> 1

/** How many bytes a value has, with its length if the log has that. */
export function skip(bytes: Bytes, { type, meta }: LogColumn): void {
  switch (type) {
    case t.tiny:
    case t.year:
      bytes.at += 1
      return
    case t.short:
      bytes.at += 2
      return
    case t.medium:
    case t.date:
    case t.newDate:
    case t.oldTime:
      bytes.at += 3
      return
    case t.long:
    case t.float:
    case t.oldTimestamp:
      bytes.at += 4
      return
    case t.longLong:
    case t.double:
    case t.oldDateTime:
      bytes.at += 8
      return
    case t.timestamp:
      bytes.at += 4 + fractionBytes(meta)
      return
    case t.dateTime:
      bytes.at += 5 + fractionBytes(meta)
      return
    case t.time:
      bytes.at += 3 + fractionBytes(meta)
      return
    case t.decimal:
      bytes.at += sizeOfDecimal(meta >> 8, meta & 0xff)
      return
    case t.enum:
    case t.set:
      bytes.at += meta
      return
    case t.bit:
      bytes.at += (meta >> 8) + ((meta & 0xff) > 0 ? 1 : 0)
      return
    default: {
      const length = littleEndian(bytes, lengthSize(type, meta))
      bytes.at += length
    }
  }
}

function lengthSize(type: number, meta: number): number {
  switch (type) {
    case t.varchar:
    case t.varString:
    case t.string:
    case t.compressedVarchar:
      return meta > 255 ? 2 : 1
    case t.blob:
    case t.geometry:
    case t.compressedBlob:
      return meta
    default:
      throw new TypeError(`the log has a column of the unknown type ${type}`)
  }
}

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`

function integer(value: Buffer, isUnsigned: boolean): string {
  if (value.length === 8) return String(isUnsigned ? value.readBigUInt64LE() : value.readBigInt64LE())
  return String(isUnsigned ? value.readUIntLE(0, value.length) : value.readIntLE(0, value.length))
}

const numberText = (number: number): string => (Object.is(number, -0) ? '-0' : String(number).replace('e+', 'e'))

/** The fewest digits that lead back to the same number. */
function floatText(number: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(number.toPrecision(digits))
    if (Math.fround(short) === number) return numberText(short)
  }
  return numberText(Number(number.toPrecision(9)))
}

function year(value: Buffer): string | null {
  const years = value.readUInt8()
  // The service shows the year 0 as NULL.
  return years === 0 ? null : String(years + 1900)
}

function labelsIn(value: Buffer, { type, labels, collation }: LogColumn, decode: Decode): string | undefined {
  const bits = value.reduceRight((sum, each) => (sum << 8n) | BigInt(each), 0n)
  const chosen = (labels ?? []).filter((_, index) =>
    type === t.enum ? bits === BigInt(index + 1) : ((bits >> BigInt(index)) & 1n) === 1n,
  )
  const shown = chosen.map((label) => decode(label, collation ?? 0))
  return shown.includes(undefined) ? undefined : shown.join(',')
}

/** A value of a column with COMPRESSED: a byte that says how, the length, a stream of zlib. */
function decompressed(value: Buffer): Buffer | undefined {
  const head = value[0] ?? 0
  if (head === 0) return value.subarray(1)
  const stream = value.subarray(1 + (head & 7))
  try {
    return (head & 8) === 0 ? inflateSync(stream) : inflateRawSync(stream)
  } catch {
    return undefined
  }
}

function text(value: Buffer, column: LogColumn, decode: Decode): string | undefined {
  const { type, meta, collation, fixed } = column
  if (collation !== BINARY) return decode(value, collation ?? 0)
  if (type !== t.string) return hex(value)
  // Zeros at the end are not in the log.
  const whole = Buffer.concat([value, Buffer.alloc(Math.max(0, meta - value.length))])
  return fixed === null ? hex(whole) : readFixed(whole, fixed)
}

/** A value as a flat read of the service returns it; undefined: it cannot be read here. */
export function readValue(bytes: Bytes, column: LogColumn, decode: Decode): string | null | undefined {
  const { type, meta, isUnsigned } = column
  const start = bytes.at
  skip(bytes, column)
  const value = bytes.from.subarray(start, bytes.at)
  switch (type) {
    case t.tiny:
    case t.short:
    case t.medium:
    case t.long:
    case t.longLong:
      return integer(value, isUnsigned)
    case t.float:
      return floatText(value.readFloatLE())
    case t.double:
      return numberText(value.readDoubleLE())
    case t.decimal:
      return readDecimal(value, meta >> 8, meta & 0xff)
    case t.year:
      return year(value)
    case t.bit:
      return BigInt(`0x${value.toString('hex')}`).toString()
    case t.enum:
    case t.set:
      return labelsIn(value, column, decode)
    case t.date:
    case t.newDate:
      return times.date(value)
    case t.time:
      return times.time(value, meta)
    case t.dateTime:
      return times.dateTime(value, meta)
    case t.timestamp:
      return times.timestamp(value, meta)
    case t.oldTime:
    case t.oldDateTime:
    case t.oldTimestamp:
      return undefined
    default:
  }
  const content = value.subarray(lengthSize(type, meta))
  if (type === t.geometry) return geoJson(content)
  const isCompressed = type === t.compressedBlob || type === t.compressedVarchar
  const plain = isCompressed ? decompressed(content) : content
  return plain === undefined ? undefined : text(plain, column, decode)
}
