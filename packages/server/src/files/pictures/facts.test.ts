import * as fc from 'fast-check'
import { Readable } from 'node:stream'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { pictureFacts } from './facts.ts'

const ALLOWED = ['ifd0.Make', 'ifd0.Model', 'exif.FNumber', 'exif.ISOSpeedRatings', 'iptc.Headline', 'iptc.Keywords']

/** In pieces of `size` bytes, as storages send them. */
const facts = (type: string, content: Buffer, size = 65_536, allowList: readonly string[] = ALLOWED) =>
  pictureFacts(
    type,
    async () =>
      Readable.from(
        Array.from({ length: Math.ceil(content.length / size) }, (_, n) => content.subarray(n * size, (n + 1) * size)),
      ),
    allowList,
  )

const canvas = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } })
const withCamera = (picture: Sharp, orientation = 1) =>
  picture
    .withExif({
      IFD0: { Make: 'Maker', Model: 'Camera', Copyright: 'Nobody' },
      IFD2: { FNumber: '28/10' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1' },
    })
    .withMetadata({ orientation })

const formats = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const

describe.each(formats)('of a %s', (format) => {
  test('the size is read, however the content arrives', async () => {
    const content = await canvas().toFormat(format).toBuffer()
    for (const size of [1, 7, 100_000])
      expect(await facts(`image/${format}`, content, size)).toEqual({ width: 60, height: 40, metadata: null })
  })

  test('no damage is a failure', async () => {
    const content = await withCamera(canvas(), 6).toFormat(format).toBuffer()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: Math.min(content.length, 900) - 1 }), fc.nat({ max: 255 })), { maxLength: 20 }),
        fc.nat({ max: content.length }),
        async (changes, length) => {
          const damaged = Buffer.from(content)
          for (const [at, value] of changes) damaged[at] = value
          const { width, height } = await facts(`image/${format}`, damaged.subarray(0, length))
          expect((width === null) === (height === null)).toBe(true)
        },
      ),
    )
  })
})

describe.each(['jpeg', 'png', 'webp', 'tiff'] as const)('a %s with EXIF', (format) => {
  test('has the size of the upright picture', async () => {
    for (const orientation of [1, 3, 5, 6, 7, 8]) {
      const content = await withCamera(canvas(), orientation).toFormat(format).toBuffer()
      const size = orientation >= 5 ? { width: 40, height: 60 } : { width: 60, height: 40 }
      expect(await facts(`image/${format}`, content)).toMatchObject(size)
    }
  })
})

test.each(['jpeg', 'png', 'webp'] as const)('a %s tells what the list allows, and nothing else', async (format) => {
  const content = await withCamera(canvas()).toFormat(format).toBuffer()
  expect((await facts(`image/${format}`, content)).metadata).toEqual({
    ifd0: { Make: 'Maker', Model: 'Camera' },
    exif: { FNumber: 2.8 },
  })
  const odd = ['ifd0.Model', 'constructor.name', 'gps', '']
  expect((await facts(`image/${format}`, content, 999, odd)).metadata).toEqual({ ifd0: { Model: 'Camera' } })
})

test('the tags of a TIFF are its metadata', async () => {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(tag, 0)
    bytes.writeUInt16BE(type, 2)
    bytes.writeUInt32BE(count, 4)
    if (type === 3) bytes.writeUInt16BE(value, 8)
    else bytes.writeUInt32BE(value, 8)
    return bytes
  }
  const entries = [entry(256, 4, 1, 70_000), entry(257, 3, 1, 5), entry(271, 2, 6, 16)]
  const start = Buffer.from('MM\0*\0\0\0\u0018\0\0\0\0\0\0\0\0Maker\0\0\0\0\u0003', 'latin1')
  const content = Buffer.concat([start, ...entries, Buffer.alloc(4)])
  expect(await facts('image/tiff', content)).toEqual({
    width: 70_000,
    height: 5,
    metadata: { ifd0: { Make: 'Maker' } },
  })
})

