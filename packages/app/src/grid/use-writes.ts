import { useMemo, useSyncExternalStore } from 'react'
import { ApiError, messageOf } from '../api/api-error.ts'
import { readItem, updateItem } from '../api/items.ts'
import type { RowSource } from './row-source.ts'
import { undoTab } from './undo-tab.ts'
import { valueAt } from './value-at.ts'
import { createWrites, type Wire, type Writes } from './writes.ts'

const wireOf = ({ query: { collection, fields } }: RowSource): Wire => ({
  update: (key, change, etag) => updateItem(collection, key, change, { etag, fields }),
  readWhole: async (key, path) => valueAt((await readItem(collection, key, { fields: [path] })).data, path),
  refusalOf: (error) => ({
    status: error instanceof ApiError ? error.status : 0,
    message: messageOf(error),
    extensions: error instanceof ApiError ? error.extensions : {},
  }),
})

const made = new WeakMap<RowSource, Writes>()

/** The writes of a source: the same object as long as the source is. */
export function writesOf(source: RowSource): Writes {
  const known = made.get(source)
  if (known !== undefined) return known
  const writes = createWrites(source, wireOf(source), undoTab)
  made.set(source, writes)
  return writes
}

export function useWrites(source: RowSource): { readonly writes: Writes; readonly version: number } {
  const writes = useMemo(() => writesOf(source), [source])
  return { writes, version: useSyncExternalStore(writes.subscribe, writes.version) }
}
