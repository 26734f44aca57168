import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { createRng, type Rng } from '../random/rng.ts'

export interface HostileFile {
  readonly what: string
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

const formats = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const

const file = (what: string, format: string, content: Buffer): HostileFile => ({
  what,
  name: `picture.${format === 'jpeg' ? 'jpg' : format}`,
  type: `image/${format}`,
  content,
})

function noise(rng: Rng, width: number, height: number) {
  const data = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, n) => (n % 7 === 0 ? rng.int(0, 255) : n % 256)),
  )
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** Whole pictures of every format, with EXIF, alpha, pages, palettes and 16 bits: what mutations begin with. */
export async function originals(seed: number): Promise<readonly HostileFile[]> {
  const rng = createRng(seed, 1)
  const camera = { IFD0: { Make: 'Maker', Copyright: 'x'.repeat(50) }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } }
  const plain = await Promise.all(
    formats.map(async (format) => {
      const picture = noise(rng, 64, 48)
        .withExif(camera)
        .withMetadata({ orientation: rng.int(1, 8) })
      return file('whole', format, await picture.toFormat(format).toBuffer())
    }),
  )
  const frames = await Promise.all([1, 2, 3].map(() => noise(rng, 24, 16).png().toBuffer()))
  const animated = () => sharp(frames, { join: { animated: true } })
  return [
    ...plain,
    file('animation', 'gif', await animated().gif().toBuffer()),
    file('animation', 'webp', await animated().webp().toBuffer()),
    file('lossless', 'webp', await noise(rng, 40, 30).webp({ lossless: true }).toBuffer()),
    file('progressive', 'jpeg', await noise(rng, 64, 64).jpeg({ progressive: true }).toBuffer()),
    file('palette', 'png', await noise(rng, 40, 40).png({ palette: true }).toBuffer()),
    file('interlaced', 'png', await noise(rng, 40, 40).ensureAlpha().png({ progressive: true }).toBuffer()),
    file('16 bits', 'png', await noise(rng, 30, 30).toColourspace('rgb16').png().toBuffer()),
    file('tiles', 'tiff', await noise(rng, 64, 64).tiff({ tile: true, compression: 'lzw' }).toBuffer()),
  ]
}

type Mutation = (content: Buffer, rng: Rng, other: Buffer) => Buffer

const extremes = [0, 1, 0x7f, 0x80, 0xff]

/** Headers decide most, so half of the damage is done there. */
const place = (content: Buffer, rng: Rng): number =>
  rng.int(0, Math.max(0, (rng.chance(0.5) ? Math.min(200, content.length) : content.length) - 1))

const mutations: Readonly<Record<string, Mutation>> = {
  flipped: (content, rng) => {
    for (let n = rng.int(1, 30); n > 0; n -= 1) content[place(content, rng)] = rng.int(0, 255)
    return content
  },
  extreme: (content, rng) => {
    for (let n = rng.int(1, 6); n > 0; n -= 1) {
      const at = place(content, rng)
      content.fill(rng.pick(extremes), at, Math.min(at + rng.int(1, 4), content.length))
    }
    return content
  },
  cut: (content, rng) => content.subarray(0, rng.int(1, content.length - 1)),
  repeated: (content, rng) => {
    const [from, length] = [place(content, rng), rng.int(1, 500)]
    const part = content.subarray(from, from + length)
    return Buffer.concat([
      content.subarray(0, from),
      ...Array.from({ length: rng.int(2, 50) }, () => part),
      content.subarray(from),
    ])
  },
  removed: (content, rng) => {
    const from = place(content, rng)
    return Buffer.concat([content.subarray(0, from), content.subarray(from + rng.int(1, 100))])
  },
  spliced: (content, rng, other) =>
    Buffer.concat([content.subarray(0, place(content, rng)), other.subarray(place(other, rng))]),
}

export function mutated(all: readonly HostileFile[], seed: number, index: number): HostileFile {
  const rng = createRng(seed, 2, index)
  const [original, other] = [rng.pick(all), rng.pick(all)]
  const kind = rng.pick(Object.keys(mutations))
  const content = mutations[kind]!(Buffer.from(original.content), rng, other.content)
  return { ...original, what: `${kind} ${original.what} ${original.type}`, content }
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function png(width: number, height: number, pixels: Buffer, ...more: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF whose frames are one byte of pixels each. */
function gif(width: number, height: number, frames: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const start = Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])])
  const control = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0])
  const frame = Buffer.concat([control, Buffer.from([0x2c, 0, 0, 0, 0]), size, Buffer.from([0, 2, 2, 0x44, 1, 0])])
  return Buffer.concat([start, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

/** A directory that names itself as the next one, with as many entries as fit. */
function tiff(width: number, height: number, entries: number): Buffer {
  const content = Buffer.alloc(8 + 2 + entries * 12 + 4)
  content.write('II*\0', 'latin1')
  content.writeUInt32LE(8, 4)
  content.writeUInt16LE(entries, 8)
  const tags = [256, 257, 258, 259, 262, 273, 277, 278, 279]
  for (let n = 0, at = 10; n < entries; n += 1, at += 12) {
    content.writeUInt16LE(tags[n] ?? (700 + n) % 65_536, at)
    content.writeUInt16LE(4, at + 2)
    content.writeUInt32LE(1, at + 4)
    content.writeUInt32LE([width, height, 8, 1, 1, 8, 1, height, 0xffffffff][n] ?? 8, at + 8)
  }
  content.writeUInt32LE(8, 10 + entries * 12)
  return content
}

function zip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.write('PK\u0003\u0004', 'latin1')
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(packed.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), packed])
}

