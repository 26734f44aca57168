/** Reads numbers and texts one after another. */
export interface Bytes {
  readonly from: Buffer
  at: number
}

export const bytesOf = (from: Buffer, at = 0): Bytes => ({ from, at })

export function take(bytes: Bytes, length: number): Buffer {
  bytes.at += length
  return bytes.from.subarray(bytes.at - length, bytes.at)
}

export const byte = (bytes: Bytes): number => bytes.from.readUInt8(bytes.at++)

export function littleEndian(bytes: Bytes, length: number): number {
  bytes.at += length
  return length === 0 ? 0 : bytes.from.readUIntLE(bytes.at - length, length)
}

/** A number of one to nine bytes, as the protocol packs lengths. */
export function packed(bytes: Bytes): number {
  const first = byte(bytes)
  if (first < 251) return first
  if (first === 252) return littleEndian(bytes, 2)
  if (first === 253) return littleEndian(bytes, 3)
  bytes.at += 8
  return Number(bytes.from.readBigUInt64LE(bytes.at - 8))
}

/** Bits of a bitmap whose first bit is the lowest of the first byte. */
export const isSet = (bitmap: Buffer, index: number): boolean => (((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1
