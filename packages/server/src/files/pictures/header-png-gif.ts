import { HeaderError, type ByteReader } from './byte-reader.ts'
import type { PictureHeader } from './header.ts'

const PNG = Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1')

export async function pngHeader(bytes: ByteReader): Promise<PictureHeader> {
  if (!(await bytes.take(8)).equals(PNG)) throw new HeaderError('no PNG')
  const start = await bytes.take(25)
  if (start.toString('latin1', 4, 8) !== 'IHDR') throw new HeaderError('no size')
  const size = { width: start.readUInt32BE(8), height: start.readUInt32BE(12) }
  const exif = await pngExif(bytes).catch(() => null)
  return exif === null ? size : { ...size, exif }
}

/** The chunk `eXIf` stands before the pixels; behind them nobody looks. */
async function pngExif(bytes: ByteReader): Promise<Buffer | null> {
  for (;;) {
    const chunk = await bytes.take(8)
    const length = chunk.readUInt32BE(0)
    const kind = chunk.toString('latin1', 4, 8)
    if (kind === 'eXIf') return bytes.take(length)
    if (kind === 'IDAT' || kind === 'IEND') return null
    await bytes.skip(length + 4)
  }
}

export async function gifHeader(bytes: ByteReader): Promise<PictureHeader> {
  const start = await bytes.take(10)
  if (!/^GIF8[79]a$/u.test(start.toString('latin1', 0, 6))) throw new HeaderError('no GIF')
  return { width: start.readUInt16LE(6), height: start.readUInt16LE(8) }
}
