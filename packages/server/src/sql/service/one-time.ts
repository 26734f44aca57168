import { sql, table, type Query, type Steps } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Statements on values that can be used once and expire. Parameters 0 and 1 are always the kind and the key. */
export interface OneTimeStatements {
  /** Stores a value and replaces the previous one. Parameters 2 and 3: the value, its lifetime in milliseconds. */
  readonly put: (schema: string) => Query
  /** The value, unless it has expired. */
  readonly read: (schema: string) => Query
  readonly remove: (schema: string) => Query
  /** Records that a key was used; no row if it was used before. Parameter 2: milliseconds to remember it. */
  readonly claim: (schema: string) => Steps
  /** Removes some of the expired values. No parameters. */
  readonly removeExpired: (schema: string) => Steps
}

const TABLE = 'service_one_time'
const KEYS = ['kind', 'key'] as const

export const oneTimeStatements = (dialect: ServiceDialect): OneTimeStatements => {
  const { text, integer, now, after } = dialect
  const kind = text(0)
  const key = text(1)
  return {
    put: (schema) =>
      dialect.upsert(
        tablesIn(schema)
          .insertInto(TABLE)
          .values({ kind, key, content: text(2), expires: after('now', integer(3)) }),
        KEYS,
        ['content', 'expires'],
      ),
    read: (schema) =>
      tablesIn(schema)
        .selectFrom(TABLE)
        .select('content')
        .where('kind', '=', kind)
        .where('key', '=', key)
        .where('expires', '>', now),
    remove: (schema) => tablesIn(schema).deleteFrom(TABLE).where('kind', '=', kind).where('key', '=', key),
    claim: (schema) =>
      dialect.insertNew(
        tablesIn(schema)
          .insertInto(TABLE)
          .values({ kind, key, expires: after('now', integer(2)) }),
        KEYS,
        sql`1`,
        { table: table(schema, TABLE), key: sql<boolean>`kind = ${kind} and ${sql.id('key')} = ${key}` },
      ),
    removeExpired: (schema) => dialect.removeSome(table(schema, TABLE), KEYS, sql`expires < ${now}`),
  }
}
