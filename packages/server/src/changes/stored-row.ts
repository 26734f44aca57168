import type { Collection } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import type { RevisionRow } from '../sql/bulk.ts'

/** The columns of a row as changes carry it. */
export const storedRow = ({ columns, isWhollyReadable }: Collection): RevisionRow => ({
  columns: [...columns.values()].map(typed),
  isWhole: isWhollyReadable,
})
