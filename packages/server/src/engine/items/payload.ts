import { forbidden, invalidPayload } from '@tain/contract'
import { isExactNumber } from '../../lib/exact-json.ts'
import type { Payload } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'

export const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function asPayload(value: unknown): Payload {
  if (!isObject(value)) throw invalidPayload('An item has to be an object')
  return value
}

/** The payload of the item with this key. A key in the payload has to be the same one. */
export function payloadAt(key: readonly string[], value: unknown, collection: Collection): Payload {
  if (key.length !== collection.key.length) throw forbidden()
  const payload = asPayload(value)
  const named = Object.fromEntries(collection.key.map((field, index) => [field.name, key[index] ?? '']))
  for (const [name, part] of Object.entries(named))
    if (payload[name] !== undefined && !isSameText(payload[name], part))
      throw invalidPayload(`"${name}" is another one than in the address`)
  return { ...payload, ...named }
}

const isSameText = (value: unknown, part: string): boolean => {
  const text = isExactNumber(value) ? value.rawJSON : typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.toLowerCase() === part.toLowerCase()
}
