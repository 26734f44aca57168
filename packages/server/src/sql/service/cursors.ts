import type { Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Statements on what extensions have worked off. Parameter 0 is always the name of the cursor. */
export interface CursorStatements {
  /** Epoch and position; no row: nothing was kept. */
  readonly read: (schema: string) => Query
  /** Parameters 1 and 2: epoch and position. */
  readonly keep: (schema: string) => Query
}

const TABLE = 'service_extension_cursors'

export const cursorStatements = ({ text, integer, upsert }: ServiceDialect): CursorStatements => ({
  read: (schema) => tablesIn(schema).selectFrom(TABLE).select(['epoch', 'position']).where('name', '=', text(0)),
  keep: (schema) =>
    upsert(
      tablesIn(schema)
        .insertInto(TABLE)
        .values({ name: text(0), epoch: text(1), position: integer(2) }),
      ['name'],
      ['epoch', 'position'],
    ),
})
