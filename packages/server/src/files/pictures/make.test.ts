import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeVariant } from './make.ts'
import { operationNames } from './operations.ts'
import { Refusal } from './refusal.ts'
import { methodNames, readTransforms } from './transforms.ts'
import type { Variant } from './variant.ts'

const stripes = (width = 90, height = 30) => {
  const data = Buffer.alloc(width * height * 3)
  for (let n = 0; n < width * height; n += 1) data[n * 3 + Math.floor(((n % width) * 3) / width)] = 255
  return sharp(data, { raw: { width, height, channels: 3 } })
}
const animation = async () => {
  const frames = await Promise.all(
    ['red', 'green', 'blue'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 200, 300] })
    .toBuffer()
}

const make = async (content: Buffer, variant: Partial<Variant> & { transforms?: unknown }, mostPixels = 6000) => {
  const { transforms = [], ...members } = variant
  const whole = {
    resize: null,
    steps: readTransforms(transforms, 5),
    format: 'png',
    quality: null,
    ...members,
  } as const
  return makeVariant(content, { variant: whole, mostPixels })
}
const made = async (content: Buffer, variant: Partial<Variant> & { transforms?: unknown }, mostPixels?: number) =>
  sharp(await make(content, variant, mostPixels), { animated: true }).metadata()

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'made',
    (error: unknown) => (error instanceof Refusal ? error.kind : error),
  )
const cover = (width: number, height: number, focus: { x: number; y: number } | null = null) =>
  ({ width, height, fit: 'cover', withoutEnlargement: false, focus }) as const

