import type { StoredType } from '../dialect.ts'

/** The declaration of a service table. */
export interface DeclaredTable {
  readonly name: string
  readonly key: string
  readonly uniques?: readonly (readonly string[])[]
  readonly columns: Readonly<Record<string, DeclaredColumn>>
  readonly hidden?: Readonly<Record<string, DeclaredColumn>>
}

export interface DeclaredColumn {
  readonly type: StoredType
  readonly isNullable?: boolean
  readonly default?: string | number | boolean | { readonly now: true }
  readonly isIndexed?: boolean
  readonly isUnique?: boolean
  readonly lowerCaseOf?: string
  readonly to?: { readonly collection: string; readonly onDelete?: 'CASCADE' | 'SET NULL' }
}

/** Service tables that are not collections. */
const inner = [
  'service_version',
  'service_collections',
  'service_fields',
  'service_relations',
  'service_idempotency',
  'service_schema_steps',
  'service_login_failures',
  'service_one_time',
  'service_names',
  'service_locks',
  'service_watch',
]

/** The service's own tables, for databases where they share a schema with the user's tables. */
export const ownNames = (declared: readonly string[]): readonly string[] => [...inner, ...declared]
