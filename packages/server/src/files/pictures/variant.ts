import { createHash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { weightsOf } from './accept.ts'
import { checkedSize, planResize, sizeAfter, type Resize, type Size } from './geometry.ts'
import { headerReaders } from './header-readers.ts'
import type { Step } from './transforms.ts'
import type { Format, Wish } from './wish.ts'

export type VariantFormat = Format | 'gif'

/** A picture that is made from another one, with everything decided. Equal variants have equal members. */
export interface Variant {
  readonly resize: Resize | null
  readonly steps: readonly Step[]
  readonly format: VariantFormat
  /** 1 to 100; null: the default of the format. */
  readonly quality: number | null
}

/** The original, as far as a variant depends on it. */
export interface Source {
  readonly type: string
  readonly checksum: string
  /** Of the upright picture; null: unknown until it is decoded. */
  readonly width: number | null
  readonly height: number | null
  readonly focalPoint: { readonly x: number; readonly y: number } | null
}

const ownFormats: Readonly<Record<string, VariantFormat>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/tiff': 'tiff',
  'image/gif': 'gif',
}

/** Files of other types are delivered as they are. */
export const isSource = (type: string | null): type is string =>
  type !== null && Object.hasOwn(ownFormats, type) && Object.hasOwn(headerReaders, type)

export const typeOfFormat = (format: VariantFormat): string => `image/${format === 'jpg' ? 'jpeg' : format}`

/** The variant that a wish means for a picture. `accept` counts where the format is `auto`. */
export function variantOf(wish: Wish, source: Source, accept: string): Variant {
  const format = formatOf(wish.format, source.type, accept)
  const hasLoss = format !== 'png' && format !== 'gif'
  return {
    resize: resizeOf(wish, source),
    steps: wish.transforms ?? [],
    format,
    quality: hasLoss ? (wish.quality ?? null) : null,
  }
}

/** Members without effect are left out, so that they make no difference. */
function resizeOf(wish: Wish, source: Source): Resize | null {
  const { width, height, fit = 'cover', withoutEnlargement = false } = wish
  if (width === undefined && height === undefined) return null
  if (width === undefined || height === undefined)
    return {
      ...(width === undefined ? { height: height! } : { width }),
      fit: 'inside',
      withoutEnlargement,
      focus: null,
    }
  return { width, height, fit, withoutEnlargement, focus: fit === 'cover' ? focusOf(wish, source) : null }
}

function focusOf(wish: Wish, source: Source): Resize['focus'] {
  const [x, y] = [wish.focal_point_x ?? source.focalPoint?.x, wish.focal_point_y ?? source.focalPoint?.y]
  return x === undefined || y === undefined ? null : { x, y }
}

/** Of two formats with the same weight, the smaller one. AVIF holds one picture alone, not an animation. */
function formatOf(wished: Wish['format'], type: string, accept: string): VariantFormat {
  const own = ownFormats[type]!
  if (wished !== 'auto') return wished ?? own
  const weights = weightsOf(accept)
  const candidates = (['avif', 'webp', own] as const).filter((format) => format !== 'avif' || own !== 'gif')
  const weightOf = (format: VariantFormat) => weights.get(typeOfFormat(format)) ?? 0
  const best = candidates.toSorted((a, b) => weightOf(b) - weightOf(a))[0]!
  return weightOf(best) > 0 ? best : own
}

/** Refuses sizes above the limit: of the source, of the result and of everything between. */
export function checkSizes(variant: Variant, source: Size, most: number): void {
  let size = checkedSize(source, most, 'the original has')
  if (variant.resize !== null) {
    const plan = planResize(size, variant.resize)
    checkedSize(plan.scaled, most)
    size = checkedSize(plan.final, most)
  }
  let isExact = true
  for (const step of variant.steps) {
    size = sizeAfter(step, size, most, isExact)
    isExact &&= step.method !== 'trim'
  }
}

/** Made anew when variants are made in another way. */
const EDITION = 1

/** The name of a variant of a content: equal for every spelling of the same wish. */
export const variantHash = (variant: Variant, checksum: string): string =>
  createHash('sha1')
    .update(canonicalJson([EDITION, checksum, variant]))
    .digest('hex')
