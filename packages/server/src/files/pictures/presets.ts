import { asList, oneOf } from './argument.ts'
import { checkedSize } from './geometry.ts'
import { invalid } from './refusal.ts'
import { readWish, type Wish } from './wish.ts'

export interface PictureLimits {
  /** The longest side in pixels. */
  readonly mostPixels: number
  readonly mostOperations: number
}

const systemSizes = { small: 64, medium: 300, large: 800 }

/** Presets that always exist: the admin app needs them. */
const systemPresets: ReadonlyMap<string, Wish> = new Map(
  Object.entries(systemSizes).flatMap(([name, side]): [string, Wish][] => {
    const size = { width: side, height: side, format: 'auto' } as const
    return [
      [`system-${name}-cover`, { ...size, fit: 'cover' }],
      [`system-${name}-contain`, { ...size, fit: 'inside' }],
    ]
  }),
)

export const transformModes = ['all', 'presets', 'none'] as const
export type TransformMode = (typeof transformModes)[number]

export interface AssetSettings {
  readonly storage_asset_transform: unknown
  /** For callers without credentials, who may never ask for more than the others. */
  readonly storage_asset_transform_public: unknown
  readonly storage_asset_presets: unknown
}

const KEY = /^[\w.-]{1,100}$/u

/** The presets of `settings.storage_asset_presets`, by key. Throws what is wrong with them. */
export function readPresets(value: unknown, limits: PictureLimits): ReadonlyMap<string, Wish> {
  const presets = new Map<string, Wish>()
  for (const [n, entry] of asList(lengthsUpTo(value), (one) => one)(value ?? [], 'storage_asset_presets').entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw invalid(`preset ${n + 1} has to be an object`)
    const { key, ...values } = entry as Record<string, unknown>
    if (typeof key !== 'string' || !KEY.test(key))
      throw invalid(`preset ${n + 1} needs a "key" of letters, digits, "_", "-" and "."`)
    if (key.startsWith('system-'))
      throw invalid(`the key "${key}" is reserved; use one that does not begin with "system-"`)
    if (presets.has(key)) throw invalid(`the key "${key}" is used twice`)
    const given = Object.entries(values).filter(([, one]) => one !== null && one !== undefined)
    const wish = readWish(given, limits.mostOperations)
    checkedSize({ width: wish.width ?? 1, height: wish.height ?? 1 }, limits.mostPixels, `the preset "${key}" asks for`)
    presets.set(key, wish)
  }
  return presets
}

const MOST_PRESETS = 1000
const lengthsUpTo = (value: unknown): readonly number[] => {
  if (Array.isArray(value) && value.length > MOST_PRESETS) throw invalid(`there may be at most ${MOST_PRESETS} presets`)
  return Array.isArray(value) ? [value.length] : [0]
}

/** Parameters of the asset route that say nothing about the picture. */
const routeNames = new Set(['download', 'access_token', 'user', 'expires', 'signature'])
const readMode = oneOf(transformModes)

/** What the caller may ask for: `transformModes` begins with the mode that allows most. */
function modeFor(hasCredentials: boolean, settings: AssetSettings): TransformMode {
  const mode = readMode(settings.storage_asset_transform ?? 'all', 'storage_asset_transform')
  if (hasCredentials) return mode
  const shared = readMode(settings.storage_asset_transform_public ?? 'presets', 'storage_asset_transform_public')
  return transformModes.indexOf(shared) > transformModes.indexOf(mode) ? shared : mode
}

const refusals: Readonly<Record<'all' | 'public', string>> = {
  all: 'this project allows no parameters besides "key"; ask an administrator for a preset',
  public:
    'without credentials, this project allows no parameters besides "key"; sign in, use a signed link, or ask an administrator for a preset',
}

const isOfPicture = (name: string): boolean => !routeNames.has(name) && !name.startsWith('_')

/** Whether a query string says anything about the picture. */
export const hasWish = (query: URLSearchParams): boolean => query.keys().some(isOfPicture)

/** The wish of a query string; null: the original. */
export function wishOf(
  query: Iterable<readonly [name: string, value: string]>,
  hasCredentials: boolean,
  settings: AssetSettings,
  limits: PictureLimits,
): Wish | null {
  const own = [...query].filter(([name]) => isOfPicture(name))
  if (own.length === 0) return null
  const keys = own.filter(([name]) => name === 'key').map(([, value]) => value)
  const others = own.filter(([name]) => name !== 'key')
  const wish = readWish(others, limits.mostOperations, ['key', 'download'])
  const mode = modeFor(hasCredentials, settings)
  if (keys.length > 1) throw invalid('"key" may be given once')
  if (mode !== 'all' && others.length > 0)
    throw invalid(refusals[hasCredentials || modeFor(true, settings) !== 'all' ? 'all' : 'public'])
  const [key] = keys
  return key === undefined ? wish : { ...presetOf(key, mode, settings.storage_asset_presets, limits), ...wish }
}

function presetOf(key: string, mode: TransformMode, saved: unknown, limits: PictureLimits): Wish {
  const system = systemPresets.get(key)
  if (system !== undefined) return system
  // Presets of before they were checked may be wrong; the others work all the same.
  const own = Array.isArray(saved) ? saved.filter((entry: { key?: unknown } | null) => entry?.key === key) : []
  const preset = mode === 'none' ? undefined : readPresets(own, limits).get(key)
  if (preset === undefined) throw invalid(`there is no preset "${key}"`)
  return preset
}
