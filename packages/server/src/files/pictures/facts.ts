import type { Readable } from 'node:stream'
import { createByteReader } from './byte-reader.ts'
import { exifGroups, orientationOf } from './exif.ts'
import type { PictureHeader } from './header.ts'
import { headerReaders, isPicture } from './header-readers.ts'
import { iptcGroup } from './iptc.ts'

export interface PictureFacts {
  /** Of the upright picture. */
  readonly width: number | null
  readonly height: number | null
  /** By group: `{"ifd0": {"Make": "…"}}`; null: nothing that the list allows. */
  readonly metadata: Readonly<Record<string, object>> | null
}

const nothing: PictureFacts = { width: null, height: null, metadata: null }

/** A storage that stops sending must not keep an upload waiting. */
const MOST_MILLISECONDS = 10_000

/**
 * What the header of a picture tells; pixels are never decoded. A header that cannot be read tells nothing, and it is no
 * failure: any bytes may be uploaded.
 */
export async function pictureFacts(
  type: string,
  open: () => Promise<Readable | null>,
  allowList: readonly string[],
): Promise<PictureFacts> {
  if (!isPicture(type)) return nothing
  const content = await open()
  if (content === null) return nothing
  const timer = setTimeout(() => content.destroy(new Error('reading the header took too long')), MOST_MILLISECONDS)
  try {
    return factsOf(await headerReaders[type]!(createByteReader(content)), allowList)
  } catch {
    return nothing
  } finally {
    clearTimeout(timer)
    content.on('error', () => {}).destroy()
  }
}

function factsOf(header: PictureHeader, allowList: readonly string[]): PictureFacts {
  const { width, height } = header
  if (!isSide(width) || !isSide(height)) return nothing
  const orientation = header.orientation ?? (header.exif === undefined ? 1 : orientationOf(header.exif))
  const metadata = allowedMetadata(header, allowList)
  return orientation >= 5 && orientation <= 8 ? { width: height, height: width, metadata } : { width, height, metadata }
}

/** Columns of the database hold no more. */
const isSide = (side: number): boolean => Number.isInteger(side) && side >= 1 && side <= 2 ** 31 - 1

/** Entries of the list are `group.Name`. */
function allowedMetadata({ exif, iptc }: PictureHeader, allowList: readonly string[]): PictureFacts['metadata'] {
  const groups: Readonly<Record<string, object>> = {
    ...(exif ? groupsOf(exif) : {}),
    ...(iptc ? { iptc: iptcGroup(iptc) } : {}),
  }
  const kept: Record<string, Record<string, unknown>> = {}
  for (const entry of allowList) {
    const [group, name] = entry.trim().split('.')
    if (group === undefined || name === undefined || !Object.hasOwn(groups, group)) continue
    const values = groups[group] as Readonly<Record<string, unknown>>
    const value = Object.hasOwn(values, name) ? plain(values[name]) : undefined
    if (value !== undefined) (kept[group] ??= {})[name] = value
  }
  return Object.keys(kept).length === 0 ? null : kept
}

const groupsOf = (exif: Buffer): ReturnType<typeof exifGroups> => {
  try {
    return exifGroups(exif)
  } catch {
    return {}
  }
}

const MOST_CHARACTERS = 2000
const MOST_VALUES = 100

/** A value as JSON has it, and no longer than anybody reads; undefined: there is none, or it is binary. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string') return value.replaceAll('\0', '').slice(0, MOST_CHARACTERS).toWellFormed().trim()
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  if (!Array.isArray(value) || value.length > MOST_VALUES) return undefined
  const values = value.map(plain)
  return values.includes(undefined) ? undefined : values
}
