import type { Change, FieldRef, Gone, MetadataChange, SchemaChange, StoredValue } from '../schema/change.ts'
import type { Collection, DeclaredRelation, Schema } from '../schema/schema.ts'
import { fieldKey } from './field-update.ts'
import { named } from './metadata.ts'

/** Fields and collections to remove; everything that depends on them is removed too. */
export interface Removal {
  readonly fields: readonly FieldRef[]
  readonly collections: readonly string[]
}

const empty = (column: string): StoredValue => ({ column, kind: 'text', value: null })

const relationKey = ({ collection, field }: FieldRef) => [
  named('many_collection', collection),
  named('many_field', field),
]

const isSame = (a: FieldRef, b: FieldRef) => a.collection === b.collection && a.field === b.field

const has = (fields: readonly FieldRef[], collection: string | null, field: string | null | undefined) =>
  collection !== null && fields.some((gone) => gone.collection === collection && gone.field === field)

/** Relations to remove: those that start at a removed field, refer to its values, or lead to a removed collection. */
function endingRelations(schema: Schema, { fields, collections }: Removal): DeclaredRelation[] {
  return schema.relations.filter((relation) => {
    const { collection, field, relatedCollection, foreignKey, meta } = relation
    if (collections.includes(collection) || (relatedCollection !== null && collections.includes(relatedCollection)))
      return true
    if (has(fields, collection, field) || has(fields, collection, meta?.one_collection_field)) return true
    const isPart = foreignKey?.columns.some((column) => has(fields, collection, column)) === true
    return isPart || foreignKey?.toColumns.some((column) => has(fields, relatedCollection, column)) === true
  })
}

/** Lists on the other side of a removed relation; they would be empty. */
function listsOf(schema: Schema, relations: readonly DeclaredRelation[]): FieldRef[] {
  return relations.flatMap(({ relatedCollection, meta }) => {
    const field = meta?.one_field
    if (relatedCollection === null || !field || meta?.system === true) return []
    const one = schema.collections.get(relatedCollection)
    return one !== undefined && !one.isSystem && one.aliases.has(field)
      ? [{ collection: relatedCollection, field }]
      : []
  })
}

/** Removes a field with its column, its metadata and all references to it. */
export function removeField(collection: Collection, name: string, schema: Schema): Change {
  return remove({ fields: [{ collection: collection.name, field: name }], collections: [] }, schema)
}

/**
 * Removes a collection with its table, its records and all references to it. Columns of other tables that refer to it
 * stay as plain columns.
 */
export function removeCollection(name: string, schema: Schema): Change {
  return remove({ fields: [], collections: [name] }, schema)
}

/** Removes fields and collections together. */
export function remove(asked: Removal, schema: Schema): Change {
  const relations = endingRelations(schema, asked)
  const lists = listsOf(schema, relations).filter((list) => !asked.collections.includes(list.collection))
  const removal: Removal = {
    fields: [...asked.fields, ...lists.filter((list) => !asked.fields.some((field) => isSame(field, list)))],
    collections: asked.collections,
  }
  return {
    ddl: [...foreignKeyDrops(relations, asked, schema), ...drops(asked, schema)],
    metadata: [
      ...removal.collections.flatMap(recordsOf),
      ...relations.flatMap((relation): MetadataChange[] =>
        relation.meta === null || relation.meta.system === true
          ? []
          : [{ kind: 'remove', table: 'service_relations', keys: relationKey(relation) }],
      ),
      ...removal.fields.map(({ collection, field }): MetadataChange => ({
        kind: 'remove',
        table: 'service_fields',
        keys: fieldKey(collection, field),
      })),
      ...loosened(schema, removal, relations),
      ...mentions(schema, removal),
    ],
    gone: goneOf(removal),
  }
}

const goneOf = ({ fields, collections }: Removal): Gone => ({ fields, collections })

const tableOf = ({ schema, table }: Collection) => ({ schema, table })

/** Foreign keys of other tables would block dropping a table, or a column that they refer to. */
function foreignKeyDrops(
  relations: readonly DeclaredRelation[],
  { fields, collections }: Removal,
  schema: Schema,
): SchemaChange[] {
  return relations.flatMap(({ collection, foreignKey, relatedCollection }): SchemaChange[] => {
    const many = schema.collections.get(collection)
    if (foreignKey === null || many === undefined || collections.includes(collection)) return []
    const goesByItself = foreignKey.columns.some((column) => has(fields, collection, column))
    const isInTheWay =
      (relatedCollection !== null && collections.includes(relatedCollection)) ||
      foreignKey.toColumns.some((column) => has(fields, relatedCollection, column))
    return isInTheWay && !goesByItself ? [{ kind: 'drop-constraint', table: tableOf(many), name: foreignKey.name }] : []
  })
}

