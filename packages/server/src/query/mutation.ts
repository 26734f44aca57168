import { isExactNumber } from '../lib/exact-json.ts'
import type { Query } from './query.ts'

/** A write as a tree of names. Every protocol translates its writes to this form. */
export type Mutation = MutationRoot &
  (
    | { readonly kind: 'create'; readonly items: readonly Payload[]; readonly filled?: readonly Filled[] }
    /** The same change for every target. */
    | { readonly kind: 'update'; readonly target: Target; readonly data: Payload; readonly filled?: Filled }
    /** Each item contains its own key. */
    | { readonly kind: 'update-each'; readonly items: readonly Payload[] }
    | { readonly kind: 'delete'; readonly target: Target }
    /** Updates existing items and creates the others; `on` is the unique field to match by, null for the key. */
    | { readonly kind: 'upsert'; readonly items: readonly Payload[]; readonly on: string | null }
    /** Moves an item to the position of another one in the order of the collection. */
    | { readonly kind: 'sort'; readonly item: unknown; readonly to: unknown }
    /** Updates the one row of a singleton, or creates it. */
    | { readonly kind: 'singleton'; readonly data: Payload }
  )

/** Values that the service itself adds to a row: no permission lists their fields, but validations see them. */
export interface Filled {
  readonly values: Payload
  /** Fields whose value is not known yet: no validation is broken by them. Only for dry runs. */
  readonly unknown?: ReadonlySet<string>
}

/** The root collection of a write. */
export interface MutationRoot {
  readonly collection: string
  /** True if `collection` is the declared name of a system collection. */
  readonly isSystem?: boolean
}

export type Payload = Readonly<Record<string, unknown>>

export const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)

export type Target =
  | { readonly kind: 'keys'; readonly keys: readonly unknown[] }
  /** Keys that are already split into their parts, as taken from a URL. */
  | { readonly kind: 'parts'; readonly keys: readonly (readonly string[])[] }
  | { readonly kind: 'query'; readonly query: Query; readonly queryKey: string; readonly values: readonly unknown[] }
