import { invalidPayload } from '@tain/contract'
import type { Mutation, MutationRoot } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'
import { asPayload, payloadAt } from './payload.ts'
import { isSingleton } from './singleton.ts'

/** A write of items, as a protocol states it. */
export interface ItemWrite {
  readonly mutation: Mutation
  /** The form of the response: one item, a list, or nothing. */
  readonly shows: 'one' | 'many' | 'nothing'
  /** Row versions that the caller accepts. */
  readonly ifMatch: readonly string[] | null
}

export const showingOne = (mutation: Mutation): ItemWrite => ({ mutation, shows: 'one', ifMatch: null })
export const showingMany = (mutation: Mutation): ItemWrite => ({ mutation, shows: 'many', ifMatch: null })
export const showingNothing = (mutation: Mutation): ItemWrite => ({ mutation, shows: 'nothing', ifMatch: null })

type Key = readonly string[]

/** Updates the addressed item: the one with the key, or the only one of a singleton. null: no item is addressed. */
export function updateAt(root: MutationRoot, key: Key | null, data: unknown, collection: Collection): ItemWrite | null {
  if (isSingleton(collection)) return showingOne({ ...root, kind: 'singleton', data: asPayload(data) })
  if (key === null) return null
  return showingOne({ ...root, kind: 'update', target: { kind: 'parts', keys: [key] }, data: asPayload(data) })
}

export const deleteAt = (root: MutationRoot, key: Key): ItemWrite =>
  showingNothing({ ...root, kind: 'delete', target: { kind: 'parts', keys: [key] } })

export const upsertAt = (root: MutationRoot, key: Key, data: unknown, collection: Collection): ItemWrite =>
  showingOne({ ...root, kind: 'upsert', items: [payloadAt(key, data, collection)], on: null })

/** A write of a list as one write per item. */
export function writesOfEach({ mutation, shows }: ItemWrite): ItemWrite[] {
  const isList = mutation.kind === 'create' || mutation.kind === 'update-each' || mutation.kind === 'upsert'
  if (!isList || shows !== 'many')
    throw invalidPayload('With "Prefer: results=each" the body has to be a list of items')
  return mutation.items.map((item) => showingOne({ ...mutation, items: [item] }))
}
