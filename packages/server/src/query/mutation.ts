import { isExactNumber } from '../lib/exact-json.ts'
import type { Query } from './query.ts'

/** A write as a tree of names: what every spelling of a write is translated to. */
export type Mutation = MutationRoot &
  (
    | { readonly kind: 'create'; readonly items: readonly Payload[] }
    /** The same change for every target. */
    | { readonly kind: 'update'; readonly target: Target; readonly data: Payload }
    /** Each item names its own key. */
    | { readonly kind: 'update-each'; readonly items: readonly Payload[] }
    | { readonly kind: 'delete'; readonly target: Target }
    /** Updates what is there and creates the rest; `on` is a unique field, null for the key. */
    | { readonly kind: 'upsert'; readonly items: readonly Payload[]; readonly on: string | null }
    /** Moves an item to the place that another has in the order of the collection. */
    | { readonly kind: 'sort'; readonly item: unknown; readonly to: unknown }
    /** Updates the one row of a singleton, or creates it. */
    | { readonly kind: 'singleton'; readonly data: Payload }
  )

/** Where a write begins. */
export interface MutationRoot {
  readonly collection: string
  /** The collection is one of the service's own, by the name it is declared with. */
  readonly isSystem?: boolean
}

export type Payload = Readonly<Record<string, unknown>>

export const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)

export type Target =
  | { readonly kind: 'keys'; readonly keys: readonly unknown[] }
  /** Keys that are cut into their parts already, as addresses give them. */
  | { readonly kind: 'parts'; readonly keys: readonly (readonly string[])[] }
  | { readonly kind: 'query'; readonly query: Query; readonly queryKey: string; readonly values: readonly unknown[] }
