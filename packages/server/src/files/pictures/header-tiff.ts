import { HeaderError, type ByteReader } from './byte-reader.ts'
import type { PictureHeader } from './header.ts'
import { endianOf, readEntries } from './ifd.ts'

const [WIDTH, HEIGHT, ORIENTATION] = [256, 257, 274]
const METADATA_BYTES = 256 * 1024

/** The first directory may stand anywhere in the file, often behind the pixels. */
export async function tiffHeader(bytes: ByteReader): Promise<PictureHeader> {
  const start = await bytes.take(8)
  const endian = endianOf(start)
  if (endian === null || endian.u16(start, 2) !== 42) throw new HeaderError('no TIFF')
  const at = endian.u32(start, 4)
  await bytes.skip(at - bytes.position())
  const count = endian.u16(await bytes.take(2), 0)
  const numbers = new Map(readEntries(await bytes.take(count * 12), endian).map(({ tag, number }) => [tag, number]))
  const [width, height] = [numbers.get(WIDTH), numbers.get(HEIGHT)]
  if (typeof width !== 'number' || typeof height !== 'number') throw new HeaderError('no size')
  const beginning = await bytes.first(METADATA_BYTES)
  return {
    width,
    height,
    orientation: numbers.get(ORIENTATION) ?? 1,
    ...(at + 2 + count * 12 <= beginning.length ? { exif: beginning } : {}),
  }
}