function drops({ fields, collections }: Removal, schema: Schema): SchemaChange[] {
  return [
    ...fields.flatMap(({ collection: name, field }): SchemaChange[] => {
      const collection = schema.collections.get(name)
      return collection?.columns.has(field) === true
        ? [{ kind: 'drop-column', table: tableOf(collection), column: field }]
        : []
    }),
    ...collections.flatMap((name): SchemaChange[] => {
      const collection = schema.collections.get(name)
      return collection === undefined ? [] : [{ kind: 'drop-table', table: tableOf(collection) }]
    }),
  ]
}

/** Stored records about a collection and its items; a later collection of the same name must not inherit them. */
const recordsOf = (collection: string): MetadataChange[] => [
  { kind: 'remove', table: 'service_collections', keys: [named('collection', collection)] },
  { kind: 'remove', table: 'service_fields', keys: [named('collection', collection)] },
  { kind: 'remove', table: 'service_relations', keys: [named('many_collection', collection)] },
  { kind: 'remove', table: 'service_presets', keys: [named('collection', collection)] },
  { kind: 'remove', table: 'service_comments', keys: [named('collection', collection)] },
  { kind: 'remove', table: 'service_revisions', keys: [named('collection', collection)] },
  { kind: 'remove', table: 'service_activity', keys: [named('collection', collection)] },
]

/** Clears references to removed fields and collections in relations that stay. */
function loosened(schema: Schema, removal: Removal, ending: readonly DeclaredRelation[]): MetadataChange[] {
  const { fields, collections } = removal
  return schema.relations.flatMap((relation): MetadataChange[] => {
    const { collection, relatedCollection, meta } = relation
    if (meta === null || meta.system === true || ending.includes(relation)) return []
    const allowed = meta.one_allowed_collections
    const values: StoredValue[] = [
      ...(has(fields, relatedCollection, meta.one_field) ? [empty('one_field')] : []),
      ...(has(fields, collection, meta.junction_field) ? [empty('junction_field')] : []),
      ...(has(fields, collection, meta.sort_field) ? [empty('sort_field')] : []),
    ]
    if (allowed?.some((name) => collections.includes(name)) === true) {
      const left = allowed.filter((name) => !collections.includes(name))
      values.push({ column: 'one_allowed_collections', kind: 'list', value: JSON.stringify(left) })
    }
    return values.length === 0 ? [] : [{ kind: 'put', table: 'service_relations', keys: relationKey(relation), values }]
  })
}

/** Clears references to removed fields and collections in the metadata of collections and fields. */
function mentions(schema: Schema, { fields, collections }: Removal): MetadataChange[] {
  const metas = [...schema.collections.values()].filter(({ isSystem }) => !isSystem)
  const ofCollections = [...metas.flatMap(({ meta }) => meta ?? []), ...schema.folders.values()].flatMap(
    (meta): MetadataChange[] => {
      if (collections.includes(meta.collection)) return []
      const goes = (name: string | null) => has(fields, meta.collection, name)
      const values: StoredValue[] = [
        ...(goes(meta.archive_field) ? [empty('archive_field')] : []),
        ...(goes(meta.sort_field) ? [empty('sort_field')] : []),
        ...(meta.group !== null && collections.includes(meta.group) ? [empty('group')] : []),
        ...templateWithout(meta.display_template, goes),
        ...duplicatesWithout(meta.item_duplication_fields, goes),
      ]
      const keys = [named('collection', meta.collection)]
      return values.length === 0 ? [] : [{ kind: 'put', table: 'service_collections', keys, values }]
    },
  )
  const ofFields = metas.flatMap(({ name, columns, aliases }) =>
    [...columns.values(), ...aliases.values()].flatMap((field): MetadataChange[] =>
      has(fields, name, field.meta?.group) && !has(fields, name, field.name)
        ? [{ kind: 'put', table: 'service_fields', keys: fieldKey(name, field.name), values: [empty('group')] }]
        : [],
    ),
  )
  return [...ofCollections, ...ofFields]
}

/** `{{field}}` and `{{field.other}}` are placeholders for values in a template. */
function templateWithout(template: string | null, goes: (name: string) => boolean): StoredValue[] {
  if (template === null) return []
  const left = template.replace(/\{\{\s*([^}.\s]+)[^}]*\}\}/gu, (whole, name: string) => (goes(name) ? '' : whole))
  return left === template ? [] : [{ column: 'display_template', kind: 'text', value: left.trim() || null }]
}

function duplicatesWithout(list: unknown, goes: (name: string) => boolean): StoredValue[] {
  if (!Array.isArray(list)) return []
  const left = list.filter((path) => typeof path !== 'string' || !goes(path.split('.', 1)[0] ?? ''))
  return left.length === list.length
    ? []
    : [{ column: 'item_duplication_fields', kind: 'json', value: JSON.stringify(left) }]
}
