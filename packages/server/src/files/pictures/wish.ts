import { nearest } from '../../lib/nearest.ts'
import { asFlag, asInteger, oneOf, type Reader } from './argument.ts'
import { fits, type Fit } from './geometry.ts'
import { invalid } from './refusal.ts'
import { readTransforms, type Step } from './transforms.ts'

export const formats = ['jpg', 'png', 'webp', 'avif', 'tiff'] as const
export type Format = (typeof formats)[number]

/** What a request, or a preset, says about a variant. */
export interface Wish {
  readonly width?: number
  readonly height?: number
  readonly fit?: Fit
  readonly format?: Format | 'auto'
  readonly quality?: number
  readonly withoutEnlargement?: boolean
  readonly focal_point_x?: number
  readonly focal_point_y?: number
  readonly transforms?: readonly Step[]
}

const side = asInteger(1, 1_000_000_000)
const point = asInteger(0, 1_000_000_000)

const readers = (mostOperations: number): { readonly [Name in keyof Required<Wish>]: Reader } => ({
  width: side,
  height: side,
  fit: oneOf(fits),
  format: oneOf(['auto', ...formats]),
  quality: asInteger(1, 100),
  withoutEnlargement: asFlag,
  focal_point_x: point,
  focal_point_y: point,
  transforms: (value) => readTransforms(value, mostOperations),
})

export const wishNames = Object.keys(readers(0))

/** `known` are further names that callers may mean, for the message about an unknown one. */
export function readWish(
  values: Iterable<readonly [name: string, value: unknown]>,
  mostOperations: number,
  known: readonly string[] = [],
): Wish {
  const table: Readonly<Record<string, Reader>> = readers(mostOperations)
  const wish: Record<string, unknown> = {}
  for (const [name, value] of values) {
    if (!Object.hasOwn(table, name)) {
      const near = nearest(name, [...wishNames, ...known])
      throw invalid(`there is no parameter "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`)
    }
    if (Object.hasOwn(wish, name)) throw invalid(`"${name}" may be given once`)
    wish[name] = table[name]!(value, name)
  }
  return wish
}
