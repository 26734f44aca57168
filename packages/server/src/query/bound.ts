import type { AggregateFunction, FieldFunction, Operator } from '@tain/contract'
import type { Collection, ColumnField, Through, ToAny, ToMany, ToOne } from '../schema/schema.ts'
import type { JsonCondition, Slot } from './query.ts'

/** The same trees as in query.ts, with the objects of one Schema in place of names. */
export interface BoundQuery {
  readonly collection: Collection
  readonly select: readonly BoundSelection[]
  readonly filter: BoundFilter | null
  /** The part of the filter that says which rows the caller may see at all; null: every row. */
  readonly rowRule: BoundFilter | null
  /** Fields that `search` looks into, decided together with what the caller may read. */
  readonly search: { readonly term: Slot; readonly fields: readonly ColumnField[] } | null
  /** Always ends with the key, so that pages never overlap. */
  readonly sort: readonly BoundSort[]
  readonly limit: number
  readonly offset: Slot | null
  readonly aggregate: BoundAggregate | null
}

export type BoundSelection =
  | { readonly kind: 'column'; readonly as: string; readonly field: ColumnField }
  | {
      readonly kind: 'function'
      readonly as: string
      readonly fn: FieldFunction
      readonly field: ColumnField
      readonly path: Slot | null
    }
  | { readonly kind: 'count'; readonly name: string; readonly as: string; readonly relation: BoundToMany }
  | {
      readonly kind: 'one'
      readonly name: string
      readonly as: string
      readonly relation: BoundToOne
      readonly query: BoundQuery
    }
  /** The joined key of a to-one relation of several columns. */
  | { readonly kind: 'key'; readonly as: string; readonly fields: readonly ColumnField[] }
  /** `keys`: to-many without nesting, the keys of the children. */
  | {
      readonly kind: 'many' | 'keys'
      readonly name: string
      readonly as: string
      readonly relation: BoundToMany
      readonly query: BoundQuery
    }
  | {
      readonly kind: 'any'
      readonly name: string
      readonly as: string
      readonly relation: BoundToAny
      readonly branches: readonly BoundBranch[]
    }

export interface BoundToOne extends Pick<ToOne, 'columns' | 'toColumns'> {
  readonly to: Collection
}

export type BoundToMany =
  | (Pick<ToMany, 'kind' | 'columns' | 'toColumns'> & { readonly to: Collection })
  | (Pick<Through, 'kind' | 'columns' | 'nearColumns' | 'farColumns' | 'toColumns'> & {
      readonly junction: Collection
      readonly to: Collection
    })
  /** Junction rows that lead here through a many-to-any column. */
  | {
      readonly kind: 'reverse-any'
      readonly columns: readonly string[]
      readonly from: Collection
      readonly to: Collection
      readonly any: ToAny
    }

export interface BoundToAny extends ToAny {
  readonly targets: readonly Collection[]
}

export interface BoundBranch {
  readonly collection: Collection
  readonly query: BoundQuery
}

export type BoundFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly BoundFilter[] }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'test'; readonly value: BoundValue; readonly operator: Operator; readonly operand: Slot | null }
  | { readonly kind: 'json'; readonly field: ColumnField; readonly condition: JsonCondition }
  | { readonly kind: 'one'; readonly relation: BoundToOne; readonly filter: BoundFilter }
  | {
      readonly kind: 'many'
      readonly relation: BoundToMany
      readonly quantifier: 'some' | 'none'
      readonly filter: BoundFilter
    }
  | { readonly kind: 'any'; readonly relation: BoundToAny; readonly target: Collection; readonly filter: BoundFilter }

/** What a condition looks at. */
export type BoundValue =
  | { readonly kind: 'column'; readonly field: ColumnField }
  | { readonly kind: 'function'; readonly fn: FieldFunction; readonly field: ColumnField; readonly path: Slot | null }
  | { readonly kind: 'count'; readonly relation: BoundToMany }

/** A value reached over relations; over a to-many step it is the first in the order asked for. */
export interface BoundPath {
  readonly steps: readonly BoundStep[]
  readonly value: BoundValue
}

export type BoundStep =
  | { readonly kind: 'one'; readonly relation: BoundToOne }
  | { readonly kind: 'many'; readonly relation: BoundToMany }
  | { readonly kind: 'any'; readonly relation: BoundToAny; readonly target: Collection }

export type BoundSort =
  | { readonly kind: 'path'; readonly path: BoundPath; readonly descending: boolean }
  /** A group or an aggregate of the same query, by position. */
  | { readonly kind: 'group' | 'aggregate'; readonly index: number; readonly descending: boolean }

export interface BoundAggregate {
  readonly functions: readonly { readonly fn: AggregateFunction; readonly field: ColumnField | null }[]
  /** Each with the keys its value stands under in a row. */
  readonly groups: readonly { readonly path: BoundPath; readonly keys: readonly string[] }[]
}
