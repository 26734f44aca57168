import type { AggregateFunction, FieldFunction, MetaValue, Operator } from '@tain/contract'
import type { Parameter } from '../lib/parameter.ts'

/**
 * The request as a tree of names. Every protocol translates its requests to this form. The values are stored next to
 * the tree, which refers to them by number, so that requests that differ only in values have the same tree.
 */
export interface Query {
  readonly select: readonly Selection[]
  readonly filter: Filter | null
  readonly search: Parameter | null
  /** null: the default order of the collection. */
  readonly sort: readonly Sort[] | null
  /** -1: no limit. */
  readonly limit: number
  readonly offset: Parameter | null
  readonly aggregate: Aggregate | null
  /** Whether wildcards follow a relation back to the collection that they came from. */
  readonly backlink: boolean
  readonly alias: Readonly<Record<string, string>>
  readonly deep: Deep
  /** The most characters of a text or JSON document; absent: all. */
  readonly cut?: number
}

export type { Parameter }

/** The query options for one nested list or object. */
export type NestedQuery = Omit<Query, 'select' | 'backlink' | 'alias' | 'deep' | 'cut'>

export type Selection = SelectAll | SelectField | SelectFunction | SelectConstant | SelectNested

/** Output form of a value, if it differs from the form of its column: text, or a number with all its digits. */
export type Form = 'text' | 'number'

/** `*`: all fields. With children (`*.*`), the relations among them are followed. */
export interface SelectAll {
  readonly kind: 'all'
  readonly children: readonly Selection[] | null
  readonly deep: Deep
  /** The aliases, which count as fields. */
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
  /** Path inside a JSON value, as a list of keys. */
  readonly path: Parameter | null
  readonly as: string
  /** The key of an enclosing object, which selections with the same key share. */
  readonly under?: string
}

/** A constant text in every item. */
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
  /** One target collection of a many-to-any field; null for all of them, and for every other relation. */
  readonly scope: string | null
  readonly as: string
  readonly query: NestedQuery | null
  readonly children: readonly Selection[]
  /** True: items of collections that are not selected are null. Otherwise they show their key. */
  readonly isStrict?: true
}

/** Nested queries by field name or alias, for the fields that a wildcard expands to. */
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

/** A parsed read: the tree, its values, and the options for `meta`, `count_up_to`, `cursor` and `seek`. */
export interface ReadRequest {
  readonly query: Query
  readonly values: readonly unknown[]
  readonly meta: readonly MetaValue[]
  /** Counts stop here; null: they are complete. */
  readonly countUpTo: number | null
  readonly cursor: string | null
  /** The share of the rows before the first one of the response; null: the list begins with its first row. */
  readonly seek: number | null
}
