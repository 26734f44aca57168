import type { Collection } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import type { RevisionRow } from '../sql/bulk.ts'

/** The columns of a row as changes carry it. */
export const storedRow = ({ columns, isWhollyReadable, isSystem }: Collection): RevisionRow => ({
  columns: [...columns.values()].map(typed),
  // Tables of the service have columns that nobody sees.
  isWhole: isWhollyReadable && !isSystem,
})
