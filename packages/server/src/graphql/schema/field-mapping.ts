import type { AggregateFunction, FieldFunction } from '@tain/contract'
import type { GraphQLField } from 'graphql'
import type { Form } from '../../query/query.ts'
import type { Collection } from '../../schema/schema.ts'
import type { MutationRole, QueryRole } from './names.ts'
import type { Resolve } from '../procedures/root-procedure.ts'

/** The mapping of a GraphQL field. It is attached to the field, so names are never parsed. */
export type Meaning =
  | {
      readonly kind: 'value'
      readonly name: string
      readonly form: Form | null
      /** The collection of a Boolean whose column also holds other numbers than 0 and 1. */
      readonly flagOf?: string
    }
  | { readonly kind: 'relation'; readonly name: string; readonly to: Collection }
  | { readonly kind: 'union'; readonly name: string; readonly targets: readonly Collection[] }
  | { readonly kind: 'functions'; readonly name: string }
  | { readonly kind: 'function'; readonly fn: FieldFunction }
  | { readonly kind: 'group' }
  | { readonly kind: 'aggregate'; readonly fn: AggregateFunction }
  /** A field inside an aggregate; if `isNumber`, numbers in text form become JSON numbers. */
  | { readonly kind: 'aggregated'; readonly name: string; readonly isNumber: boolean }
  | { readonly kind: 'query'; readonly role: QueryRole; readonly collection: Collection }
  | {
      readonly kind: 'mutation'
      readonly role: MutationRole
      readonly collection: Collection
      /** The result is an item with fields; otherwise it is a Boolean. */
      readonly isReadable: boolean
    }
  /** The changes of a collection. */
  | { readonly kind: 'subscription'; readonly collection: Collection }
  /** `item`: the collection of the items that it returns; null: it returns something else. */
  | { readonly kind: 'procedure'; readonly resolve: Resolve; readonly item: Collection | null }

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    readonly meaning?: Meaning
  }
}

export const meaningOf = (field: GraphQLField): Meaning | undefined => field.extensions.meaning
