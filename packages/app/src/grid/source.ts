import { readItems } from '../api/items.ts'
import type { RowSource, SourceQuery } from './row-source.ts'
import { createRows } from './rows.ts'

export { CUT, type RowSource, type SourceQuery, type SourceSnapshot } from './row-source.ts'

/** The rows of a view, read from the service. */
export const createSource = (query: SourceQuery): RowSource => createRows(query, readItems)
