import type { ByteReader } from './byte-reader.ts'
import { avifHeader } from './header-avif.ts'
import { jpegHeader } from './header-jpeg.ts'
import { gifHeader, pngHeader } from './header-png-gif.ts'
import { tiffHeader } from './header-tiff.ts'
import { webpHeader } from './header-webp.ts'
import type { PictureHeader } from './header.ts'

/** A reader per type. It throws on a header that it cannot read. */
export const headerReaders: Readonly<Record<string, (bytes: ByteReader) => Promise<PictureHeader>>> = {
  'image/jpeg': jpegHeader,
  'image/png': pngHeader,
  'image/gif': gifHeader,
  'image/webp': webpHeader,
  'image/tiff': tiffHeader,
  'image/avif': avifHeader,
}

export const isPicture = (type: string | null): type is string => type !== null && Object.hasOwn(headerReaders, type)
