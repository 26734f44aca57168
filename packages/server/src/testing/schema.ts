import type { CollectionMeta, FieldMeta, RelationMeta } from '@tain/contract'
import { mirror } from '../schema/mirror.ts'
import { emptyOverlay, type Overlay } from '../schema/overlay.ts'
import type { Collection, ColumnField, Schema } from '../schema/schema.ts'
import type { DatabaseColumn, DatabaseForeignKey, DatabaseTable } from '../sql/database-schema.ts'
import { fieldTypeOf } from '../sql/dialects/postgres/types.ts'

/** Handwritten schemas for tests without a database: the result of introspection in short form. */
export const column = (name: string, baseType: string, more: Partial<DatabaseColumn> = {}): DatabaseColumn => ({
  name,
  dataType: baseType,
  castType: baseType,
  baseType,
  enumValues: null,
  elementType: null,
  isComparable: baseType !== 'json',
  isNullable: true,
  defaultExpression: null,
  maxLength: null,
  numericPrecision: null,
  numericScale: null,
  generationExpression: null,
  identity: null,
  hasAutoIncrement: false,
  comment: null,
  ...more,
})

export const foreignKey = (
  columns: string | readonly string[],
  toTable: string,
  toColumns: readonly string[] = ['id'],
  toSchema = 'public',
): DatabaseForeignKey => ({
  name: `${[columns].flat().join('_')}_foreign`,
  columns: [columns].flat(),
  toSchema,
  toTable,
  toColumns,
  onUpdate: 'NO ACTION',
  onDelete: 'NO ACTION',
})

type Columns = Readonly<Record<string, string>>

/** Columns as name → base type. The key is `id` if there is one. */
export const table = (name: string, columns: Columns, more: Partial<DatabaseTable> = {}): DatabaseTable => {
  const primaryKey = more.primaryKey ?? (Object.hasOwn(columns, 'id') ? ['id'] : [])
  return {
    schema: 'public',
    name,
    kind: 'table',
    comment: null,
    columns: Object.entries(columns).map(([column_, type]) =>
      column(column_, type, { isNullable: !primaryKey.includes(column_) }),
    ),
    uniques: [primaryKey],
    indexed: [],
    foreignKeys: [],
    privileges: { insert: true, update: true, delete: true },
    ...more,
    primaryKey,
  }
}

export const fieldMeta = (collection: string, field: string, more: Partial<FieldMeta> = {}): FieldMeta => ({
  id: 1,
  collection,
  field,
  special: null,
  interface: null,
  options: null,
  display: null,
  display_options: null,
  readonly: false,
  hidden: false,
  required: false,
  searchable: true,
  sort: null,
  width: 'full',
  group: null,
  translations: null,
  note: null,
  conditions: null,
  validation: null,
  validation_message: null,
  ...more,
})

export const relationMeta = (
  many: readonly [collection: string, field: string],
  one: string | null,
  more: Partial<RelationMeta> = {},
): RelationMeta => ({
  id: 1,
  many_collection: many[0],
  many_field: many[1],
  one_collection: one,
  one_field: null,
  one_collection_field: null,
  one_allowed_collections: null,
  junction_field: null,
  sort_field: null,
  one_deselect_action: 'nullify',
  ...more,
})

export const collectionMeta = (collection: string, more: Partial<CollectionMeta> = {}): CollectionMeta => ({
  collection,
  icon: null,
  note: null,
  display_template: null,
  hidden: false,
  singleton: false,
  translations: null,
  archive_field: null,
  archive_app_filter: true,
  archive_value: null,
  unarchive_value: null,
  sort_field: null,
  accountability: 'all',
  color: null,
  item_duplication_fields: null,
  sort: null,
  group: null,
  collapse: 'open',
  preview_url: null,
  versioning: false,
  ...more,
})

export const mirrorOf = (tables: readonly DatabaseTable[], overlay: Partial<Overlay> = {}): Schema =>
  mirror(
    { defaultSchema: 'public', tables, hidden: [] },
    { ...emptyOverlay, version: 1, ...overlay },
    { generation: 1, fieldTypeOf, isReadOnly: false },
  )

/** Returns a collection that must exist. */
export function collectionOf(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw new Error(`the fixture has no collection ${name}`)
  return collection
}

export function columnOf(schema: Schema, name: string, field: string): ColumnField {
  const found = collectionOf(schema, name).columns.get(field)
  if (found === undefined) throw new Error(`the fixture has no column ${name}.${field}`)
  return found
}

/** Articles with authors, comments and tags; pages built of blocks; students of courses; lines of orders. */
export const library: Schema = mirrorOf(
  [
    table('authors', { id: 'int4', name: 'varchar', born: 'date', secret: 'text', country: 'varchar' }),
    table(
      'articles',
      {
        id: 'int4',
        title: 'varchar',
        status: 'varchar',
        author: 'int4',
        published: 'timestamptz',
        views: 'int8',
        details: 'json',
        document: 'jsonb',
        external_id: 'uuid',
        featured: 'bool',
        password: 'text',
        unsearched: 'text',
      },
      { foreignKeys: [foreignKey('author', 'authors')] },
    ),
    table(
      'comments',
      { id: 'int4', article: 'int4', body: 'text', likes: 'int4', created: 'timestamptz' },
      { foreignKeys: [foreignKey('article', 'articles')] },
    ),
    table('pages', { id: 'int4', title: 'varchar' }),
    table('heroes', { id: 'int4', headline: 'varchar' }),
    table('texts', { id: 'int4', content: 'text' }),
    table(
      'blocks',
      { id: 'int4', page: 'int4', collection: 'varchar', item: 'varchar', sort: 'int4' },
      { foreignKeys: [foreignKey('page', 'pages')] },
    ),
    table('students', { id: 'int4', name: 'varchar' }),
    table('courses', { id: 'int4', title: 'varchar' }),
    table(
      'enrollments',
      { student: 'int4', course: 'int4' },
      {
        primaryKey: ['student', 'course'],
        foreignKeys: [foreignKey('student', 'students'), foreignKey('course', 'courses')],
      },
    ),
    table(
      'order_lines',
      { order_no: 'int4', line_no: 'int4', product: 'text' },
      { primaryKey: ['order_no', 'line_no'] },
    ),
    table(
      'line_notes',
      { id: 'int4', order_no: 'int4', line_no: 'int4', note: 'text' },
      { foreignKeys: [foreignKey(['order_no', 'line_no'], 'order_lines', ['order_no', 'line_no'])] },
    ),
    table('log', { at: 'timestamptz', path: 'text' }),
  ],
  {
    collections: [collectionMeta('courses', { sort_field: 'title' })],
    fields: [
      fieldMeta('articles', 'comments', { special: 'o2m' }),
      fieldMeta('authors', 'articles', { special: 'o2m' }),
      fieldMeta('articles', 'password', { special: 'conceal' }),
      fieldMeta('articles', 'unsearched', { searchable: false }),
      fieldMeta('articles', 'divider', { special: 'alias,no-data' }),
      fieldMeta('pages', 'blocks', { special: 'm2a' }),
    ],
    relations: [
      relationMeta(['articles', 'author'], 'authors', { one_field: 'articles' }),
      relationMeta(['comments', 'article'], 'articles', { one_field: 'comments' }),
      relationMeta(['blocks', 'page'], 'pages', { one_field: 'blocks', sort_field: 'sort' }),
      relationMeta(['blocks', 'item'], null, {
        one_collection_field: 'collection',
        one_allowed_collections: ['heroes', 'texts', 'gone'],
      }),
    ],
  },
)
