import readExif from 'exif-reader'
import { directoryAt, endianOf, type Entry } from './ifd.ts'

const [ORIENTATION, EXIF, GPS, INTEROPERABILITY] = [0x0112, 0x8769, 0x8825, 0xa005]
const MOST_ENTRIES = 1000

const numberOf = (entries: readonly Entry[], wanted: number): number | null =>
  entries.find(({ tag }) => tag === wanted)?.number ?? null

const bare = (exif: Buffer): Buffer => (exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)

/** 1 to 8, as EXIF counts; 1 is upright. */
export function orientationOf(exif: Buffer): number {
  const bytes = bare(exif)
  const endian = endianOf(bytes)
  if (endian === null || bytes.length < 8) return 1
  const orientation = numberOf(directoryAt(bytes, endian.u32(bytes, 4), endian), ORIENTATION)
  return orientation !== null && orientation >= 1 && orientation <= 8 ? orientation : 1
}

/** The groups of EXIF under the names of the list of allowed metadata. */
export function exifGroups(exif: Buffer): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const bytes = bare(exif)
  if (!isModest(bytes)) return {}
  const { Image, Thumbnail, Photo, GPSInfo, Iop } = readExif(bytes)
  const groups = { ifd0: Image, ifd1: Thumbnail, exif: Photo, gps: GPSInfo, interop: Iop }
  return Object.fromEntries(Object.entries(groups).flatMap(([name, group]) => (group ? [[name, group]] : [])))
}

/** Entries may share their values: a small block can describe gigabytes, which must not be built. */
function isModest(bytes: Buffer): boolean {
  const endian = endianOf(bytes)
  if (endian === null || bytes.length < 8) return false
  const first = endian.u32(bytes, 4)
  const image = directoryAt(bytes, first, endian)
  const nextAt = first + 2 + image.length * 12
  const next = nextAt + 4 <= bytes.length ? endian.u32(bytes, nextAt) : 0
  const photo = directoryAt(bytes, numberOf(image, EXIF) ?? 0, endian)
  const all = [
    ...image,
    ...directoryAt(bytes, next, endian),
    ...photo,
    ...directoryAt(bytes, numberOf(image, GPS) ?? 0, endian),
    ...directoryAt(bytes, numberOf(photo, INTEROPERABILITY) ?? 0, endian),
  ]
  const described = all.reduce((sum, { size }) => sum + size, 0)
  return image.length > 0 && all.length <= MOST_ENTRIES && described <= 2 * bytes.length
}
