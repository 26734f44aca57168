import type { DatePart, TimePart } from '../database/clock.ts'
import type { Cell } from '../database/model.ts'

export type FieldFunction = DatePart | TimePart | 'count'

export type Operator =
  | '_eq'
  | '_neq'
  | '_lt'
  | '_lte'
  | '_gt'
  | '_gte'
  | '_in'
  | '_nin'
  | '_between'
  | '_nbetween'
  | '_null'
  | '_nnull'
  | '_empty'
  | '_nempty'
  | '_contains'
  | '_ncontains'
  | '_icontains'
  | '_starts_with'
  | '_nstarts_with'
  | '_istarts_with'
  | '_nistarts_with'
  | '_ends_with'
  | '_nends_with'
  | '_iends_with'
  | '_niends_with'

/** A column, or a function of a column; with `count` the name may be a to-many field. */
export interface Subject {
  readonly name: string
  readonly fn?: FieldFunction
}

export interface Test {
  readonly kind: 'test'
  readonly subject: Subject
  readonly op: Operator
  /** One value, two for between, any number for in; true or false for null and empty. */
  readonly operands: readonly Cell[]
  /** Write the operands in the alternative form of their type. */
  readonly other: boolean
  /** Only in rules: names of variables that replace operands. */
  readonly variables?: readonly (string | null)[]
}

export type Filter =
  | {
      readonly kind: 'and'
      readonly items: readonly Filter[]
      /** Write the items as keys of one object. */ readonly flat: boolean
    }
  | { readonly kind: 'or'; readonly items: readonly Filter[] }
  | Test
  | { readonly kind: 'one'; readonly field: string; readonly filter: Filter }
  | {
      readonly kind: 'some'
      readonly field: string
      readonly filter: Filter
      /** Omit `_some`. */ readonly flat: boolean
    }
  | { readonly kind: 'none'; readonly field: string; readonly filter: Filter }
  | { readonly kind: 'exists'; readonly field: string; readonly op: '_null' | '_nnull'; readonly value: boolean }
  | { readonly kind: 'member'; readonly field: string; readonly key: Cell }
  /** Over a many-to-any field, into one of its collections. */
  | { readonly kind: 'any'; readonly field: string; readonly target: string; readonly filter: Filter }
  /** A field or function without an operator. */
  | { readonly kind: 'bare'; readonly subject: Subject }
  | { readonly kind: 'constant'; readonly value: boolean }

export interface SortTerm {
  /** Relation fields from the root to the table of the subject. */
  readonly path: readonly string[]
  readonly subject: Subject
  readonly desc: boolean
}

export interface Page {
  readonly limit?: number
  readonly offset?: number
  readonly page?: number
}

export interface Deep extends Page {
  readonly filter?: Filter
  readonly search?: string
  readonly sort?: readonly SortTerm[]
}

export type Selection =
  | { readonly kind: 'star' }
  | { readonly kind: 'starstar' }
  | { readonly kind: 'field'; readonly subject: Subject; readonly as?: string }
  | {
      readonly kind: 'relation'
      readonly field: string
      readonly as?: string
      /** Null selects the bare keys. */
      readonly fields: readonly Selection[] | null
      /** Also select the bare field; the nested form wins. */
      readonly bareToo: boolean
      readonly deep: Deep
    }
  | {
      readonly kind: 'any'
      readonly field: string
      readonly as?: string
      readonly branches: readonly { readonly target: string; readonly fields: readonly Selection[] }[]
      /** Rows of a collection without a branch are null instead of their key. */
      readonly isStrict?: true
    }

export type AggregateFunction =
  | 'count'
  | 'countDistinct'
  | 'sum'
  | 'sumDistinct'
  | 'avg'
  | 'avgDistinct'
  | 'min'
  | 'max'

export interface Aggregate {
  readonly fn: AggregateFunction
  readonly fields: readonly string[]
}

export interface GroupTerm {
  readonly path: readonly string[]
  readonly subject: Subject
}

/** Orders groups: by a group term's position, or by an aggregate; `field` is null for the plain count. */
export type GroupSort =
  | { readonly by: 'group'; readonly index: number; readonly desc: boolean }
  | { readonly by: 'aggregate'; readonly fn: AggregateFunction; readonly field: string | null; readonly desc: boolean }

export interface Grouping {
  readonly aggregates: readonly Aggregate[]
  readonly groupBy: readonly GroupTerm[]
  readonly sort: readonly GroupSort[]
}

export interface Query extends Deep {
  readonly collection: string
  /** Absent means all columns. */
  readonly fields?: readonly Selection[]
  readonly grouping?: Grouping
  readonly counts?: boolean
}
