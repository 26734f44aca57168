import { Readable } from 'node:stream'
import { invalidQuery, ServiceError } from '@tain/contract'
import type { Storage } from '../storage/storage.ts'
import { Unavailable, type Maker } from './maker.ts'
import { hasWish, wishOf, type AssetSettings, type PictureLimits } from './presets.ts'
import { Refusal } from './refusal.ts'
import { checkSizes, isSource, typeOfFormat, variantHash, variantOf, type Variant } from './variant.ts'

/** A file whose variants are asked for. */
export interface Original {
  readonly id: string
  readonly key: string
  readonly type: string | null
  readonly size: number
  readonly checksum: string | null
  readonly width: number | null
  readonly height: number | null
  readonly focalPoint: { readonly x: number; readonly y: number } | null
}

export interface VariantRequest {
  readonly query: URLSearchParams
  readonly accept: string
  readonly hasCredentials: boolean
}

/** The variant that a request means. */
export interface WantedVariant {
  readonly variant: Variant
  readonly type: string
  /** The object in the storage of the original. */
  readonly key: string
  readonly hash: string
  /** The format depends on `Accept`. */
  readonly isNegotiated: boolean
}

export interface Variants {
  /** Throws what is wrong with the parameters. null: the original is sent. */
  readonly find: (request: VariantRequest, original: Original) => Promise<WantedVariant | null>
  /** The size of the variant, which is in the storage then. */
  readonly ensure: (wanted: WantedVariant, original: Original, storage: Storage) => Promise<number>
  readonly close: () => void
}

/** Larger originals are not read: decoded, they would be above any limit of pixels. */
const MOST_BYTES = 300 * 1024 * 1024

export interface VariantParts {
  readonly maker: Maker
  readonly settings: () => Promise<AssetSettings>
  /** Whether the file still has the content that a variant was made from. */
  readonly isCurrent: (original: Original) => Promise<boolean>
  readonly limits: PictureLimits
}

export function createVariants({ maker, settings, isCurrent, limits }: VariantParts): Variants {
  const inMaking = new Map<string, Promise<number>>()

  async function make({ variant, key }: WantedVariant, original: Original, storage: Storage): Promise<number> {
    const order = { variant, mostPixels: limits.mostPixels }
    const open = async () => (await storage.read(original.key)) ?? lost()
    const content = await maker.make(order, open, original.size)
    await storage.write(key, Readable.from([content]))
    // The file was replaced or deleted meanwhile, with the variants that were there: this one came too late.
    if (!(await isCurrent(original))) {
      await storage.remove(key)
      return lost()
    }
    return content.length
  }

  return {
    find: ({ query, accept, hasCredentials }, original) =>
      inServiceWords(async () => {
        if (!hasWish(query)) return null
        const wish = wishOf(query, hasCredentials, await settings(), limits)
        if (wish === null || original.checksum === null || !isSource(original.type)) return null
        const source = { ...original, type: original.type, checksum: original.checksum }
        const variant = variantOf(wish, source, accept)
        if (original.size > MOST_BYTES) throw new Refusal('too-large', 'the original is too large')
        if (original.width !== null && original.height !== null)
          checkSizes(variant, { width: original.width, height: original.height }, limits.mostPixels)
        const hash = variantHash(variant, original.checksum)
        const key = `${original.id}__${hash}.${variant.format}`
        return { variant, type: typeOfFormat(variant.format), key, hash, isNegotiated: wish.format === 'auto' }
      }),
    ensure: (wanted, original, storage) =>
      inServiceWords(async () => {
        const stored = await storage.size(wanted.key)
        if (stored !== null) return stored
        const running = inMaking.get(wanted.key)
        if (running !== undefined) return running
        const making = make(wanted, original, storage).finally(() => inMaking.delete(wanted.key))
        inMaking.set(wanted.key, making)
        return making
      }),
    close: maker.close,
  }
}

const lost = (): never => {
  throw unavailable('The content of this file cannot be read at the moment.')
}

const unavailable = (message: string, cause?: unknown) =>
  new ServiceError('SERVICE_UNAVAILABLE', message, { service: 'assets' }, { cause })

async function inServiceWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) throw error
    if (error instanceof Refusal) throw refused(error)
    if (error instanceof Unavailable)
      throw unavailable('The picture cannot be made at the moment; try again later.', error)
    throw unavailable('The content of this file cannot be read at the moment.', error)
  }
}

function refused({ kind, message }: Refusal): ServiceError {
  if (kind === 'invalid') return invalidQuery(capitalised(message))
  if (kind === 'too-large') return new ServiceError('ILLEGAL_ASSET_TRANSFORMATION', `${capitalised(message)}.`)
  return new ServiceError('UNPROCESSABLE_CONTENT', 'The content of this file cannot be read as a picture.')
}

const capitalised = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
