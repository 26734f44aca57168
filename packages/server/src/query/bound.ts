import type { AggregateFunction, FieldFunction, Operator } from '@tain/contract'
import type { Collection, ColumnField, Through, ToAny, ToMany, ToOne } from '../schema/schema.ts'
import type { Form, JsonCondition, Parameter } from './query.ts'

/** The same trees as in query.ts, with the objects of one Schema in place of names. */
export interface BoundQuery {
  readonly collection: Collection
  readonly select: readonly BoundSelection[]
  readonly filter: BoundFilter | null
  /** The part of the filter that limits the rows to those the caller can see; null: every row. */
  readonly rowRule: BoundFilter | null
  /** Fields that `search` covers; limited to those that the caller can read. */
  readonly search: { readonly term: Parameter; readonly fields: readonly BoundColumn[] } | null
  /** Always ends with the key, so that pages never overlap. */
  readonly sort: readonly BoundSort[]
  readonly limit: number
  readonly offset: Parameter | null
  readonly aggregate: BoundAggregate | null
  /** Scope of the row version: the whole row, or only the columns that the caller can read. */
  readonly marked: 'row' | readonly BoundColumn[]
  /** The rows, among those of the query, whose whole key the caller can see; null: all of them. */
  readonly keyMask: Mask
}

/**
 * Condition on the rows in which the caller can see a value; null: all rows. In other rows the value is NULL. A mask is
 * an OR of rules, or an AND of several such ORs. A rule is the same object wherever it is used.
 */
export type Mask = BoundFilter | null

export interface BoundColumn {
  readonly field: ColumnField
  readonly mask: Mask
}

export type BoundSelection =
  | {
      readonly kind: 'column'
      readonly as: string
      readonly field: ColumnField
      readonly mask: Mask
      readonly form: Form | null
    }
  | {
      readonly kind: 'constant'
      readonly name: string
      readonly as: string
      readonly under: string | null
      readonly text: string
      readonly mask: null
    }
  | {
      readonly kind: 'function'
      readonly as: string
      readonly under: string | null
      readonly fn: FieldFunction
      readonly field: ColumnField
      readonly path: Parameter | null
      readonly mask: Mask
    }
  | {
      readonly kind: 'count'
      readonly name: string
      readonly as: string
      readonly under: string | null
      readonly relation: BoundToMany
      readonly mask: Mask
    }
  | {
      readonly kind: 'one'
      readonly name: string
      readonly as: string
      readonly relation: BoundToOne
      readonly query: BoundQuery
      readonly mask: Mask
    }
  /** The joined key of a to-one relation over several columns. */
  | {
      readonly kind: 'key'
      readonly name: string
      readonly as: string
      readonly fields: readonly ColumnField[]
      readonly mask: Mask
    }
  | {
      readonly kind: 'many'
      readonly name: string
      readonly as: string
      readonly relation: BoundToMany
      readonly query: BoundQuery
      readonly mask: Mask
    }
  /** To-many without nesting: the keys of the children. */
  | {
      readonly kind: 'keys'
      readonly name: string
      readonly as: string
      readonly relation: BoundToMany
      readonly query: BoundQuery
      readonly mask: Mask
      /** Condition on the children whose key the caller can see. */
      readonly keyMask: Mask
    }
  | {
      readonly kind: 'any'
      readonly name: string
      readonly as: string
      readonly relation: BoundToAny
      readonly branches: readonly BoundBranch[]
      /** True: an item without a branch is null. False: it shows its key. */
      readonly isStrict: boolean
      readonly mask: Mask
    }

/** `seen` limits the related rows to those the caller can see; null: all. */
export interface BoundToOne extends Pick<ToOne, 'columns' | 'toColumns'> {
  readonly to: Collection
  readonly seen: BoundFilter | null
}

export type BoundToMany = { readonly seen: BoundFilter | null } & (
  | (Pick<ToMany, 'kind' | 'columns' | 'toColumns'> & {
      readonly to: Collection
      /** The relation is inferred from the foreign key of the children, so the caller needs access to those columns. */
      readonly isInferred: boolean
    })
  | (Pick<Through, 'kind' | 'columns' | 'nearColumns' | 'farColumns' | 'toColumns'> & {
      readonly junction: Collection
      readonly junctionSeen: BoundFilter | null
      readonly to: Collection
    })
  /** Junction rows that point here through a many-to-any column. */
  | {
      readonly kind: 'reverse-any'
      readonly columns: readonly string[]
      readonly from: Collection
      readonly to: Collection
      readonly any: ToAny
    }
)

export interface BoundToAny extends ToAny {
  readonly targets: readonly Collection[]
  readonly seen: ReadonlyMap<Collection, BoundFilter>
}

export interface BoundBranch {
  readonly collection: Collection
  readonly query: BoundQuery
}

export type BoundFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly BoundFilter[] }
  | { readonly kind: 'constant'; readonly value: boolean }
  | {
      readonly kind: 'test'
      readonly value: BoundValue
      readonly operator: Operator
      readonly operand: Parameter | null
    }
  | { readonly kind: 'json'; readonly field: ColumnField; readonly condition: JsonCondition; readonly mask: Mask }
  | {
      readonly kind: 'one'
      readonly name: string
      readonly relation: BoundToOne
      readonly filter: BoundFilter
      readonly mask: Mask
    }
  | {
      readonly kind: 'many'
      /** null: `$FOLLOW`, which depends only on the child's field. */
      readonly name: string | null
      readonly relation: BoundToMany
      readonly quantifier: 'some' | 'none'
      readonly filter: BoundFilter
      readonly mask: Mask
    }
  | {
      readonly kind: 'any'
      readonly name: string
      readonly relation: BoundToAny
      readonly target: Collection
      readonly filter: BoundFilter
      readonly mask: Mask
    }

/** The value that a condition tests. */
export type BoundValue =
  | { readonly kind: 'column'; readonly field: ColumnField; readonly mask: Mask }
  | {
      readonly kind: 'function'
      readonly fn: FieldFunction
      readonly field: ColumnField
      readonly path: Parameter | null
      readonly mask: Mask
    }
  | { readonly kind: 'count'; readonly name: string; readonly relation: BoundToMany; readonly mask: Mask }

/** A value reached over relations; across a to-many step, it is the first one in the requested sort direction. */
export interface BoundPath {
  readonly steps: readonly BoundStep[]
  readonly value: BoundValue
}

export type BoundStep = { readonly name: string; readonly mask: Mask } & (
  | { readonly kind: 'one'; readonly relation: BoundToOne }
  | { readonly kind: 'many'; readonly relation: BoundToMany }
  | { readonly kind: 'any'; readonly relation: BoundToAny; readonly target: Collection }
)

export type BoundSort =
  /** `isTie`: the term only gives equal rows a stable order; the caller did not request it. */
  | { readonly kind: 'path'; readonly path: BoundPath; readonly descending: boolean; readonly isTie: boolean }
  /** A group or an aggregate of the same query, by position. */
  | { readonly kind: 'group' | 'aggregate'; readonly index: number; readonly descending: boolean }

export interface BoundAggregate {
  readonly functions: readonly {
    readonly fn: AggregateFunction
    readonly field: ColumnField | null
    readonly mask: Mask
  }[]
  /** Each group with the keys of its value in the response row. */
  readonly groups: readonly { readonly path: BoundPath; readonly keys: readonly string[] }[]
}
