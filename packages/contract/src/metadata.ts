/** Columns of the metadata tables, as they appear in `meta` of a collection, a field or a relation. */
export type MetaKind = 'text' | 'list' | 'integer' | 'boolean' | 'json' | 'json-text'

export interface MetaColumn {
  readonly kind: MetaKind
  /** Default value of the column; null when left out. */
  readonly default?: string | number | boolean
  /** Allowed values; any value when left out. */
  readonly oneOf?: readonly string[]
}

type MetaTable = Readonly<Record<string, MetaColumn>>

/** On the wire `special` is a comma list and `display_options` is JSON text, as the specification declares. */
export const fieldMeta = {
  special: { kind: 'text' },
  interface: { kind: 'text' },
  options: { kind: 'json' },
  display: { kind: 'text' },
  display_options: { kind: 'json-text' },
  readonly: { kind: 'boolean', default: false },
  hidden: { kind: 'boolean', default: false },
  required: { kind: 'boolean', default: false },
  searchable: { kind: 'boolean', default: true },
  sort: { kind: 'integer' },
  width: { kind: 'text', default: 'full', oneOf: ['half', 'half-left', 'half-right', 'half-space', 'full', 'fill'] },
  group: { kind: 'text' },
  translations: { kind: 'json' },
  note: { kind: 'text' },
  conditions: { kind: 'json' },
  validation: { kind: 'json' },
  validation_message: { kind: 'text' },
} as const satisfies MetaTable

export const collectionMeta = {
  icon: { kind: 'text' },
  note: { kind: 'text' },
  display_template: { kind: 'text' },
  hidden: { kind: 'boolean', default: false },
  singleton: { kind: 'boolean', default: false },
  translations: { kind: 'json' },
  archive_field: { kind: 'text' },
  archive_app_filter: { kind: 'boolean', default: true },
  archive_value: { kind: 'text' },
  unarchive_value: { kind: 'text' },
  sort_field: { kind: 'text' },
  accountability: { kind: 'text', default: 'all', oneOf: ['all', 'activity'] },
  color: { kind: 'text' },
  item_duplication_fields: { kind: 'json' },
  sort: { kind: 'integer' },
  group: { kind: 'text' },
  collapse: { kind: 'text', default: 'open' },
  preview_url: { kind: 'text' },
  versioning: { kind: 'boolean', default: false },
} as const satisfies MetaTable

export const relationMeta = {
  one_field: { kind: 'text' },
  one_collection_field: { kind: 'text' },
  one_allowed_collections: { kind: 'list' },
  junction_field: { kind: 'text' },
  sort_field: { kind: 'text' },
  one_deselect_action: { kind: 'text', default: 'nullify', oneOf: ['nullify', 'delete'] },
} as const satisfies MetaTable

type Value<K extends MetaKind> = K extends 'integer'
  ? number | null
  : K extends 'boolean'
    ? boolean
    : K extends 'json'
      ? unknown
      : K extends 'list'
        ? readonly string[] | null
        : string | null

type Row<T extends MetaTable> = { readonly [K in keyof T]: Value<T[K]['kind']> }

export type FieldMeta = Row<typeof fieldMeta> &
  SystemMark & {
    readonly id: number
    readonly collection: string
    readonly field: string
  }

/** Marks metadata of the service's own objects. */
interface SystemMark {
  readonly system?: true
}

export type CollectionMeta = Row<typeof collectionMeta> & SystemMark & { readonly collection: string }

export type RelationMeta = Row<typeof relationMeta> &
  SystemMark & {
    /** null: not stored, because the relation follows from a foreign key. */
    readonly id: number | null
    readonly many_collection: string
    readonly many_field: string
    readonly one_collection: string | null
  }
