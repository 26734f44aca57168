import type { Dialect } from '../sql/dialect.ts'
import type { Sql } from '../sql/sql.ts'

/** A value by which rows are sorted. */
export interface SortTerm {
  readonly value: Sql
  readonly isDescending: boolean
  readonly mayBeNull: boolean
}

export const orderByTerms = (terms: readonly SortTerm[], { orderBy }: Dialect): Sql[] =>
  terms.map(({ value, isDescending, mayBeNull }) => orderBy(value, isDescending, mayBeNull))
