import type { Special } from '../specials.ts'

/** The service's own collections, by the names of their tables. */
export type SystemCollectionName =
  | 'service_access'
  | 'service_activity'
  | 'service_comments'
  | 'service_dashboards'
  | 'service_deliveries'
  | 'service_files'
  | 'service_folders'
  | 'service_notifications'
  | 'service_panels'
  | 'service_permissions'
  | 'service_policies'
  | 'service_presets'
  | 'service_revisions'
  | 'service_roles'
  | 'service_sessions'
  | 'service_settings'
  | 'service_translations'
  | 'service_users'
  | 'service_webhooks'

/** A collection of the service itself, as clients see it. */
export interface SystemCollection {
  /** Name of the collection and of its table. */
  readonly name: SystemCollectionName
  /** The URL path it is served under, without slashes and never below /items; null: none. */
  readonly path: string | null
  readonly note: string
  readonly key: string
  readonly isReadOnly: boolean
  readonly isSingleton?: boolean
  /** Which records are kept of its changes; none by default. */
  readonly accountability?: 'all' | 'activity'
  readonly sortField?: string
  readonly uniques?: readonly (readonly string[])[]
  readonly columns: Readonly<Record<string, SystemColumn>>
}

/** A counter is an integer as wide as the database has them, shown as a number; a bigint is shown as text. */
export type SystemColumnType = 'boolean' | 'integer' | 'counter' | 'bigint' | 'text' | 'uuid' | 'timestamp' | 'json'

export type SystemDefault = string | number | boolean | { readonly now: true }

export interface SystemColumn {
  readonly type: SystemColumnType
  readonly isNullable?: boolean
  readonly default?: SystemDefault
  readonly isIndexed?: boolean
  readonly isUnique?: boolean
  readonly special?: Special | `${Special},${Special}`
  /**
   * Set if the column holds a JSON document that is a row of another collection: the column that names the collection.
   */
  readonly rowOf?: string
  /** The system collection whose key the column holds, and the list fields on that side. */
  readonly to?: {
    readonly collection: SystemCollectionName
    readonly list: string | null
    /** More names for the same list. */
    readonly alsoList?: readonly string[]
    /** The column of the list's rows that leads on to the other side of a many-to-many relation. */
    readonly junction?: string
    readonly onDelete?: 'CASCADE' | 'SET NULL'
    /** There is no foreign key: the key stays when its row is deleted. */
    readonly isLoose?: true
    readonly deselect?: 'nullify' | 'delete'
  }
}
