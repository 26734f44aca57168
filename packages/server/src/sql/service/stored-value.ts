import type { MetaKind } from '@tain/contract'

/** A stored value and its column. JSON kinds are stored as JSON text. */
export interface StoredValue {
  readonly column: string
  readonly kind: MetaKind | 'uuid'
  readonly value: string | null
}
