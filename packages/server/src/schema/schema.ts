import type { CollectionMeta, FieldMeta, FieldType, RelationMeta, Special } from '@tain/contract'
import type { DatabaseColumn, DatabaseForeignKey, HiddenObject, TableKind } from '../sql/database-schema.ts'
import type { NameBook } from './names.ts'

export type { DatabaseColumn }

/** The mirror at one moment: database structure with metadata laid over it. Never changed, only replaced. */
export interface Schema {
  /** Value of the version row this was read under; 0 when the service keeps no metadata. */
  readonly version: number
  /** Tells snapshots of one process apart, also those that differ only by DDL made outside. */
  readonly generation: number
  readonly defaultSchema: string
  readonly collections: ReadonlyMap<string, Collection>
  /** The service's own among them, by the name they are declared with. */
  readonly system: ReadonlyMap<string, Collection>
  readonly relations: readonly DeclaredRelation[]
  /** Metadata of collections that have no table: folders, and what is left of tables that are gone. */
  readonly folders: ReadonlyMap<string, CollectionMeta>
  readonly hidden: readonly HiddenObject[]
  readonly names: NameBook
  /** Collection → the name that types are made of, the oldest name first; null where nobody gives such names. */
  readonly typeNames: ReadonlyMap<string, string> | null
}

export interface Collection {
  readonly name: string
  readonly schema: string
  readonly table: string
  readonly kind: TableKind
  readonly comment: string | null
  /** The key as a tuple; empty when the table has none. */
  readonly key: readonly ColumnField[]
  readonly columns: ReadonlyMap<string, ColumnField>
  /** Fields that metadata declares beside the columns, in metadata order. */
  readonly aliases: ReadonlyMap<string, AliasField>
  /** Relations that follow from foreign keys alone: there for who asks by name, absent from `*` and `/fields`. */
  readonly inferred: ReadonlyMap<string, RelationField>
  /** Their names, the oldest first, and the names that are kept for relations that are absent. */
  readonly inferredNames: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly indexed: readonly string[]
  readonly foreignKeys: readonly DatabaseForeignKey[]
  readonly meta: CollectionMeta | null
  /** False when the database role may read some of the columns only. */
  readonly isWhollyReadable: boolean
  /** A rollback takes back what was written to the table. */
  readonly isTransactional: boolean
  /** A trigger or rule may fill, change or skip what is inserted: only the database knows what a row needs. */
  readonly hasInsertTrigger: boolean
  readonly isReadOnly: boolean
  /** Rows of other collections that it keeps as documents, where secrets may be among them; null: none. */
  readonly kept: KeptRows | null
  /** One of the service's own: served under an address of its own, never as items. */
  readonly isSystem: boolean
}

/** Documents that are rows of the collection which another column names. */
export interface KeptRows {
  readonly by: string
  readonly documents: readonly string[]
  /** Fields that are secrets today, by collection: older documents may hold what they were before. */
  readonly secrets: ReadonlyMap<string, readonly string[]>
}

export interface ColumnField {
  readonly kind: 'column'
  readonly name: string
  readonly type: FieldType
  readonly column: DatabaseColumn
  readonly specials: readonly Special[]
  readonly meta: FieldMeta | null
  /** Where the value leads, when it is a key of something else. */
  readonly relation: ToOne | ToAny | null
}

export interface AliasField {
  readonly kind: 'alias'
  readonly name: string
  readonly specials: readonly Special[]
  readonly meta: FieldMeta
  /** null for presentation fields and for metadata whose column is gone. */
  readonly relation: ToMany | null
}

export interface RelationField {
  readonly kind: 'inferred'
  readonly name: string
  readonly relation: ToOne | ToMany | Through
}

export type Field = ColumnField | AliasField | RelationField
export type Relation = ToOne | ToMany | Through | ToAny

/** Columns of this collection hold the key of one row of another. */
export interface ToOne {
  readonly kind: 'one'
  readonly columns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
}

/** Rows of another collection hold a key of this one. */
export interface ToMany {
  readonly kind: 'many'
  readonly columns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
  /** Orders the children before their own default order. */
  readonly sortField: string | null
}

/** A pure junction in between; the items are those of the far side. */
export interface Through {
  readonly kind: 'through'
  readonly columns: readonly string[]
  readonly junction: string
  readonly nearColumns: readonly string[]
  readonly farColumns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
}

/** The column holds a key as text, a second column the collection it belongs to. */
export interface ToAny {
  readonly kind: 'any'
  readonly column: string
  readonly collectionColumn: string
  readonly allowed: readonly string[]
}

/** A relation as `/relations` lists it, seen from the side that holds the key. */
export interface DeclaredRelation {
  readonly collection: string
  readonly field: string
  readonly relatedCollection: string | null
  readonly foreignKey: DatabaseForeignKey | null
  readonly meta: RelationMeta | null
}

export function findField(collection: Collection, name: string): Field | undefined {
  return collection.columns.get(name) ?? collection.aliases.get(name) ?? collection.inferred.get(name)
}

/** What a request names: an item's collection by its name, or one of the service's own by the name it is declared with. */
export function findCollection(schema: Schema, name: string, isSystem = false): Collection | undefined {
  if (isSystem) return schema.system.get(name)
  const found = schema.collections.get(name)
  return found?.isSystem === true ? undefined : found
}
