import type { RevisionRow } from '../../bulk.ts'
import type { TypedColumn } from '../../dialect.ts'
import { column, list, sql, type Sql } from '../../sql.ts'
import { formOf } from './values.ts'

const times = new Set(['timestamptz', 'timestamp', 'time'])

/** Values that the database prints in a different form than responses show. */
const isReshaped = ({ column: { baseType, elementType } }: TypedColumn): boolean =>
  times.has(baseType) || elementType !== null

/** A row as revisions store it: numbers as numbers, times and lists as responses show them. */
export function storedRow({ columns, isWhole }: RevisionRow, source: string): Sql {
  if (isWhole && !columns.some(isReshaped)) return sql`to_json(${sql.id(source)}.*)`
  const members = columns.map((stored) => {
    const value = column(source, stored.name)
    return sql`${isReshaped(stored) ? formOf({ ...stored, isConcealed: false }).json(value) : value} as ${sql.id(stored.name)}`
  })
  return sql`(select to_json(o.*) from (select ${list(members)}) o)`
}
