import { useEffect, useState } from 'react'
import { requestedFields, type Column } from '../../grid/column.ts'
import { createSource, type RowSource } from '../../grid/source.ts'
import type { Collection } from '../../model/collection.ts'
import type { ViewState } from './view-state.ts'

/** The rows of a view. They are read anew when the request changes; null: not begun yet. */
export function useSource(
  collection: Collection,
  columns: readonly Column[],
  { filter, search, sort }: Pick<ViewState, 'filter' | 'search' | 'sort'>,
): RowSource | null {
  const [source, setSource] = useState<RowSource | null>(null)
  const fields = requestedFields(columns, collection.key)
  const request = JSON.stringify([collection.collection, fields, filter, search, sort])
  useEffect(() => {
    const made = createSource({ collection, fields, filter, search, sort })
    setSource(made)
    return () => made.dispose()
    // The request says all of it; the objects change with every reading of the address.
  }, [request])
  return source
}
