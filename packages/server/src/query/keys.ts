import { forbidden } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import type { Collection } from '../schema/schema.ts'
import { isPayload, type Payload } from './mutation.ts'

/** Parts of a key joined by commas, each percent-encoded. */
export function keyFromText(text: string): string[] {
  const parts = text.split(',')
  if (!text.includes('%')) return parts
  try {
    return parts.map(decodeURIComponent)
  } catch {
    throw forbidden()
  }
}

/** The inverse of keyFromText; commas, slashes and percent signs inside a part are percent-encoded. */
export const joinedKey = (parts: readonly string[]): string =>
  parts.length === 1
    ? (parts[0] ?? '')
    : parts.map((part) => part.replace(/[%,/]/gu, (character) => encodeURIComponent(character))).join(',')

/**
 * A key in a request body: one value, the parts as one text, or an object with all parts. An invalid key is FORBIDDEN.
 */
export function keyParts(key: unknown, collection: Collection): string[] {
  if (typeof key === 'object' && key !== null && !isExactNumber(key)) {
    const given = key as Readonly<Record<string, unknown>>
    if (Object.keys(given).length !== collection.key.length) throw forbidden()
    return collection.key.map(({ name }) => plainKey(given[name]))
  }
  const parts = collection.key.length > 1 ? keyFromText(plainKey(key)) : [plainKey(key)]
  if (parts.length !== collection.key.length) throw forbidden()
  return parts
}

function plainKey(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  throw forbidden()
}

/** The key inside a nested object; null if a part is missing. */
export function keyIn(payload: Payload, collection: Collection): string[] | null {
  if (collection.key.length === 0) return null
  const parts = collection.key.map(({ name }) => payload[name])
  if (parts.some((part) => part === undefined || part === null || isPayload(part))) return null
  return keyParts(
    collection.key.length === 1
      ? parts[0]
      : Object.fromEntries(collection.key.map(({ name }, index) => [name, parts[index]])),
    collection,
  )
}
