import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { checkedSize, planResize, sizeAfter, type Size } from './geometry.ts'
import { applyResize, applyStep } from './operations.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Step } from './transforms.ts'
import { checkSizes, type Variant } from './variant.ts'

export interface Order {
  readonly variant: Variant
  /** The longest side in pixels. */
  readonly mostPixels: number
}

/** Pixels of all frames, one below the other. */
interface Pixels {
  readonly data: Buffer
  readonly size: Size
  readonly channels: 1 | 2 | 3 | 4
  readonly frames: number
}

const known = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif'])
const unreadable = () => new Refusal('unreadable', 'The content of the file cannot be read as a picture.')

/** Makes a variant. Sizes are checked again with what the decoder found in the header. */
export async function makeVariant(content: Buffer, { variant, mostPixels }: Order): Promise<Buffer> {
  const options: SharpOptions = { failOn: 'error', limitInputPixels: mostPixels ** 2, sequentialRead: true }
  const header = await sharp(content, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw unreadable()
    })
  if (!known.has(header.format ?? '')) throw unreadable()
  const size = header.autoOrient ?? { width: header.width, height: header.height }
  checkSizes(variant, size, mostPixels)
  const isAnimated =
    (header.pages ?? 1) > 1 && ['gif', 'webp'].includes(header.format) && ['gif', 'webp'].includes(variant.format)
  const frames = isAnimated ? header.pages! : 1
  checkedFrames(size, frames, mostPixels)
  const first = firstStage(sharp(content, { ...options, animated: isAnimated }), variant, size, frames, mostPixels)
  const timing = { ...(header.delay && isAnimated && { delay: header.delay }), loop: header.loop ?? 0 }
  const last = variant.steps.length === 0 ? first : await stepped(first, variant, frames, mostPixels)
  return encoded(last, variant, timing)
    .toBuffer()
    .catch(() => {
      throw unreadable()
    })
}

/** Each frame costs time, however small it is. */
const MOST_FRAMES = 2000

/** The pixels of an animation are limited together: all its frames are in memory at once. */
function checkedFrames({ width, height }: Size, frames: number, most: number): void {
  if (frames > MOST_FRAMES || (frames > 1 && width * height * frames > most ** 2))
    throw new Refusal(
      'too-large',
      `the animation would have ${frames} frames of ${width} × ${height} pixels, which is too much`,
    )
}

/** Upright, in sRGB and of the wished size. */
function firstStage(picture: Sharp, { resize }: Variant, size: Size, frames: number, most: number): Sharp {
  const upright = frames > 1 ? picture : picture.autoOrient()
  if (resize === null) return upright
  const plan = planResize(size, resize)
  checkedFrames(plan.scaled, frames, most)
  checkedFrames(plan.final, frames, most)
  return applyResize(upright, plan)
}

/** The library has an order of its own within a pipeline, so each operation gets a pipeline. */
async function stepped(first: Sharp, { steps }: Variant, frames: number, most: number): Promise<Sharp> {
  let pixels = await pixelsOf(first.toColourspace('srgb'), frames).catch(() => {
    throw unreadable()
  })
  for (const [n, step] of steps.entries()) pixels = await after(pixels, step, n, most)
  return reopened(pixels)
}

async function after(pixels: Pixels, step: Step, n: number, most: number): Promise<Pixels> {
  if (pixels.frames > 1 && step.method === 'trim') throw invalid('"trim" cannot be used with an animation')
  checkedFrames(sizeAfter(step, pixels.size, most), pixels.frames, most)
  try {
    const done: Pixels[] = []
    for (const frame of framesOf(pixels)) done.push(await pixelsOf(applyStep(reopened(frame), step, pixels.size), 1))
    checkedSize(done[0]!.size, most)
    return { ...done[0]!, data: Buffer.concat(done.map(({ data }) => data)), frames: pixels.frames }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalid(`operation ${n + 1} of "transforms", "${step.method}", does not work with this picture`)
  }
}

function framesOf(pixels: Pixels): Pixels[] {
  if (pixels.frames === 1) return [pixels]
  const length = pixels.data.length / pixels.frames
  return Array.from({ length: pixels.frames }, (_, n) => ({
    ...pixels,
    data: pixels.data.subarray(n * length, (n + 1) * length),
    frames: 1,
  }))
}

async function pixelsOf(picture: Sharp, frames: number): Promise<Pixels> {
  const { data, info } = await picture.toFormat('raw').toBuffer({ resolveWithObject: true })
  return { data, size: { width: info.width, height: info.height / frames }, channels: info.channels as 3, frames }
}

function reopened({ data, size, channels, frames }: Pixels): Sharp {
  const raw = { width: size.width, height: size.height * frames, channels }
  return sharp(data, { raw: frames > 1 ? { ...raw, pageHeight: size.height } : raw, limitInputPixels: false })
}

/** Nothing of the metadata of the original is written: no EXIF, no place, no colour profile. */
function encoded(picture: Sharp, { format, quality }: Variant, timing: { loop: number; delay?: number[] }): Sharp {
  const options = quality === null ? {} : { quality }
  if (format === 'jpg') return picture.flatten({ background: '#ffffff' }).jpeg(options)
  if (format === 'png') return picture.png()
  if (format === 'webp') return picture.webp({ ...options, ...timing })
  if (format === 'avif') return picture.avif({ ...options, effort: 2 })
  return format === 'tiff' ? picture.tiff(options) : picture.gif(timing)
}
