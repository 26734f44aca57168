import { useLayoutEffect, useState } from 'react'
import { requestedFields, type Column } from '../../grid/column.ts'
import { createSource, type RowSource, type SourceQuery } from '../../grid/source.ts'
import type { Collection } from '../../model/collection.ts'
import type { ViewState } from './view-state.ts'

/** The rows of a view. They are read anew when the request changes; null: not begun yet. */
export function useSource(
  collection: Collection,
  columns: readonly Column[],
  state: Pick<ViewState, 'filter' | 'search' | 'sort'>,
): RowSource | null {
  const [source, setSource] = useState<RowSource | null>(null)
  const query = queryOf(collection, columns, state)
  const request = requestOf(query)
  // Before the frame is painted, so that the request does not wait for it.
  useLayoutEffect(() => {
    const made = takeOpened(request) ?? createSource(query)
    setSource(made)
    return () => made.dispose()
    // The request says all of it; the objects change with every reading of the address.
  }, [request])
  return source
}

const queryOf = (
  collection: Collection,
  columns: readonly Column[],
  { filter, search, sort }: Pick<ViewState, 'filter' | 'search' | 'sort'>,
): SourceQuery => ({ collection, fields: requestedFields(columns, collection.key), filter, search, sort })

const requestOf = ({ collection, fields, filter, search, sort }: SourceQuery): string =>
  JSON.stringify([collection.collection, fields, filter, search, sort])

let opened: { readonly request: string; readonly source: RowSource } | null = null

/** Reads rows before their list is drawn. */
export function openRows(
  collection: Collection,
  columns: readonly Column[],
  state: Pick<ViewState, 'filter' | 'search' | 'sort'>,
): void {
  opened?.source.dispose()
  const query = queryOf(collection, columns, state)
  opened = { request: requestOf(query), source: createSource(query) }
}

/** The rows that were begun for this request; others that were begun are given up. */
function takeOpened(request: string): RowSource | null {
  const taken = opened
  opened = null
  if (taken === null || taken.request === request) return taken?.source ?? null
  taken.source.dispose()
  return null
}
