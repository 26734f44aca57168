import type { AggregateFunction, FieldFunction } from '@tain/contract'
import type { GraphQLField } from 'graphql'
import type { Form } from '../query/query.ts'
import type { Collection } from '../schema/schema.ts'
import type { MutationRole, QueryRole } from './names.ts'
import type { Resolve } from './root-procedure.ts'

/** What a field of a type stands for. It travels with the field, so that nothing has to be read out of names. */
export type Meaning =
  | { readonly kind: 'value'; readonly name: string; readonly form: Form | null }
  | { readonly kind: 'relation'; readonly name: string; readonly to: Collection }
  | { readonly kind: 'union'; readonly name: string; readonly targets: readonly Collection[] }
  | { readonly kind: 'functions'; readonly name: string }
  | { readonly kind: 'function'; readonly fn: FieldFunction }
  | { readonly kind: 'group' }
  | { readonly kind: 'aggregate'; readonly fn: AggregateFunction }
  /** A field inside an aggregate; texts of numbers become numbers where `isNumber`. */
  | { readonly kind: 'aggregated'; readonly name: string; readonly isNumber: boolean }
  | { readonly kind: 'query'; readonly role: QueryRole; readonly collection: Collection }
  | {
      readonly kind: 'mutation'
      readonly role: MutationRole
      readonly collection: Collection
      /** The answer has fields; otherwise it only says that it was done. */
      readonly isReadable: boolean
    }
  /** `item`: the collection whose items it gives; null: other things. */
  | { readonly kind: 'procedure'; readonly resolve: Resolve; readonly item: Collection | null }

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    readonly meaning?: Meaning
  }
}

export const meaningOf = (field: GraphQLField): Meaning | undefined => field.extensions.meaning
