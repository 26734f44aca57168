import type { CollectionMeta, FieldMeta, FieldType, RelationMeta, Special } from '@tain/contract'
import type { DatabaseColumn, DatabaseForeignKey, HiddenObject, TableKind } from '../sql/database-schema.ts'
import type { NameBook } from './names.ts'

export type { DatabaseColumn }

/** The mirror at one point in time: the database schema combined with metadata. Immutable: it is only replaced. */
export interface Schema {
  /** Schema version at the time of the read; 0 if the service stores no metadata. */
  readonly version: number
  /** Distinguishes the schemas of one process, including those that differ only by external DDL. */
  readonly generation: number
  /** Equal on all replicas that serve the same schema; changes with the database schema and with the metadata. */
  readonly structureVersion: string
  readonly defaultSchema: string
  readonly collections: ReadonlyMap<string, Collection>
  /** The system collections among them, by declared name. */
  readonly system: ReadonlyMap<string, Collection>
  readonly relations: readonly DeclaredRelation[]
  /** Metadata of collections without a table: folders, and leftovers of dropped tables. */
  readonly folders: ReadonlyMap<string, CollectionMeta>
  readonly hidden: readonly HiddenObject[]
  readonly names: NameBook
  /** Collection → base name of its types, oldest name first; null if no type names are assigned. */
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
  /** Tells apart rows with the same key; empty if the key is unique. */
  readonly beyondKey: readonly ColumnField[]
  readonly columns: ReadonlyMap<string, ColumnField>
  /** Fields that metadata declares in addition to the columns, in metadata order. */
  readonly aliases: ReadonlyMap<string, AliasField>
  /** Relations inferred from foreign keys: available by name, absent from `*` and `/fields`. */
  readonly inferred: ReadonlyMap<string, RelationField>
  /** Names of the inferred relations, oldest first, including names reserved for absent relations. */
  readonly inferredNames: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly indexed: readonly string[]
  readonly foreignKeys: readonly DatabaseForeignKey[]
  readonly meta: CollectionMeta | null
  /** False if the database role can read only some of the columns. */
  readonly isWhollyReadable: boolean
  /** Whether a rollback reverts writes to the table. */
  readonly isTransactional: boolean
  /** A trigger or rule may fill, change or skip inserted rows, so only the database knows which values a row needs. */
  readonly hasInsertTrigger: boolean
  readonly isReadOnly: boolean
  /** Set if documents of the collection store rows of other collections that may contain secrets; null: none. */
  readonly kept: KeptRows | null
  /** A system collection: served under its own path, never as items. */
  readonly isSystem: boolean
  /** The position of the log since when it holds all changes of the collection; null: its changes are not kept. */
  readonly capturedSince: number | null
}

/** Columns with documents that are rows of another collection. The column `by` names that collection. */
export interface KeptRows {
  readonly by: string
  readonly documents: readonly string[]
  /** Fields that are secret now, by collection; older documents may contain their values from before. */
  readonly secrets: ReadonlyMap<string, readonly string[]>
}

export interface ColumnField {
  readonly kind: 'column'
  readonly name: string
  readonly type: FieldType
  readonly column: DatabaseColumn
  readonly specials: readonly Special[]
  readonly meta: FieldMeta | null
  /** The relation of the column, if its value is the key of another item. */
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
  /** Sorts the children before their own default order applies. */
  readonly sortField: string | null
}

/** A relation through a pure junction; the items are those of the far side. */
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

/** Finds a user collection by its name, or a system collection by its declared name. */
export function findCollection(schema: Schema, name: string, isSystem = false): Collection | undefined {
  if (isSystem) return schema.system.get(name)
  const found = schema.collections.get(name)
  return found?.isSystem === true ? undefined : found
}
