/** The image file directories of TIFF, which EXIF uses, too. */
export interface Endian {
  readonly u16: (bytes: Buffer, at: number) => number
  readonly u32: (bytes: Buffer, at: number) => number
}

const little: Endian = { u16: (bytes, at) => bytes.readUInt16LE(at), u32: (bytes, at) => bytes.readUInt32LE(at) }
const big: Endian = { u16: (bytes, at) => bytes.readUInt16BE(at), u32: (bytes, at) => bytes.readUInt32BE(at) }

export function endianOf(bytes: Buffer): Endian | null {
  const order = bytes.toString('latin1', 0, 2)
  if (order === 'II') return little
  return order === 'MM' ? big : null
}

export interface Entry {
  readonly tag: number
  /** The length of its values in bytes. */
  readonly size: number
  /** A single number of 16 or 32 bits; null: anything else. */
  readonly number: number | null
}

const BYTES_OF_TYPE = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
const [SHORT, LONG] = [3, 4]

/** The entries of a directory, twelve bytes each. */
export function readEntries(bytes: Buffer, endian: Endian): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + 12 <= bytes.length; at += 12) {
    const type = endian.u16(bytes, at + 2)
    const count = endian.u32(bytes, at + 4)
    const number =
      count === 1 && type === SHORT
        ? endian.u16(bytes, at + 8)
        : count === 1 && type === LONG
          ? endian.u32(bytes, at + 8)
          : null
    entries.push({ tag: endian.u16(bytes, at), size: count * (BYTES_OF_TYPE[type] ?? 0), number })
  }
  return entries
}

/** The entries of the directory that begins at an offset; none where it does not fit. */
export function directoryAt(bytes: Buffer, at: number, endian: Endian): Entry[] {
  if (at < 8 || at + 2 > bytes.length) return []
  const end = at + 2 + endian.u16(bytes, at) * 12
  return end > bytes.length ? [] : readEntries(bytes.subarray(at + 2, end), endian)
}
