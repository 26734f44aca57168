import { invalidPayload } from '@tain/contract'
import type { Collection } from '../schema/schema.ts'
import { keyIn } from './keys.ts'
import { isPayload, type Payload } from './mutation.ts'

/** The changes that a payload makes to a to-many relation. */
export interface Changes {
  readonly create: readonly Payload[]
  readonly update: readonly Payload[]
  /** Keys of items that stay in the relation, or join it, unchanged. */
  readonly assign: readonly unknown[]
  readonly remove: { readonly kind: 'others' } | { readonly kind: 'named'; readonly keys: readonly unknown[] } | null
  /** The form with create, update and delete; it continues the sort order of the existing children. */
  readonly isDetailed: boolean
}

const detailedKeys = new Set(['create', 'update', 'delete'])

/** Normalizes both payload forms. `null` empties the relation. */
export function changesOf(value: unknown, name: string, to: Collection): Changes {
  if (value === null || value === '' || value === false)
    return { create: [], update: [], assign: [], remove: { kind: 'others' }, isDetailed: false }
  if (Array.isArray(value)) {
    const objects = value.filter(isPayload)
    const isKeyObject = (entry: Payload) => keyIn(entry, to) !== null
    return {
      create: objects.filter((entry) => !isKeyObject(entry)),
      update: objects.filter(isKeyObject),
      assign: value.filter((entry) => !isPayload(entry)),
      remove: { kind: 'others' },
      isDetailed: false,
    }
  }
  if (!isPayload(value)) throw invalidPayload(`"${name}" has to be a list, or an object with create, update and delete`)
  for (const key of Object.keys(value))
    if (!detailedKeys.has(key))
      throw invalidPayload(`"${key}" is not known in "${name}"; there are create, update and delete`)
  const objects = (key: string): Payload[] => {
    const list: unknown = value[key] ?? []
    if (!Array.isArray(list) || !list.every(isPayload))
      throw invalidPayload(`"${name}.${key}" has to be a list of objects`)
    return list
  }
  const keys: unknown = value['delete'] ?? []
  if (!Array.isArray(keys)) throw invalidPayload(`"${name}.delete" has to be a list of keys`)
  return {
    create: objects('create'),
    update: objects('update'),
    assign: [],
    remove: keys.length === 0 ? null : { kind: 'named', keys },
    isDetailed: true,
  }
}
