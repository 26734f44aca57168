import { HeaderError, type ByteReader } from './byte-reader.ts'
import type { PictureHeader } from './header.ts'

interface Box {
  readonly kind: string
  readonly content: Buffer
}

/** The box `meta` describes the picture; its pixels lie elsewhere. */
export async function avifHeader(bytes: ByteReader): Promise<PictureHeader> {
  const meta = await metaBox(bytes)
  const boxes = boxesIn(meta.subarray(4))
  const properties = boxesIn(childOf(boxesIn(childOf(boxes, 'iprp')), 'ipco'))
  const own = propertiesOfPrimary(boxes, properties)
  const size = own.find(({ kind }) => kind === 'ispe')?.content
  if (size === undefined || size.length < 12) throw new HeaderError('no size')
  const turns = own.find(({ kind }) => kind === 'irot')?.content[0] ?? 0
  const isTurned = turns % 2 === 1
  return { width: size.readUInt32BE(4), height: size.readUInt32BE(8), orientation: isTurned ? 6 : 1 }
}

async function metaBox(bytes: ByteReader): Promise<Buffer> {
  for (;;) {
    const start = await bytes.take(8)
    const isLong = start.readUInt32BE(0) === 1
    const length = isLong ? Number((await bytes.take(8)).readBigUInt64BE(0)) - 16 : start.readUInt32BE(0) - 8
    const kind = start.toString('latin1', 4, 8)
    if (bytes.position() === 8 && kind !== 'ftyp') throw new HeaderError('no AVIF')
    if (kind === 'meta') return bytes.take(length)
    await bytes.skip(length)
  }
}

function boxesIn(content: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= content.length;) {
    const length = content.readUInt32BE(at)
    if (length < 8) break
    boxes.push({ kind: content.toString('latin1', at + 4, at + 8), content: content.subarray(at + 8, at + length) })
    at += length
  }
  return boxes
}

function childOf(boxes: readonly Box[], kind: string): Buffer {
  const box = boxes.find((one) => one.kind === kind)
  if (box === undefined) throw new HeaderError(`no ${kind}`)
  return box.content
}

/** The properties that belong to the primary item. Others belong to thumbnails, tiles and the alpha channel. */
function propertiesOfPrimary(boxes: readonly Box[], properties: readonly Box[]): Box[] {
  const primary = childOf(boxes, 'pitm')
  const id = primary[0] === 0 ? primary.readUInt16BE(4) : primary.readUInt32BE(4)
  const associations = childOf(boxesIn(childOf(boxes, 'iprp')), 'ipma')
  const [idBytes, indexBytes] = [associations[0]! < 1 ? 2 : 4, (associations[3]! & 1) === 1 ? 2 : 1]
  for (let at = 8; at + idBytes < associations.length;) {
    const item = associations.readUIntBE(at, idBytes)
    const count = associations[at + idBytes]!
    at += idBytes + 1
    if (item === id) return Array.from({ length: count }, (_, n) => propertyAt(at + n * indexBytes)).flat()
    at += count * indexBytes
  }
  throw new HeaderError('no properties')

  /** The highest bit says that the property is essential; indexes begin at one. */
  function propertyAt(at: number): Box[] {
    const index = associations.readUIntBE(at, indexBytes) & (indexBytes === 2 ? 0x7fff : 0x7f)
    return properties.slice(index - 1, index)
  }
}
