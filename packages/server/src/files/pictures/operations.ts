import type { Sharp } from 'sharp'
import { edgesOf, planResize, resizeOf, type ResizePlan, type Size } from './geometry.ts'
import type { Step } from './transforms.ts'

type Arguments = Readonly<Record<string, never>>

/** Adds a resize to a pipeline that has no other one. */
export function applyResize(picture: Sharp, plan: ResizePlan, background?: unknown): Sharp {
  const { cutBefore, scaled, cutAfter, canvas, final } = plan
  const part = cutBefore === null ? picture : picture.extract(cutBefore)
  const resized = part.resize({ ...scaled, fit: 'fill' })
  if (cutAfter !== null) return resized.extract({ ...cutAfter, ...final })
  if (canvas === null) return resized
  return resized.extend({
    ...canvas,
    right: final.width - scaled.width - canvas.left,
    bottom: final.height - scaled.height - canvas.top,
    background: (background ?? { r: 0, g: 0, b: 0, alpha: 1 }) as never,
  })
}

/** Absent arguments stay absent: the library has defaults for them. */
const only = (values: Arguments) => (Object.keys(values).length === 0 ? undefined : (values as never))

/** The operations of the library, by the names of the table of operations. */
const operations: Readonly<Record<string, (picture: Sharp, values: Arguments, size: Size) => Sharp>> = {
  resize: (picture, values, size) => applyResize(picture, planResize(size, resizeOf(values)), values['background']),
  extract: (picture, values) => picture.extract(values as never),
  trim: (picture, values) => picture.trim(only(values)),
  extend: (picture, values) => {
    const options = Object.entries(values).filter(([name]) => name === 'background' || name === 'extendWith')
    return picture.extend({ ...edgesOf(values), ...Object.fromEntries(options) })
  },
  rotate: (picture, { angle, ...options }) => picture.rotate(angle, only(options)),
  flip: (picture) => picture.flip(),
  flop: (picture) => picture.flop(),
  sharpen: (picture, values) => picture.sharpen(values['sigma'] === undefined ? undefined : (values as never)),
  median: (picture, { size }) => picture.median(size),
  blur: (picture, { sigma }) => picture.blur(sigma),
  flatten: (picture, values) => picture.flatten(only(values)),
  negate: (picture, values) => picture.negate(only(values)),
  normalise: (picture, values) => picture.normalise(only(values)),
  clahe: (picture, values) => picture.clahe(values as never),
  gamma: (picture, { gamma, gammaOut }) => picture.gamma(gamma, gammaOut),
  modulate: (picture, values) => picture.modulate(values),
  tint: (picture, { colour }) => picture.tint(colour!),
  greyscale: (picture) => picture.greyscale(),
  threshold: (picture, { threshold, ...options }) => picture.threshold(threshold, only(options)),
  linear: (picture, { a, b }) => picture.linear(a, b),
  recomb: (picture, { matrix }) => picture.recomb(matrix!),
  toColourspace: (picture, { colourspace }) => picture.toColourspace(colourspace),
}

export const operationNames = Object.keys(operations)

export const applyStep = (picture: Sharp, { method, arguments: values }: Step, size: Size): Sharp =>
  operations[method]!(picture, values as Arguments, size)
