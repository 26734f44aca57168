import type { Query } from './query.ts'

/** A query with its values, and a text that is equal for equal queries: statements are cached by it. */
export interface KeyedQuery {
  readonly query: Query
  readonly queryKey: string
  readonly values: readonly unknown[]
}

export const queryKeyOf = (query: Query): string => JSON.stringify(query)
