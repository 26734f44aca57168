import { collectionMeta, fieldMeta, relationMeta, type MetaColumn } from '@tain/contract'
import type {
  SnapshotCollection,
  SnapshotColumn,
  SnapshotField,
  SnapshotRelation,
  SnapshotSections,
} from '@tain/contract'
import type { Catalogue } from '../../schema/change.ts'
import { describeField } from '../../schema/describe.ts'
import type { AliasField, Collection, ColumnField, DeclaredRelation, Schema } from '../../schema/schema.ts'
import { describeDefault } from './column-default.ts'
import { inOrder, nameIn, type Item } from './sections.ts'

type Meta = Readonly<Record<string, unknown>>

/** Identifying names, then the stored metadata in the order of its table; never keys that the database generated. */
function metaOf<T extends object>(
  meta: T | null,
  table: Readonly<Record<string, MetaColumn>>,
  names: readonly (keyof T & string)[],
): Meta | null {
  if (meta === null) return null
  const row = meta as Meta
  return Object.fromEntries([...names, ...Object.keys(table)].map((name) => [name, row[name] ?? null]))
}

function describeTable(collection: Collection, { defaultSchema }: Schema): SnapshotCollection['schema'] {
  return {
    name: collection.table,
    schema: collection.schema === defaultSchema ? null : collection.schema,
    kind: collection.kind,
    comment: collection.comment,
    primary_key: collection.key.map(({ name }) => name),
  }
}

function describeColumn(field: ColumnField, collection: Collection, catalogue: Catalogue): SnapshotColumn {
  const { column } = field
  const native = catalogue.nativeType(column.dataType)
  const { schema } = describeField(field, collection)
  const hasDigits = native?.limit === 'digits'
  return {
    data_type: column.dataType,
    ...describeDefault(column, native?.values ?? 'text'),
    max_length: column.maxLength,
    numeric_precision: hasDigits ? column.numericPrecision : null,
    numeric_scale: hasDigits ? column.numericScale : null,
    is_generated: column.generationExpression !== null,
    generation_expression: column.generationExpression,
    is_nullable: column.isNullable,
    is_unique: schema?.is_unique === true,
    // The index of a key or of a unique constraint is made with it.
    is_indexed: collection.indexed.includes(field.name),
    is_primary_key: schema?.is_primary_key === true,
    has_auto_increment: column.hasAutoIncrement,
    comment: column.comment,
    ...(column.enumValues === null ? {} : { enum_values: column.enumValues }),
  }
}

function fieldOf(field: ColumnField | AliasField, collection: Collection, catalogue: Catalogue): SnapshotField {
  const names = { collection: collection.name, field: field.name }
  const meta = metaOf(field.meta, fieldMeta, ['collection', 'field'])
  if (field.kind === 'alias') return { ...names, type: 'alias', meta }
  return { ...names, type: field.type, schema: describeColumn(field, collection, catalogue), meta }
}

function relationOf({ collection, field, relatedCollection, foreignKey, meta }: DeclaredRelation): SnapshotRelation {
  return {
    collection,
    // Several composite keys may lead to the same table: the columns distinguish them.
    field: foreignKey !== null && foreignKey.columns.length > 1 ? foreignKey.columns.join(',') : field,
    related_collection: relatedCollection,
    schema:
      foreignKey === null
        ? null
        : {
            columns: foreignKey.columns,
            foreign_key_columns: foreignKey.toColumns,
            on_update: foreignKey.onUpdate,
            on_delete: foreignKey.onDelete,
          },
    meta: metaOf(meta, relationMeta, ['many_collection', 'many_field', 'one_collection']),
  }
}

/** Everything except the service's own objects, in a fixed order. */
export function describeSchema(schema: Schema, catalogue: Catalogue): SnapshotSections {
  const own = [...schema.collections.values()].filter(({ isSystem }) => !isSystem)
  const tables = own.map((collection): SnapshotCollection => ({
    collection: collection.name,
    schema: describeTable(collection, schema),
    meta: metaOf(collection.meta, collectionMeta, ['collection']),
  }))
  const folders = [...schema.folders.values()].map((meta): SnapshotCollection => ({
    collection: meta.collection,
    schema: null,
    meta: metaOf(meta, collectionMeta, ['collection']),
  }))
  const fields = own.flatMap((collection) =>
    [...collection.columns.values(), ...collection.aliases.values()].map((each) =>
      fieldOf(each, collection, catalogue),
    ),
  )
  // Lists that users have added to system collections.
  const lists = [...schema.system.values()].flatMap((collection) =>
    [...collection.aliases.values()]
      .filter(({ meta }) => meta.system !== true)
      .map((each) => fieldOf(each, collection, catalogue)),
  )
  // Two foreign keys over the same columns are one relation; the first one represents both.
  const relations = new Map(
    schema.relations
      .filter(({ collection }) => schema.collections.get(collection)?.isSystem === false)
      .map((relation) => relationOf(relation))
      .toReversed()
      .map((relation) => [nameIn('relations', relation as object as Item), relation]),
  )
  return {
    collections: inOrder('collections', [...tables, ...folders]),
    fields: inOrder('fields', [...fields, ...lists]),
    systemFields: [],
    relations: inOrder('relations', [...relations.values()]),
  }
}
