import { invalid, Refusal } from './refusal.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export const fits = ['cover', 'contain', 'inside', 'outside', 'fill'] as const
export type Fit = (typeof fits)[number]

export interface Resize {
  readonly width?: number
  readonly height?: number
  readonly fit: Fit
  readonly withoutEnlargement: boolean
  /** The point of the original that `cover` keeps in the middle; null: the middle. */
  readonly focus: { readonly x: number; readonly y: number } | null
}

interface Place {
  readonly left: number
  readonly top: number
}

/**
 * What a resize does. `cover` cuts a part out: after scaling down, because decoders can scale while they read, but before
 * scaling up, so that no picture between is larger than the result. `contain` puts the picture onto a larger canvas.
 */
export interface ResizePlan {
  readonly cutBefore: (Place & Size) | null
  readonly scaled: Size
  readonly cutAfter: Place | null
  readonly canvas: Place | null
  readonly final: Size
}

const times = ({ width, height }: Size, ratio: number): Size => ({
  width: Math.max(1, Math.round(width * ratio)),
  height: Math.max(1, Math.round(height * ratio)),
})

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

export function planResize(size: Size, resize: Resize): ResizePlan {
  const { width, height, fit, withoutEnlargement } = resize
  const most = withoutEnlargement ? 1 : Number.POSITIVE_INFINITY
  const plain = (scaled: Size): ResizePlan => ({
    cutBefore: null,
    scaled,
    cutAfter: null,
    canvas: null,
    final: scaled,
  })
  if (width === undefined || height === undefined) {
    const ratio = Math.min(most, width === undefined ? (height ?? size.height) / size.height : width / size.width)
    const scaled = times(size, ratio)
    return plain(ratio === 1 ? size : { width: width ?? scaled.width, height: height ?? scaled.height })
  }
  const [inside, outside] = [
    Math.min(width / size.width, height / size.height),
    Math.max(width / size.width, height / size.height),
  ]
  if (fit === 'fill')
    return plain(
      withoutEnlargement
        ? { width: Math.min(width, size.width), height: Math.min(height, size.height) }
        : { width, height },
    )
  if (fit === 'inside') return plain(times(size, Math.min(most, inside)))
  if (fit === 'outside') return plain(times(size, Math.min(most, outside)))
  if (fit === 'contain') return contained(times(size, Math.min(most, inside)), { width, height })
  return covered(size, Math.min(most, outside), resize, { width, height })
}

function contained(rounded: Size, final: Size): ResizePlan {
  const scaled = within(final, rounded)
  const left = Math.floor((final.width - scaled.width) / 2)
  const top = Math.floor((final.height - scaled.height) / 2)
  return { cutBefore: null, scaled, cutAfter: null, canvas: { left, top }, final }
}

function covered(size: Size, ratio: number, { focus }: Resize, wanted: Size): ResizePlan {
  const middle = focus ?? { x: size.width / 2, y: size.height / 2 }
  if (ratio > 1) {
    const part = within(size, times(wanted, 1 / ratio))
    return {
      cutBefore: { ...part, ...placeOf(middle, part, size) },
      scaled: wanted,
      cutAfter: null,
      canvas: null,
      final: wanted,
    }
  }
  const scaled = times(size, ratio)
  const final = within(scaled, wanted)
  const point = { x: middle.x * (scaled.width / size.width), y: middle.y * (scaled.height / size.height) }
  return { cutBefore: null, scaled, cutAfter: placeOf(point, final, scaled), canvas: null, final }
}

const within = (whole: Size, part: Size): Size => ({
  width: Math.min(whole.width, part.width),
  height: Math.min(whole.height, part.height),
})

/** Where a part lies that has a point in its middle, as far as the whole reaches. */
const placeOf = ({ x, y }: { readonly x: number; readonly y: number }, part: Size, whole: Size): Place => ({
  left: between(Math.round(x - part.width / 2), 0, whole.width - part.width),
  top: between(Math.round(y - part.height / 2), 0, whole.height - part.height),
})

/** Refuses a size with a side above `most`. */
export function checkedSize(size: Size, most: number, what = 'the picture would have'): Size {
  if (size.width > most || size.height > most)
    throw new Refusal('too-large', `${what} ${size.width} × ${size.height} pixels; a side may have at most ${most}`)
  return size
}

export interface EdgeWidths {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

export function edgesOf(values: Readonly<Record<string, unknown>>): EdgeWidths {
  const all = (values['all'] as number | undefined) ?? 0
  const of = (name: string) => (values[name] as number | undefined) ?? all
  return { top: of('top'), right: of('right'), bottom: of('bottom'), left: of('left') }
}

export const resizeOf = (values: Readonly<Record<string, unknown>>): Resize => ({
  ...(values['width'] === undefined ? {} : { width: values['width'] as number }),
  ...(values['height'] === undefined ? {} : { height: values['height'] as number }),
  fit: (values['fit'] as Fit | undefined) ?? 'cover',
  withoutEnlargement: values['withoutEnlargement'] === true,
  focus: null,
})

/**
 * The size after an operation, every size between included in the limit. With `isExact` false, the size is an upper
 * bound: what `trim` leaves is known only when the pixels are.
 */
export function sizeAfter(
  { method, arguments: values }: { readonly method: string; readonly arguments: Readonly<Record<string, unknown>> },
  size: Size,
  most: number,
  isExact = true,
): Size {
  if (method === 'resize') {
    const plan = planResize(size, resizeOf(values))
    checkedSize(plan.scaled, most)
    return checkedSize(plan.final, most)
  }
  if (method === 'extend') {
    const { top, right, bottom, left } = edgesOf(values)
    return checkedSize({ width: size.width + left + right, height: size.height + top + bottom }, most)
  }
  if (method === 'rotate') return checkedSize(turned(size, values['angle'] as number), most)
  return method === 'extract' ? extracted(size, values, isExact) : size
}

function extracted(size: Size, values: Readonly<Record<string, unknown>>, isExact: boolean): Size {
  const [left, top, width, height] = ['left', 'top', 'width', 'height'].map((name) => values[name] as number)
  if (left! + width! > size.width || top! + height! > size.height)
    throw invalid(
      `"extract" reaches beyond the picture, which has ${isExact ? '' : 'at most '}${size.width} × ${size.height} pixels there`,
    )
  return { width: width!, height: height! }
}

function turned({ width, height }: Size, angle: number): Size {
  if (angle % 180 === 0) return { width, height }
  if (angle % 90 === 0) return { width: height, height: width }
  const radians = (angle * Math.PI) / 180
  const [sine, cosine] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))]
  return { width: Math.ceil(width * cosine + height * sine), height: Math.ceil(width * sine + height * cosine) }
}
