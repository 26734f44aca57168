import type { RelationMeta } from '@tain/contract'
import type { DatabaseTable } from '../sql/database-schema.ts'
import type { DeclaredRelation, ToAny, ToMany, ToOne } from './schema.ts'

/** A table with the name of its collection. */
export interface NamedTable {
  readonly name: string
  readonly table: DatabaseTable
}

export interface Tables {
  readonly byName: ReadonlyMap<string, NamedTable>
  readonly nameOf: (schema: string, table: string) => string | undefined
}

/** Dots separate path segments, so inferred names must not contain them. */
export const fieldNameOf = (name: string) => name.replaceAll('.', '_')

const hasColumn = ({ byName }: Tables, collection: string, column: string) =>
  byName.get(collection)?.table.columns.some(({ name }) => name === column) === true

/** All relations that `/relations` lists: foreign keys with their metadata, then metadata without a foreign key. */
export function declareRelations(tables: Tables, metas: readonly RelationMeta[]): DeclaredRelation[] {
  const metaBySide = new Map(metas.map((meta) => [sideKey(meta.many_collection, meta.many_field), meta]))
  const declared: DeclaredRelation[] = []
  const described = new Set<RelationMeta>()
  for (const { name, table } of tables.byName.values()) {
    for (const foreignKey of table.foreignKeys) {
      const relatedCollection = tables.nameOf(foreignKey.toSchema, foreignKey.toTable)
      if (relatedCollection === undefined) continue
      const meta =
        foreignKey.columns.length === 1 ? metaBySide.get(sideKey(name, foreignKey.columns[0] ?? '')) : undefined
      const fits = meta !== undefined && (meta.one_collection === null || meta.one_collection === relatedCollection)
      if (fits) described.add(meta)
      const field = foreignKey.columns.length === 1 ? (foreignKey.columns[0] ?? '') : fieldNameOf(relatedCollection)
      declared.push({ collection: name, field, relatedCollection, foreignKey, meta: fits ? meta : null })
    }
  }
  for (const meta of metas) {
    if (described.has(meta) || !tables.byName.has(meta.many_collection)) continue
    const { many_collection: collection, many_field: field, one_collection: relatedCollection } = meta
    declared.push({ collection, field, relatedCollection, foreignKey: null, meta })
  }
  return declared
}

const sideKey = (collection: string, field: string) => JSON.stringify([collection, field])

/** The relations of a collection's columns: by foreign key, by metadata alone, or to one of several collections. */
export function columnRelations(declared: readonly DeclaredRelation[], tables: Tables): Map<string, ToOne | ToAny> {
  const relations = new Map<string, ToOne | ToAny>()
  for (const { collection, field, relatedCollection, foreignKey, meta } of declared) {
    // Foreign keys come first and win over metadata that contradicts them.
    if (relations.has(field)) continue
    if (foreignKey !== null && relatedCollection !== null) {
      if (foreignKey.columns.length !== 1) continue
      relations.set(field, {
        kind: 'one',
        columns: foreignKey.columns,
        to: relatedCollection,
        toColumns: foreignKey.toColumns,
      })
    } else if (meta?.one_collection_field && meta.one_allowed_collections) {
      if (!hasColumn(tables, collection, meta.one_collection_field)) continue
      const allowed = meta.one_allowed_collections.filter((name) => tables.byName.has(name))
      relations.set(field, { kind: 'any', column: field, collectionColumn: meta.one_collection_field, allowed })
    } else if (relatedCollection !== null) {
      const key = tables.byName.get(relatedCollection)?.table.primaryKey ?? []
      if (key.length === 1)
        relations.set(field, { kind: 'one', columns: [field], to: relatedCollection, toColumns: key })
    }
  }
  return relations
}

/** The other side of a declared relation: the to-many field that metadata names on the one side. */
export function reverseOf(relation: DeclaredRelation, tables: Tables): ToMany | null {
  const { collection, field, relatedCollection, foreignKey, meta } = relation
  if (relatedCollection === null) return null
  // Metadata can outlive its column.
  if (foreignKey === null && !hasColumn(tables, collection, field)) return null
  const columns = foreignKey?.toColumns ?? tables.byName.get(relatedCollection)?.table.primaryKey ?? []
  const toColumns = foreignKey?.columns ?? [field]
  if (columns.length !== toColumns.length) return null
  return { kind: 'many', columns, to: collection, toColumns, sortField: meta?.sort_field ?? null }
}
