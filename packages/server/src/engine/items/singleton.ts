import type { Actor } from '../../access/actor.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Query } from '../../query/query.ts'
import { defaultValue } from '../../schema/describe.ts'
import type { Collection } from '../../schema/schema.ts'
import type { Read } from '../read.ts'

export const isSingleton = ({ meta }: Collection): boolean => meta?.singleton === true

export type AddressedWrite = 'create' | 'update' | 'delete' | 'upsert'

/** A singleton has no keys: its row is created by the first update. The row of a system singleton always exists. */
const singletonTakes: Readonly<Record<AddressedWrite, (collection: Collection, hasKey: boolean) => boolean>> = {
  create: () => false,
  update: (_, hasKey) => !hasKey,
  delete: ({ isSystem }) => !isSystem,
  upsert: ({ isSystem }) => !isSystem,
}

/** Whether a collection, or one of its items, can be written in this way at all. */
export const takesWrite = (write: AddressedWrite, collection: Collection, hasKey: boolean): boolean =>
  isSingleton(collection) ? singletonTakes[write](collection, hasKey) : write !== 'create' || !hasKey

/** The read of a singleton: its only row. */
export function firstRow(read: Read): Read {
  if (read.query.limit === 1) return read
  const query = { ...read.query, limit: 1 }
  return { ...read, query, queryKey: queryKeyOf(query) }
}

/**
 * The response for a singleton without a row: the defaults of the selected fields that have one and that the caller may
 * read.
 */
export function knownDefaults(collection: Collection, actor: Actor, { select }: Query): string {
  const readable = actor.fieldsFor(collection, 'read')
  const wanted = new Set(select.flatMap((selection) => (selection.kind === 'all' ? [] : [selection.name])))
  const isAll = select.some(({ kind }) => kind === 'all')
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const field of collection.columns.values()) {
    if ((!isAll && !wanted.has(field.name)) || (readable !== 'all' && !readable.has(field.name))) continue
    if (collection.key.includes(field)) values[field.name] = null
    else if (defaultValue(field) !== null) values[field.name] = defaultValue(field)
  }
  return JSON.stringify(values)
}

/** The same for a protocol whose response contains every selected name: fields without a default are null. */
export function selectedDefaults(collection: Collection, { select }: Query): string {
  const parts = select.flatMap((selection) => {
    if (selection.kind === 'all' || selection.kind === 'function') return []
    const key = JSON.stringify(selection.as)
    if (selection.kind === 'constant') return [`${key}:${JSON.stringify(selection.text)}`]
    const field = collection.columns.get(selection.name)
    const isOwn = selection.kind === 'field' && field !== undefined && !collection.key.includes(field)
    return [`${key}:${isOwn ? JSON.stringify(defaultValue(field)) : 'null'}`]
  })
  return `{${parts.join(',')}}`
}
