import { HeaderError, type ByteReader } from './byte-reader.ts'
import type { PictureHeader } from './header.ts'

const HAS_EXIF = 8

export async function webpHeader(bytes: ByteReader): Promise<PictureHeader> {
  const start = await bytes.take(30)
  if (start.toString('latin1', 0, 4) !== 'RIFF' || start.toString('latin1', 8, 12) !== 'WEBP')
    throw new HeaderError('no WebP')
  const kind = start.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return { width: start.readUInt16LE(26) & 0x3fff, height: start.readUInt16LE(28) & 0x3fff }
  if (kind === 'VP8L') return losslessSize(start)
  if (kind !== 'VP8X') throw new HeaderError('no size')
  const size = { width: start.readUIntLE(24, 3) + 1, height: start.readUIntLE(27, 3) + 1 }
  if ((start[20]! & HAS_EXIF) === 0) return size
  const exif = await webpExif(bytes).catch(() => null)
  return exif === null ? size : { ...size, exif }
}

function losslessSize(start: Buffer): PictureHeader {
  const bits = start.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** EXIF stands behind the pixels. Chunks are padded to an even length. */
async function webpExif(bytes: ByteReader): Promise<Buffer> {
  for (;;) {
    const chunk = await bytes.take(8)
    const length = chunk.readUInt32LE(4)
    if (chunk.toString('latin1', 0, 4) === 'EXIF') return bytes.take(length)
    await bytes.skip(length + (length % 2))
  }
}
