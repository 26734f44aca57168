import { column as columnOf, sql, type Query, type Sql } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn, type ServiceDatabase } from './query-builder.ts'

/**
 * Statements on uploads that are not complete yet. Parameter 0 is always the id. Who writes an upload holds it for a
 * while, so that two replicas never do at once; parameter 1 is then the holder.
 */
export interface UploadStatements {
  /** Parameters 1 to 5: kind, caller, content, state, milliseconds until it expires. */
  readonly create: (schema: string) => Query
  /** Kind, caller, content, state, file, holder, the milliseconds until it expires and whether it is held; no row if it has expired. */
  readonly read: (schema: string) => Query
  /** Holds an upload that nobody holds. Parameter 2: milliseconds. */
  readonly take: (schema: string) => Query
  /** Goes on holding it. Parameter 2: milliseconds. */
  readonly renew: (schema: string) => Query
  /** Parameters 2 to 4: state, file or an empty text, milliseconds until it expires. */
  readonly keep: (schema: string) => Query
  readonly release: (schema: string) => Query
  readonly remove: (schema: string) => Query
  /** The ids of some expired uploads that nobody holds. No parameters. */
  readonly expired: (schema: string) => Query
  /** The states of all uploads, and their contents. No parameters. */
  readonly all: (schema: string) => Query
}

const TABLE = 'service_uploads'
const AT_ONCE = 100

const column = (name: keyof ServiceDatabase[typeof TABLE]): Sql => columnOf(TABLE, name)

export const uploadStatements = ({ text, integer, clock, after, milliseconds }: ServiceDialect): UploadStatements => {
  const [id, holder] = [text(0), text(1)]
  const isHeld = sql<boolean>`(${column('holder')} is not null and ${column('held_until')} > ${clock})`
  const upload = (schema: string) => tablesIn(schema).updateTable(TABLE).where('id', '=', id)
  const held = (schema: string) => upload(schema).where('holder', '=', holder)
  return {
    create: (schema) =>
      tablesIn(schema)
        .insertInto(TABLE)
        .values({
          id,
          kind: text(1),
          caller: text(2),
          content: text(3),
          state: text(4),
          expires: after('clock', integer(5)),
        }),
    read: (schema) =>
      tablesIn(schema)
        .selectFrom(TABLE)
        .select(['kind', 'caller', 'content', 'state', 'file', 'holder'])
        .select(sql`ceil(${milliseconds(clock, column('expires'))})`.as('remaining'))
        .select(sql`case when ${isHeld} then 1 else 0 end`.as('is_held'))
        .where('id', '=', id)
        .where(sql<boolean>`(${column('expires')} > ${clock} or ${isHeld})`),
    take: (schema) =>
      upload(schema)
        .set({ holder, held_until: after('clock', integer(2)) })
        .where(sql<boolean>`not ${isHeld}`),
    renew: (schema) => held(schema).set({ held_until: after('clock', integer(2)) }),
    keep: (schema) =>
      held(schema).set({
        state: text(2),
        file: sql`nullif(${text(3)}, '')`,
        expires: after('clock', integer(4)),
      }),
    release: (schema) => held(schema).set({ holder: sql<null>`null` }),
    remove: (schema) => tablesIn(schema).deleteFrom(TABLE).where('id', '=', id).where('holder', '=', holder),
    expired: (schema) =>
      tablesIn(schema)
        .selectFrom(TABLE)
        .select('id')
        .where('expires', '<', clock)
        .where(sql<boolean>`not ${isHeld}`)
        .limit(sql.lit(AT_ONCE)),
    all: (schema) => tablesIn(schema).selectFrom(TABLE).select(['content', 'state']),
  }
}
