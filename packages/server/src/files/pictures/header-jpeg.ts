import { HeaderError, type ByteReader } from './byte-reader.ts'
import type { PictureHeader } from './header.ts'

const EXIF = 'Exif\0\0'
const PHOTOSHOP = 'Photoshop 3.0\0'

/** Segments up to the frame, which has the size. EXIF and IPTC stand before it. */
export async function jpegHeader(bytes: ByteReader): Promise<PictureHeader> {
  if ((await bytes.take(2)).readUInt16BE(0) !== 0xffd8) throw new HeaderError('no JPEG')
  const found: { exif?: Buffer; iptc?: Buffer } = {}
  for (;;) {
    const marker = await nextMarker(bytes)
    if (isStandalone(marker)) continue
    if (marker === 0xda || marker === 0xd9) throw new HeaderError('no size')
    const length = (await bytes.take(2)).readUInt16BE(0) - 2
    if (isFrame(marker)) {
      const frame = await bytes.take(5)
      return { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1), ...found }
    }
    if (marker === 0xe1 || marker === 0xed) keep(await bytes.take(length), found)
    else await bytes.skip(length)
  }
}

/** Any number of 0xFF may stand before a marker. */
async function nextMarker(bytes: ByteReader): Promise<number> {
  if ((await bytes.take(1))[0] !== 0xff) throw new HeaderError('no marker')
  for (;;) {
    const marker = (await bytes.take(1))[0]!
    if (marker !== 0xff) return marker
  }
}

const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function keep(segment: Buffer, found: { exif?: Buffer; iptc?: Buffer }): void {
  if (found.exif === undefined && segment.toString('latin1', 0, EXIF.length) === EXIF)
    found.exif = segment.subarray(EXIF.length)
  if (found.iptc !== undefined || segment.toString('latin1', 0, PHOTOSHOP.length) !== PHOTOSHOP) return
  const iptc = resourceOf(segment.subarray(PHOTOSHOP.length), 0x0404)
  if (iptc !== null) found.iptc = iptc
}

/** Photoshop's resources: `8BIM`, number, a name of even length with its length byte, length, data of even length. */
function resourceOf(resources: Buffer, wanted: number): Buffer | null {
  for (let at = 0; at + 12 <= resources.length && resources.toString('latin1', at, at + 4) === '8BIM';) {
    const number = resources.readUInt16BE(at + 4)
    const data = at + 6 + 2 * Math.floor(resources[at + 6]! / 2 + 1)
    if (data + 4 > resources.length) return null
    const length = resources.readUInt32BE(data)
    if (number === wanted) return resources.subarray(data + 4, data + 4 + length)
    at = data + 4 + length + (length % 2)
  }
  return null
}