describe('a variant', () => {
  test.each(['jpg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const)('in %s', async (format) => {
    const {
      format: found,
      width,
      height,
    } = await made(await stripes().png().toBuffer(), { resize: cover(30, 20), format })
    expect([found, width, height]).toEqual([{ jpg: 'jpeg', avif: 'heif' }[format as string] ?? format, 30, 20])
  })

  test('has no metadata of the original, and is upright', async () => {
    const photo = await stripes(40, 20)
      .withExif({ IFD0: { Make: 'Secret' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6, icc: 'p3' })
      .jpeg()
      .toBuffer()
    for (const format of ['jpg', 'png', 'webp', 'avif', 'tiff'] as const) {
      const found = await made(photo, { format })
      expect([found.width, found.height, found.exif, found.icc, found.xmp, found.iptc]).toEqual([
        20,
        40,
        ...Array.from({ length: 4 }),
      ])
    }
  })

  test.each([
    [null, 'lime'],
    [{ x: 2, y: 15 }, 'red'],
    [{ x: 88, y: 15 }, 'blue'],
  ] as const)('with the focus %j shows %s, reduced and enlarged', async (focus, colour) => {
    const [r, g, b] = [colour === 'red', colour === 'lime', colour === 'blue'].map((is) => (is ? 255 : 0))
    for (const side of [10, 90]) {
      const { channels } = await sharp(
        await make(await stripes().png().toBuffer(), { resize: cover(side, side, focus) }),
      ).stats()
      const middle = await sharp(await make(await stripes().png().toBuffer(), { resize: cover(side, side, focus) }))
        .extract({ left: side / 2, top: 1, width: 1, height: 1 })
        .raw()
        .toBuffer()
      expect([...middle]).toEqual([r, g, b])
      expect(channels).toHaveLength(3)
    }
  })

  test('of an animation has all its frames, and their times', async () => {
    const gif = await animation()
    for (const format of ['gif', 'webp'] as const)
      expect(await made(gif, { resize: cover(10, 5), format })).toMatchObject({
        pages: 3,
        width: 10,
        pageHeight: 5,
        delay: [100, 200, 300],
      })
    expect(
      await made(gif, {
        resize: cover(8, 8),
        format: 'gif',
        transforms: [['rotate', 90], ['extend', 1], ['grayscale']],
      }),
    ).toMatchObject({ pages: 3, width: 10, pageHeight: 10, delay: [100, 200, 300] })
    expect((await made(gif, { resize: cover(10, 5), format: 'png' })).pages ?? 1).toBe(1)
    expect(await kindOf(make(gif, { format: 'gif', transforms: [['trim']] }))).toBe('invalid')
  })

  test('applies operations in their order', async () => {
    const png = await stripes().png().toBuffer()
    expect(
      await made(png, {
        transforms: [
          ['resize', { width: 45 }],
          ['rotate', 90],
        ],
      }),
    ).toMatchObject({ width: 15, height: 45 })
    expect(
      await made(png, {
        transforms: [
          ['rotate', 90],
          ['resize', { width: 45 }],
        ],
      }),
    ).toMatchObject({ width: 45, height: 135 })
    expect(
      await made(png, {
        transforms: [
          ['extract', { left: 60, top: 0, width: 30, height: 30 }],
          ['extend', { left: 5 }],
        ],
      }),
    ).toMatchObject({ width: 35, height: 30 })
  })
})

describe('operations', () => {
  const examples: Readonly<Record<string, readonly unknown[]>> = {
    resize: [10, 20, { fit: 'contain', background: 'transparent' }],
    extract: [{ left: 1, top: 1, width: 5, height: 5 }],
    trim: [{ threshold: 5 }],
    extend: [{ top: 1, background: 'red', extendWith: 'background' }],
    rotate: [45, { background: '#fff' }],
    sharpen: [2],
    median: [3],
    blur: [2],
    flatten: [{ background: 'blue' }],
    negate: [{ alpha: false }],
    normalise: [{ lower: 1, upper: 90 }],
    clahe: [{ width: 3, height: 3, maxSlope: 3 }],
    gamma: [2, 1.5],
    modulate: [{ brightness: 2, saturation: 0.5, hue: 180, lightness: 5 }],
    tint: ['rgb(255, 0, 0)'],
    threshold: [100, { greyscale: false }],
    linear: [
      [1, 0.5, 1],
      [0, 1, 2],
    ],
    recomb: [
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    ],
    toColourspace: ['b-w'],
    toColorspace: ['srgb'],
  }

  test.each(methodNames)('%s works', async (name) => {
    const png = await stripes().ensureAlpha().png().toBuffer()
    const { width, height } = await made(png, { transforms: [[name, ...(examples[name] ?? [])]] })
    expect(Math.min(width, height)).toBeGreaterThan(0)
  })

  test.each(['sharpen', 'median', 'blur', 'flatten', 'negate', 'normalise', 'gamma', 'modulate', 'threshold', 'trim'])(
    '%s works without arguments',
    async (name) =>
      expect(await made(await stripes().png().toBuffer(), { transforms: [[name]] })).toMatchObject({ format: 'png' }),
  )

  test('are the same in both tables', () => expect(methodNames).toEqual(expect.arrayContaining(operationNames)))

  test('that do not suit the picture are the mistake of the caller', async () => {
    const png = await stripes().png().toBuffer()
    expect(await kindOf(make(png, { transforms: [['clahe', { width: 1000, height: 1000 }]] }))).toBe('invalid')
    expect(
      await kindOf(make(png, { transforms: [['trim'], ['extract', { left: 89, top: 29, width: 9, height: 9 }]] })),
    ).toBe('invalid')
  })
})

describe('what cannot be made', () => {
  test('is told by its kind', async () => {
    const png = await stripes(300, 300).png().toBuffer()
    expect(await kindOf(make(png.subarray(0, 120), {}))).toBe('unreadable')
    expect(await kindOf(make(Buffer.from('words'), {}))).toBe('unreadable')
    expect(await kindOf(make(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), {}))).toBe(
      'unreadable',
    )
    expect(await kindOf(make(png, {}, 299))).toBe('too-large')
    expect(await kindOf(make(png, { resize: cover(301, 1) }, 300))).toBe('too-large')
    const bomb = Buffer.from(png)
    bomb.writeUInt32BE(50_000, 16)
    expect(await kindOf(make(bomb, { resize: cover(1, 1) }))).toBe('too-large')
  })

  test('is an animation with more pixels than a single picture may have', async () => {
    const gif = await animation()
    expect(await kindOf(make(gif, { format: 'gif' }, 24))).toBe('too-large')
    expect(await kindOf(make(gif, { format: 'png' }, 24))).toBe('made')
    expect(await kindOf(make(gif, { format: 'gif', resize: cover(30, 30) }, 40))).toBe('too-large')
  })
  test('is an animation with thousands of frames', async () => {
    const gif = await animation()
    const frame = gif.subarray(gif.indexOf(Buffer.from([0x21, 0xf9])), gif.lastIndexOf(Buffer.from([0x21, 0xf9])))
    const many = (times: number) =>
      Buffer.concat([gif.subarray(0, -1), ...Array.from({ length: times }, () => frame), gif.subarray(-1)])
    expect(await made(many(2), { format: 'gif' })).toMatchObject({ pages: 7 })
    expect(await kindOf(make(many(1000), { format: 'gif' }))).toBe('too-large')
  })
})
