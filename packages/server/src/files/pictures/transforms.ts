import { nearest } from '../../lib/nearest.ts'
import { asColour, asFlag, asInteger, asList, asNumber, either, oneOf, type Reader } from './argument.ts'
import { fits } from './geometry.ts'
import { invalid } from './refusal.ts'

/** One operation, with its arguments by name. */
export interface Step {
  readonly method: string
  readonly arguments: Readonly<Record<string, unknown>>
}

interface Method {
  /** Names of arguments that may be given by their place. */
  readonly places?: readonly string[]
  readonly options?: Readonly<Record<string, Reader>>
  readonly needed?: readonly string[]
}

/** Longer sides are refused as too large, with other words, later. */
const side = asInteger(1, 1_000_000_000)
const edge = asInteger(0, 1_000_000_000)
const amount = asNumber(-1_000_000, 1_000_000)
const amounts = either(asList([1, 2, 3, 4], amount), Array.isArray, amount)
const row = (length: number) => asList([length], amount)

/** All operations. None of them reads or writes a file, and every argument has a range. */
const methods: Readonly<Record<string, Method>> = {
  resize: {
    places: ['width', 'height'],
    options: { width: side, height: side, fit: oneOf(fits), withoutEnlargement: asFlag, background: asColour },
  },
  extract: {
    options: { left: edge, top: edge, width: side, height: side },
    needed: ['left', 'top', 'width', 'height'],
  },
  trim: { options: { threshold: asNumber(0, 255), background: asColour, lineArt: asFlag } },
  extend: {
    places: ['all'],
    options: {
      all: edge,
      top: edge,
      right: edge,
      bottom: edge,
      left: edge,
      background: asColour,
      extendWith: oneOf(['background', 'copy', 'repeat', 'mirror']),
    },
  },
  rotate: { places: ['angle'], options: { angle: asNumber(-3600, 3600), background: asColour }, needed: ['angle'] },
  flip: {},
  flop: {},
  sharpen: {
    places: ['sigma'],
    options: {
      sigma: asNumber(0.01, 10),
      m1: asNumber(0, 1_000_000),
      m2: asNumber(0, 1_000_000),
      x1: asNumber(0, 1_000_000),
      y2: asNumber(0, 1_000_000),
      y3: asNumber(0, 1_000_000),
    },
  },
  median: { places: ['size'], options: { size: asInteger(1, 50) } },
  blur: { places: ['sigma'], options: { sigma: asNumber(0.3, 1000) } },
  flatten: { options: { background: asColour } },
  negate: { options: { alpha: asFlag } },
  normalise: { options: { lower: asNumber(0, 99), upper: asNumber(1, 100) } },
  clahe: {
    options: { width: asInteger(1, 1000), height: asInteger(1, 1000), maxSlope: asInteger(0, 100) },
    needed: ['width', 'height'],
  },
  gamma: { places: ['gamma', 'gammaOut'], options: { gamma: asNumber(1, 3), gammaOut: asNumber(1, 3) } },
  modulate: {
    options: {
      brightness: asNumber(0, 1000),
      saturation: asNumber(0, 1000),
      hue: asInteger(-360_000, 360_000),
      lightness: asNumber(-1000, 1000),
    },
  },
  tint: { places: ['colour'], options: { colour: asColour }, needed: ['colour'] },
  greyscale: {},
  threshold: { places: ['threshold'], options: { threshold: asInteger(0, 255), greyscale: asFlag } },
  linear: { places: ['a', 'b'], options: { a: amounts, b: amounts }, needed: ['a'] },
  recomb: {
    places: ['matrix'],
    options: { matrix: (value, name) => asList([3, 4], row(Array.isArray(value) ? value.length : 3))(value, name) },
    needed: ['matrix'],
  },
  toColourspace: {
    places: ['colourspace'],
    options: { colourspace: oneOf(['srgb', 'rgb', 'b-w', 'bw']) },
    needed: ['colourspace'],
  },
}

const otherNames: Readonly<Record<string, string>> = {
  grayscale: 'greyscale',
  normalize: 'normalise',
  toColorspace: 'toColourspace',
}

export const methodNames = [...Object.keys(methods), ...Object.keys(otherNames)]

/** `[["blur", 5], ["rotate", 90]]`, as JSON or already read. */
export function readTransforms(value: unknown, most: number): readonly Step[] {
  const list = typeof value === 'string' ? parsed(value) : value
  if (!Array.isArray(list)) throw invalid('"transforms" has to be a list such as [["blur", 5], ["rotate", 90]]')
  if (list.length > most) throw invalid(`"transforms" has ${list.length} operations; ${most} are allowed`)
  return list.map(readStep)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('"transforms" has to be JSON')
  }
}

function readStep(entry: unknown): Step {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string')
    throw invalid('every entry of "transforms" has to be a list: the name of an operation, then its arguments')
  const [given, ...values] = entry as [string, ...unknown[]]
  const method = Object.hasOwn(otherNames, given) ? otherNames[given]! : given
  if (!Object.hasOwn(methods, method)) {
    const near = nearest(given, methodNames)
    throw invalid(`"transforms" has no operation "${given}"${near === undefined ? '' : `; did you mean "${near}"?`}`)
  }
  return { method, arguments: checkedArguments(method, methods[method]!, byName(method, methods[method]!, values)) }
}

/** Arguments by their place, and a last one with names. */
function byName(method: string, { places = [] }: Method, values: readonly unknown[]): ReadonlyMap<string, unknown> {
  const last = values.at(-1)
  const isNamed = typeof last === 'object' && last !== null && !Array.isArray(last) && !isColourOf(method, last)
  const placed = (isNamed ? values.slice(0, -1) : values).filter((value) => value !== null)
  if (placed.length > places.length)
    throw invalid(`"${method}" takes ${places.length === 0 ? 'no arguments' : places.join(', ')} by place`)
  return new Map([...placed.map((value, n) => [places[n]!, value] as const), ...Object.entries(isNamed ? last : {})])
}

const isColourOf = (method: string, value: object): boolean => method === 'tint' && !('colour' in value)

function checkedArguments(name: string, method: Method, values: ReadonlyMap<string, unknown>): Step['arguments'] {
  const options = method.options ?? {}
  for (const key of values.keys())
    if (!Object.hasOwn(options, key)) {
      const near = nearest(key, Object.keys(options))
      throw invalid(`"${name}" has no argument "${key}"${near === undefined ? '' : `; did you mean "${near}"?`}`)
    }
  for (const key of method.needed ?? []) if (!values.has(key)) throw invalid(`"${name}" needs the argument "${key}"`)
  const found = Object.fromEntries([...values].map(([key, value]) => [key, options[key]!(value, `${name}.${key}`)]))
  checkTogether(name, found)
  return found
}

function checkTogether(name: string, found: Readonly<Record<string, unknown>>): void {
  if (name === 'resize' && found['width'] === undefined && found['height'] === undefined)
    throw invalid('"resize" needs "width", "height" or both')
  if (name === 'normalise' && Number(found['lower'] ?? 1) >= Number(found['upper'] ?? 99))
    throw invalid('"normalise.lower" has to be less than "normalise.upper"')
}
