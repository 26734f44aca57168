import type { TypedColumn } from '../../dialect.ts'
import type { Sql } from '../../sql.ts'
import { jsonObject } from './json.ts'
import { formOf } from './values.ts'

/** A row as revisions store it: its values as responses show them. */
export const storedRow = (columns: readonly TypedColumn[], valueOf: (name: string) => Sql): Sql =>
  jsonObject(
    columns.map((stored) => ({
      name: stored.name,
      isCatalogueName: true,
      value: formOf({ ...stored, isConcealed: false }).json(valueOf(stored.name)),
    })),
  )
