import type { CollectionMeta, CollectionObject, FieldObject, FieldSchema, RelationObject } from '@tain/contract'
import type { AliasField, Collection, ColumnField, DeclaredRelation, Schema } from './schema.ts'

/** Schema → the objects of the field, collection and relation resources. */
export function describeField(field: ColumnField | AliasField, collection: Collection): FieldObject {
  const common = { collection: collection.name, field: field.name }
  if (field.kind === 'alias') return { ...common, type: 'alias', meta: field.meta }
  return { ...common, type: field.type, schema: describeColumn(field, collection), meta: field.meta }
}

export const describeFields = (collection: Collection): FieldObject[] =>
  [...collection.columns.values(), ...collection.aliases.values()].map((field) => describeField(field, collection))

function describeColumn(field: ColumnField, collection: Collection): FieldSchema {
  const { name, column } = field
  const foreignKey = collection.foreignKeys.find((key) => key.columns.length === 1 && key.columns[0] === name)
  return {
    name,
    table: collection.table,
    schema: collection.schema,
    data_type: column.dataType,
    default_value: defaultValue(field),
    max_length: column.maxLength,
    numeric_precision: column.numericPrecision,
    numeric_scale: column.numericScale,
    is_generated: column.generationExpression !== null,
    generation_expression: column.generationExpression,
    is_nullable: column.isNullable,
    is_unique: collection.uniques.some((columns) => columns.length === 1 && columns[0] === name),
    is_indexed: collection.indexed.includes(name) || isIndexedByConstraint(name, collection),
    is_primary_key: collection.key.includes(field),
    has_auto_increment: column.hasAutoIncrement,
    foreign_key_schema: foreignKey?.toSchema ?? null,
    foreign_key_table: foreignKey?.toTable ?? null,
    foreign_key_column: foreignKey?.toColumns[0] ?? null,
    comment: column.comment,
    ...(column.enumValues === null ? {} : { enum_values: column.enumValues }),
  }
}

/** Whether the index of a key or of a unique constraint begins with the column. */
export const isIndexedByConstraint = (name: string, { uniques }: Collection): boolean =>
  uniques.some(([first]) => first === name)

/** The value of a literal default; expressions stay as the database prints them. */
export function defaultValue({ type, column }: ColumnField): unknown {
  const expression = column.defaultExpression
  if (expression === null || /^NULL(::.*)?$/iu.test(expression)) return null
  const quoted = /^'((?:[^']|'')*)'(?:::[\w\s".[\](),]+)?$/su.exec(expression)
  const text = quoted === null ? expression : (quoted[1] ?? '').replaceAll("''", "'")
  switch (type) {
    case 'integer':
    case 'bigInteger':
    case 'float':
    case 'decimal':
      return /^-?\d+(\.\d+)?$/u.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'json':
      return parsed(text)
    default:
      return text
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

export const describeCollection = (collection: Collection): CollectionObject => ({
  collection: collection.name,
  meta: collection.meta,
  schema: {
    name: collection.table,
    schema: collection.schema,
    comment: collection.comment,
    kind: collection.kind,
    // What can be done with the service's own collections is no property of their tables.
    is_read_only: collection.isReadOnly && !collection.isSystem,
  },
})

export const describeFolder = (meta: CollectionMeta): CollectionObject => ({
  collection: meta.collection,
  meta,
  schema: null,
})

export function describeRelation(relation: DeclaredRelation, schema: Schema): RelationObject {
  const { collection, field, relatedCollection, foreignKey, meta } = relation
  const table = schema.collections.get(collection)?.table ?? collection
  return {
    collection,
    field,
    related_collection: relatedCollection,
    schema:
      foreignKey === null
        ? null
        : {
            table,
            column: foreignKey.columns[0] ?? '',
            foreign_key_schema: foreignKey.toSchema,
            foreign_key_table: foreignKey.toTable,
            foreign_key_column: foreignKey.toColumns[0] ?? '',
            ...(foreignKey.columns.length > 1
              ? { columns: foreignKey.columns, foreign_key_columns: foreignKey.toColumns }
              : {}),
            constraint_name: foreignKey.name,
            on_update: foreignKey.onUpdate,
            on_delete: foreignKey.onDelete,
          },
    meta,
  }
}
