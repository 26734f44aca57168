import { column, list, sql, table, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

/** A name that was assigned and is stored: of a field derived from foreign keys, or of a type. */
export interface StoredName {
  readonly kind: 'field' | 'type'
  readonly collection: string
  /** The object that has the name, within its collection. */
  readonly subject: string
  readonly name: string
  /** The name in use while a column or a declared field occupies the first one. */
  readonly instead: string | null
}

/** Adds names; one bind value holds all of them. */
export type WriteNames = (schema: string, rows: readonly StoredName[]) => Query

const columns = ['kind', 'collection', 'subject', 'name', 'instead'] as const

export const writeNames =
  ({ textRows }: Pick<ServiceDialect, 'textRows'>): WriteNames =>
  (schema, rows) =>
    sql`insert into ${table(schema, 'service_names')} (${list(columns.map((name) => sql.id(name)))})
      select ${list(columns.map((name) => column('x', name)))} from ${textRows(JSON.stringify(rows), columns)} as x
      order by x.n`