test('GPS is told only where it is listed', async () => {
  const content = await withCamera(canvas()).jpeg().toBuffer()
  expect(JSON.stringify((await facts('image/jpeg', content)).metadata)).not.toContain('GPS')
  expect((await facts('image/jpeg', content, 999, ['gps.GPSLatitude'])).metadata).toEqual({
    gps: { GPSLatitude: [51, 30, 0] },
  })
})

test('IPTC is told as it is listed', async () => {
  const set = (number: number, value: string) => {
    const text = Buffer.from(value)
    return Buffer.concat([Buffer.from([0x1c, 2, number, 0, text.length]), text])
  }
  const records = Buffer.concat([set(105, 'Größe'), set(25, 'one'), set(25, 'two'), set(90, 'Town')])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(records.length)
  const body = Buffer.concat([
    Buffer.from('Photoshop 3.0\u00008BIM', 'latin1'),
    Buffer.from([4, 4, 0, 0]),
    length,
    records,
  ])
  const segment = Buffer.concat([Buffer.from([0xff, 0xed, (body.length + 2) >> 8, (body.length + 2) & 255]), body])
  const picture = await canvas().jpeg().toBuffer()
  const content = Buffer.concat([picture.subarray(0, 2), segment, picture.subarray(2)])
  expect(await facts('image/jpeg', content)).toEqual({
    width: 60,
    height: 40,
    metadata: { iptc: { Headline: 'Größe', Keywords: ['one', 'two'] } },
  })
})

test('EXIF that describes more than it has is not read', async () => {
  const entries = 5000
  const exif = Buffer.alloc(8 + 2 + entries * 12 + 4)
  exif.write('II*\0', 'latin1')
  exif.writeUInt32LE(8, 4)
  exif.writeUInt16LE(entries, 8)
  for (let n = 0, at = 10; n < entries; n += 1, at += 12) {
    exif.writeUInt16LE(n, at)
    exif.writeUInt16LE(1, at + 2)
    exif.writeUInt32LE(60_000, at + 4)
  }
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])
  const picture = await canvas().jpeg().toBuffer()
  const content = Buffer.concat([
    picture.subarray(0, 2),
    Buffer.from([0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 255]),
    body,
    picture.subarray(2),
  ])
  const before = process.memoryUsage().rss
  expect(await facts('image/jpeg', content)).toEqual({ width: 60, height: 40, metadata: null })
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
})

test('a picture of any size is measured and never decoded', async () => {
  const bomb = await canvas(1, 1).png().toBuffer()
  bomb.writeUInt32BE(50_000, 16)
  bomb.writeUInt32BE(50_000, 20)
  expect(await facts('image/png', bomb)).toEqual({ width: 50_000, height: 50_000, metadata: null })
})

test('a header without end is given up', async () => {
  let sent = 0
  const endless = new Readable({
    read() {
      sent += 65_536
      this.push(Buffer.alloc(65_536, Buffer.from([0xff, 0xe0, 0, 2])))
    },
  })
  endless.unshift(Buffer.from([0xff, 0xd8]))
  expect(await pictureFacts('image/jpeg', async () => endless, [])).toEqual({
    width: null,
    height: null,
    metadata: null,
  })
  expect(endless.destroyed).toBe(true)
  expect(sent).toBeLessThan(300_000_000)
})

test('anything else has no size', async () => {
  expect(await facts('text/plain', Buffer.from('words'))).toEqual({ width: null, height: null, metadata: null })
  expect(await facts('image/png', Buffer.from('not a picture'))).toEqual({ width: null, height: null, metadata: null })
  expect(await pictureFacts('image/png', async () => null, [])).toEqual({ width: null, height: null, metadata: null })
  const failing = new Readable({
    read() {
      this.destroy(new Error('gone'))
    },
  })
  expect(await pictureFacts('image/png', async () => failing, [])).toMatchObject({ width: null })
})
