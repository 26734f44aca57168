import type { Collection } from '../schema/schema.ts'
import type { WriteNode } from './bound-write.ts'
import type { Payload } from './mutation.ts'

export const sentKey = (payload: Payload, { key }: Collection): Pick<WriteNode, 'sentKey'> => {
  const parts = key.flatMap(({ name }) => (payload[name] === undefined ? [] : [[name, payload[name]] as const]))
  return parts.length === 0 ? {} : { sentKey: Object.fromEntries(parts) }
}

export const withoutKey = (payload: Payload, collection: Collection): Payload => {
  const names = new Set(collection.key.map(({ name }) => name))
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.has(name)))
}

export const without = (payload: Payload, names: readonly string[]): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)))

/** Whether only the caller can provide the key of a new row. */
export const callerMakesKey = ({ key }: Collection): boolean =>
  key.some(
    ({ column, specials, relation }) =>
      column.defaultExpression === null && column.identity === null && !specials.includes('uuid') && relation === null,
  )
