import type { AggregateResults, MetaValue } from '../contract.ts'
import type { Aliases, Checked, CheckedOrder, NoAliases } from './paths.ts'
import type { Row } from './rows.ts'
import type { FilterOf, NameOf, RelationNames, RowOf, Target, Names } from './schema.ts'

/** The compiler leaves names with backslashes to the service here. */
type EscapedName = `${string}\\${string}`

type OrList<T> = T | readonly T[]

/** Names, and whatever the compiler leaves to the service: paths and functions. */
type LooseOrder<S, X> = Names<S, X> | `-${Names<S, X>}` | EscapedName | `${string}.${string}` | `${string}(${string})`

interface DeepConditions<S, X> {
  _filter?: FilterOf<S, X>
  _search?: string
}

export interface DeepParameters<S, X> extends DeepConditions<S, X> {
  _sort?: OrList<LooseOrder<S, X>>
  _limit?: number
  _offset?: number
  _page?: number
}

/**
 * A condition on one related row puts null in its place, so it is only for rows that may be missing anyway. Aggregates would
 * replace the rows; they have a method of their own.
 */
type DeepAt<S, C, F, X> = (F extends RelationNames<S, C, 'many'>
  ? DeepParameters<S, X>
  : F extends keyof RowOf<S, C>
    ? null extends RowOf<S, C>[F]
      ? DeepConditions<S, X>
      : unknown
    : unknown) &
  Deep<S, X>

type AnyScopes<S, C, F extends string> = F extends unknown ? `${F}:${Target<S, C, F>}` : never

/** Parameters of related rows. */
export type Deep<S, C, A = NoAliases> = {
  [K in RelationNames<S, C, 'one' | 'many'> | (keyof A & string)]?: K extends keyof A
    ? DeepAt<S, C, A[K], Target<S, C, A[K]>>
    : DeepAt<S, C, K, Target<S, C, K>>
} & {
  [K in AnyScopes<S, C, RelationNames<S, C, 'any'>>]?: K extends `${infer F}:${infer X}` ? DeepAt<S, C, F, X> : never
}

type DeepOf<S, C, A> = string extends keyof S ? Readonly<Record<string, unknown>> : Deep<S, C, A>

/** The fields of a result. `P` is inferred from the list: every path is checked by itself. */
export interface Selection<S, C, P extends string, A extends Aliases> {
  fields?: readonly Checked<S, C, P, NoInfer<A>>[]
  alias?: A
  deep?: DeepOf<S, C, NoInfer<A>>
  /** False: wildcards do not lead back over the relation they came from. */
  backlink?: boolean
  /** The most characters of texts and documents. */
  cut?: number
}

/** The rows of a list. */
export interface Condition<S, C> {
  filter?: FilterOf<S, C>
  search?: string
}

export interface ListQuery<S, C, P extends string, O extends string, A extends Aliases>
  extends Selection<S, C, P, A>, Condition<S, C> {
  sort?: OrList<CheckedOrder<S, C, O, NoInfer<A>>>
  /** 100 by default; -1: all rows. */
  limit?: number
  offset?: number
  page?: number
  /** From the meta of another page. */
  cursor?: string
  /** Where the page begins: the share of the rows before it, from 0 to 1. */
  seek?: number
}

/** Rows to change or to delete: those that meet a condition, or with `all` every row; `limit` takes the first of them. */
export interface Matching<S, C> extends Condition<S, C> {
  all?: true
  sort?: OrList<LooseOrder<S, C>>
  limit?: number
  offset?: number
}

interface MetaResults {
  total_count: { total_count: number }
  filter_count: { filter_count: number }
  estimated_count: { estimated_count: number }
  cursor: { next_cursor: string | null; prev_cursor: string | null }
  etag: { etags: string[] }
}

type MetaMembers<M extends MetaValue> = MetaResults[M] extends infer T ? (T extends unknown ? keyof T : never) : never

/** What a list tells about itself. */
export type Meta<M extends MetaValue> = {
  [K in MetaMembers<M>]: MetaResults[M] extends infer T ? (T extends Record<K, infer V> ? V : never) : never
} & {
  /** Counts that ended at `count_up_to`. */
  capped_counts?: string[]
  /** Where a page with `seek` begins. */
  position?: { share: number; row: number | null }
}

export interface MetaQuery<M extends MetaValue> {
  meta: readonly M[]
  /** Where counts stop. */
  count_up_to?: number
}

type AggregateFields<S, C, F> = F extends 'countAll'
  ? '*'
  : F extends 'count'
    ? '*' | OrList<Names<S, C> | EscapedName>
    : OrList<Names<S, C> | EscapedName>

/** Functions and their fields: `{ count: '*', sum: ['total'] }`. */
export type Aggregates<S, C> = { readonly [F in keyof AggregateResults]?: AggregateFields<S, C, F> }

type FieldsIn<V> = V extends readonly (infer F)[] ? F & string : V & string

type AggregateValue<S, C, F, N> = F extends 'min' | 'max'
  ? N extends keyof RowOf<S, C>
    ? RowOf<S, C>[N] | null
    : never
  : F extends 'count' | 'countDistinct'
    ? string
    : string | null

type AggregateMember<S, C, F, V> = '*' extends V
  ? string
  : {
      [N in FieldsIn<V> as NameOf<S, C, N>]: AggregateValue<S, C, F, NameOf<S, C, N>>
    }

/** Below a relation, a group of rows without a related one has null in place of its values. */
type Missing<T> = {
  [K in keyof T]: [Extract<T[K], object>] extends [never] ? T[K] | null : Missing<Extract<T[K], object>>
}

type Group<S, C, R> = {
  [K in keyof R]: K extends RelationNames<S, C>
    ? [Extract<R[K], object>] extends [never]
      ? R[K]
      : Missing<Extract<R[K], object>>
    : R[K]
}

/** A row of an aggregate: the group, and what was computed of it. */
export type AggregateRow<S, C, G extends Aggregates<S, C>, P extends string> = string extends keyof S
  ? Row<S, C>
  : {
      [K in keyof G | keyof Row<S, C, P>]: K extends keyof G
        ? AggregateMember<S, C, K, G[K]>
        : K extends keyof Row<S, C, P>
          ? Group<S, C, Row<S, C, P>>[K]
          : never
    }

export interface AggregateQuery<S, C, G, P extends string> extends Condition<S, C> {
  aggregate: G
  groupBy?: readonly Checked<S, C, P>[]
  /** Groups and aggregates: `-count`, `sum.total`. */
  sort?: OrList<string>
  limit?: number
  offset?: number
  page?: number
}
