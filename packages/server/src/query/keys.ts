import { forbidden } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import type { Collection } from '../schema/schema.ts'

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

/** A key in a body: one value, the parts as one text, or an object with all parts. A key that cannot be one is FORBIDDEN. */
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
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  throw forbidden()
}
