import type { Query } from '../../query/query.ts'

/** Arguments of a field, by name. */
export type Arguments = Readonly<Record<string, unknown>>

/** A query in the form that all protocols share: the tree of names, with the values kept apart. */
export interface SelectedQuery {
  readonly query: Query
  readonly queryKey: string
  readonly values: readonly unknown[]
}
