import type { Payload } from '../../query/mutation.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import { isExactNumber } from '../../lib/exact-json.ts'
import { fieldNames } from '../schema/names.ts'

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Converts a coerced input to the payload that all protocols share. */
export function payloadOf(given: Payload, collection: Collection, schema: Schema): Payload {
  const payload = Object.create(null) as Record<string, unknown>
  const { meanings } = fieldNames(collection)
  const inside = (value: unknown, name: string | undefined): unknown => {
    const to = name === undefined ? undefined : schema.collections.get(name)
    return to !== undefined && isObject(value) ? payloadOf(value, to, schema) : value
  }
  for (const [key, value] of Object.entries(given)) {
    const meaning = meanings.get(key)
    if (meaning === undefined) {
      payload[key] = value
      continue
    }
    const { field, role, target } = meaning
    const { name, relation } = field
    const to = relation === null || relation.kind === 'any' ? undefined : relation.to
    switch (role) {
      case 'field':
        if (to === undefined) payload[name] = value
        else if (Array.isArray(value))
          payload[name] = [...value.map((entry: unknown) => inside(entry, to)), ...listed(payload[name])]
        else payload[name] = inside(value, to)
        break
      case 'key':
        payload[name] = value
        break
      case 'keys':
        // Keys of existing items join the objects of the same list.
        payload[name] = value === null ? null : [...listed(payload[name]), ...listed(value)]
        break
      case 'changes':
        payload[name] = isObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([change, entries]) => [
                change,
                change === 'delete' ? entries : listed(entries).map((entry) => inside(entry, to)),
              ]),
            )
          : value
        break
      case 'item':
        payload[name] = inside(value, target ?? undefined)
        if (relation?.kind === 'any') payload[relation.collectionColumn] ??= target
        break
      case 'functions':
    }
  }
  return payload
}
