import type { AggregateFunction, FieldFunction, MetaValue, Operator } from '@tain/contract'
import type { Parameter } from '../lib/parameter.ts'

/**
 * The request as a tree of names: what every spelling is translated to. Values are not in the tree but beside it, and the
 * tree points at them by number, so that two requests that differ only in values have the same tree.
 */
export interface Query {
  readonly select: readonly Selection[]
  readonly filter: Filter | null
  readonly search: Parameter | null
  /** null: the collection's own order. */
  readonly sort: readonly Sort[] | null
  /** -1: no limit. */
  readonly limit: number
  readonly offset: Parameter | null
  readonly aggregate: Aggregate | null
  /** Whether wildcards walk back over the relation they came by. */
  readonly backlink: boolean
  readonly alias: Readonly<Record<string, string>>
  readonly deep: Deep
}

export type { Parameter }

/** What a caller may say about one nested list or object. */
export type NestedQuery = Omit<Query, 'select' | 'backlink' | 'alias' | 'deep'>

export type Selection = SelectAll | SelectField | SelectFunction | SelectConstant | SelectNested

/** How a value comes out where it is not to be in the form of its column: as text, or as a number with all its digits. */
export type Form = 'text' | 'number'

/** `*`: all fields; with children the relations among them are followed (`*.*`). */
export interface SelectAll {
  readonly kind: 'all'
  readonly children: readonly Selection[] | null
  readonly deep: Deep
  /** Aliases are fields too. */
  readonly aliased: readonly Selection[]
}

export interface SelectField {
  readonly kind: 'field'
  readonly name: string
  readonly as: string
  readonly query: NestedQuery | null
  readonly form?: Form
}

export interface SelectFunction {
  readonly kind: 'function'
  readonly fn: FieldFunction
  readonly name: string
  /** Path inside a JSON value, a list of keys. */
  readonly path: Parameter | null
  readonly as: string
  /** The key of an object around it, which it shares with others of the same. */
  readonly under?: string
}

/** A text that stands in every item. */
export interface SelectConstant {
  readonly kind: 'constant'
  readonly text: string
  readonly name: string
  readonly as: string
  readonly under?: string
}

export interface SelectNested {
  readonly kind: 'nested'
  readonly name: string
  /** One of the collections a many-to-any field leads to; null for all of them, and for every other relation. */
  readonly scope: string | null
  readonly as: string
  readonly query: NestedQuery | null
  readonly children: readonly Selection[]
  /** Items of collections that were not selected are null; otherwise they show their key. */
  readonly isStrict?: true
}

/** Nested queries by the name or alias they belong to, for what a wildcard may turn up. */
export type Deep = Readonly<Record<string, DeepNode>>

export interface DeepNode {
  readonly query: NestedQuery
  readonly alias: Readonly<Record<string, string>>
  readonly deep: Deep
}

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'constant'; readonly value: boolean }
  /** `operand` is null where the operator takes none, and for the empty list. */
  | { readonly kind: 'test'; readonly field: Tested; readonly operator: Operator; readonly operand: Parameter | null }
  | { readonly kind: 'json'; readonly name: string; readonly condition: JsonCondition }
  | {
      readonly kind: 'relation'
      readonly name: string
      readonly scope: string | null
      readonly quantifier: 'some' | 'none'
      readonly filter: Filter
    }
  | {
      readonly kind: 'follow'
      readonly collection: string
      readonly field: string
      readonly collectionField: string | null
      readonly filter: Filter
    }

/** A field, or a function of one. */
export interface Tested {
  readonly name: string
  readonly fn: FieldFunction | null
}

/** Conditions on paths inside a JSON value. */
export type JsonCondition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly JsonCondition[] }
  | {
      readonly kind: 'test'
      readonly path: Parameter
      readonly operator: Operator
      readonly operand: Parameter | null
      readonly isNumeric: boolean
    }

export interface Sort {
  readonly path: readonly Segment[]
  readonly descending: boolean
}

export interface Segment {
  readonly name: string
  readonly scope: string | null
  readonly fn: FieldFunction | null
  /** Path inside a JSON value, for the function json. */
  readonly json: Parameter | null
}

export interface Aggregate {
  readonly functions: readonly { readonly fn: AggregateFunction; readonly name: string | null }[]
  readonly groups: readonly (readonly Segment[])[]
}

/** A parsed read: the tree, its values, and what goes around the rows. */
export interface ReadRequest {
  readonly query: Query
  readonly values: readonly unknown[]
  readonly meta: readonly MetaValue[]
  readonly cursor: string | null
}
