import { invalidPayload } from '@tain/contract'
import { isExactNumber } from '../../lib/exact-json.ts'
import { keyParts } from '../../query/keys.ts'
import type { Payload } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'

/** Whether an item contains its complete primary key. */
export const hasKey = (item: Payload, { key }: Collection) =>
  key.length > 0 &&
  key.every(({ name }) => item[name] !== undefined && (typeof item[name] !== 'object' || isExactNumber(item[name])))

export function ownKey(item: Payload, collection: Collection): string[] {
  if (!hasKey(item, collection)) throw invalidPayload('Item in update misses primary key')
  const [only] = collection.key
  return keyParts(
    collection.key.length === 1 && only !== undefined
      ? item[only.name]
      : Object.fromEntries(collection.key.map(({ name }) => [name, item[name]])),
    collection,
  )
}
