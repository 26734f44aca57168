import {
  isFieldType,
  type CollectionMeta,
  type FieldMeta,
  type FieldType,
  type RelationMeta,
  type SnapshotColumn,
  type SnapshotField,
  type SnapshotForeignKey,
  type SnapshotRelation,
  type SnapshotSections,
  type SnapshotTable,
} from '@tain/contract'
import type { SystemColumnType } from '@tain/contract/collections'
import { mirror } from '../../schema/mirror.ts'
import type { Overlay } from '../../schema/overlay.ts'
import type { Collection, DatabaseColumn, Schema } from '../../schema/schema.ts'
import { systemCollections } from '../collections/index.ts'
import { isBody } from '../metadata.ts'

type DatabaseTable = Parameters<typeof mirror>[0]['tables'][number]
type DatabaseForeignKey = Collection['foreignKeys'][number]

/** Names that no file has: only tables of the default schema are named without one. */
const OWN = 'default schema'
const SERVICE = 'service'

const systemTypes: Readonly<Record<SystemColumnType, FieldType>> = {
  boolean: 'boolean',
  integer: 'integer',
  counter: 'integer',
  bigint: 'bigInteger',
  text: 'text',
  uuid: 'uuid',
  timestamp: 'timestamp',
  json: 'json',
}

const typed = (type: string) => ({
  dataType: type,
  castType: type,
  baseType: type,
  isComparable: true,
  numericPrecision: null,
  numericScale: null,
})

/** Files that were written by hand may leave out whatever is not special. */
function columnOf(name: string, schema: Partial<SnapshotColumn>): DatabaseColumn {
  const { default_value: value = null, default_expression: expression } = schema
  return {
    name,
    ...typed(schema.data_type ?? ''),
    enumValues: schema.enum_values ?? null,
    elementType: null,
    isNullable: schema.is_nullable ?? schema.is_primary_key !== true,
    defaultExpression: expression ?? (value === null ? null : JSON.stringify(value)),
    maxLength: schema.max_length ?? null,
    generationExpression: schema.generation_expression ?? null,
    identity: null,
    hasAutoIncrement: schema.has_auto_increment === true,
    comment: schema.comment ?? null,
  }
}

type Tables = ReadonlyMap<string, SnapshotTable>

const placeOf = (
  collection: string | null,
  tables: Tables,
): { readonly schema: string; readonly name: string } | null => {
  const table = tables.get(collection ?? '')
  if (table !== undefined) return { schema: table.schema ?? OWN, name: table.name }
  return systemCollections.some(({ name }) => name === collection) ? { schema: SERVICE, name: collection ?? '' } : null
}

function foreignKeyOf(relation: SnapshotRelation, tables: Tables): readonly DatabaseForeignKey[] {
  const to = placeOf(relation.related_collection, tables)
  if (relation.schema === null || relation.schema === undefined || to === null) return []
  const key = tables.get(relation.related_collection ?? '')?.primary_key ?? ['id']
  const given: Partial<SnapshotForeignKey> = relation.schema
  const { columns = [relation.field], foreign_key_columns: toColumns = key } = given
  return [
    {
      name: columns.join('_'),
      columns,
      toSchema: to.schema,
      toTable: to.name,
      toColumns,
      onUpdate: 'NO ACTION',
      onDelete: 'NO ACTION',
    },
  ]
}

interface Tabled {
  readonly table: SnapshotTable
  readonly columns: readonly DatabaseColumn[]
  readonly foreignKeys: readonly DatabaseForeignKey[]
}

const tableOf = ({ table, columns, foreignKeys }: Tabled): DatabaseTable => ({
  schema: table.schema ?? OWN,
  name: table.name,
  kind: (table.kind ?? 'table') as DatabaseTable['kind'],
  comment: table.comment ?? null,
  columns,
  primaryKey: table.primary_key ?? [],
  uniques: [],
  indexed: [],
  foreignKeys,
  privileges: { insert: true, update: true, delete: true },
})

const overlayOf = ({ collections, fields, relations, names = [] }: SnapshotSections): Overlay => ({
  version: 0,
  collections: collections.flatMap(({ meta }) => (meta === null ? [] : [meta as unknown as CollectionMeta])),
  fields: fields.flatMap(({ meta }) => (meta === null ? [] : [meta as unknown as FieldMeta])),
  relations: relations.flatMap(({ meta }) => (meta === null ? [] : [meta as unknown as RelationMeta])),
  names: names.map(({ relation: subject, ...name }) => ({ ...name, subject })),
})

/** The schema that a database would have after the snapshot is applied to it. It can be described, but not queried. */
export function offlineSchema(sections: SnapshotSections): Schema {
  const tables: Tables = new Map(
    sections.collections.flatMap(({ collection, schema }) => (schema === null ? [] : [[collection, schema] as const])),
  )
  const types = new Map<DatabaseColumn, FieldType>()
  const columnsIn = (fields: readonly SnapshotField[]): readonly DatabaseColumn[] =>
    fields.flatMap(({ field, type, schema }) => {
      if (!isBody(schema)) return []
      const column = columnOf(field, schema)
      types.set(column, isFieldType(type) ? type : 'unknown')
      return [column]
    })
  const fieldsBy = Map.groupBy(sections.fields, ({ collection }) => collection)
  const relationsBy = Map.groupBy(sections.relations, ({ collection }) => collection)
  const database = [...tables].map(([name, table]) =>
    tableOf({
      table,
      columns: columnsIn(fieldsBy.get(name) ?? []),
      foreignKeys: (relationsBy.get(name) ?? []).flatMap((relation) => foreignKeyOf(relation, tables)),
    }),
  )
  return mirror({ defaultSchema: OWN, tables: database, hidden: [] }, overlayOf(sections), {
    generation: 0,
    isReadOnly: false,
    fieldTypeOf: (column) => types.get(column) ?? systemTypes[column.baseType as SystemColumnType],
    system: { schema: SERVICE, declared: systemCollections, storedAs: typed },
  })
}