/** A progressive JPEG that says the same scan again and again: few bytes, much work. */
async function scans(count: number): Promise<Buffer> {
  const picture = await sharp({ create: { width: 5000, height: 5000, channels: 3, background: 'red' } })
    .jpeg({ progressive: true, optimiseScans: false })
    .toBuffer()
  const last = picture.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = picture.subarray(last, -2)
  return Buffer.concat([picture.subarray(0, -2), ...Array.from({ length: count }, () => scan), picture.subarray(-2)])
}

const html = '<script>alert(1)</script>'

/** Files that are made to cost more than they seem, or to be two things at once. */
export async function bombs(seed: number): Promise<readonly HostileFile[]> {
  const all = await originals(seed)
  const [jpeg, , webp] = all.map(({ content }) => content)
  const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 ** 2)
  const huge = Buffer.from(webp!)
  huge.fill(0xff, 24, 30)
  const wide = Buffer.from(jpeg!)
  const frame = wide.indexOf(Buffer.from([0xff, 0xc0]))
  wide.fill(0xff, frame + 5, frame + 9)
  const avif = Buffer.from(all.find(({ type }) => type === 'image/avif')!.content)
  avif.fill(0x0f, avif.indexOf('ispe') + 8, avif.indexOf('ispe') + 16)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(100_000)}`
  return [
    file('claims 50,000 × 50,000', 'png', png(50_000, 50_000, deflateSync(zeros(1)))),
    file('36 megapixels of nothing', 'png', png(6000, 6000, deflateSync(Buffer.alloc(6000 * 18_001)))),
    file('more pixels than it says', 'png', png(10, 10, deflateSync(zeros(100)))),
    file(
      'a profile of 100 MB',
      'png',
      png(
        10,
        10,
        deflateSync(Buffer.alloc(310)),
        chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(zeros(100))])),
      ),
    ),
    file(
      'texts of 100 MB',
      'png',
      png(
        10,
        10,
        deflateSync(Buffer.alloc(310)),
        ...Array.from({ length: 20 }, () =>
          chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(zeros(5))])),
        ),
      ),
    ),
    file(
      '100,000 chunks',
      'png',
      png(
        10,
        10,
        deflateSync(Buffer.alloc(310)),
        ...Array.from({ length: 100_000 }, () => chunk('tEXt', Buffer.from('a\0b'))),
      ),
    ),
    file('20,000 frames', 'gif', gif(1, 1, 20_000)),
    file('500 frames of 5000 × 5000', 'gif', gif(5000, 5000, 500)),
    file('60 frames of 700 × 700', 'gif', gif(700, 700, 60)),
    file('a canvas of 16 million', 'webp', huge),
    file('65,535 × 65,535', 'jpeg', wide),
    file('the same scan 500 times', 'jpeg', await scans(500)),
    file('a picture of 252 million', 'avif', avif),
    file('a directory of itself', 'tiff', tiff(100, 100, 9)),
    file('65,000 entries', 'tiff', tiff(100, 100, 65_000)),
    file('2,147,483,647 × 1', 'tiff', tiff(2_147_483_647, 1, 9)),
    { what: 'deep SVG', name: 'a.svg', type: 'image/svg+xml', content: Buffer.from(svg) },
    { what: 'deep SVG as PNG', name: 'a.png', type: 'image/png', content: Buffer.from(svg) },
    {
      what: 'SVG, compressed',
      name: 'a.svgz',
      type: 'image/svg+xml',
      content: gzipSync(Buffer.concat([Buffer.from(svg), zeros(50)])),
    },
    { what: 'zip in zip', name: 'a.zip', type: 'application/zip', content: zip('b.zip', zip('c.zip', zeros(100))) },
    { what: 'zip in zip as PNG', name: 'a.png', type: 'image/png', content: zip('b.zip', zip('c.zip', zeros(100))) },
    {
      what: 'a document of 100 MB',
      name: 'a.docx',
      type: 'text/plain',
      content: zip('[Content_Types].xml', zeros(100)),
    },
    file(
      'GIF that is a script',
      'gif',
      Buffer.concat([Buffer.from('GIF89a=1;/*'), gif(3, 3, 1), Buffer.from('*/alert(1)')]),
    ),
    file('PNG with a page', 'png', Buffer.concat([png(3, 3, deflateSync(Buffer.alloc(30))), Buffer.from(html)])),
    file(
      'JPEG with a document',
      'jpeg',
      Buffer.concat([jpeg!, Buffer.from('%PDF-1.7'), zip('a.html', Buffer.from(html))]),
    ),
    {
      what: 'document with a JPEG',
      name: 'a.jpg',
      type: 'image/jpeg',
      content: Buffer.concat([Buffer.from('%PDF-1.7\n'), jpeg!]),
    },
    { what: 'page as PNG', name: 'a.png', type: 'image/png', content: Buffer.from(html) },
    { what: 'nothing', name: 'a.png', type: 'image/png', content: Buffer.alloc(0) },
  ]
}
