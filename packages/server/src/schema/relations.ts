import type { RelationMeta } from '@tain/contract'
import type { DatabaseForeignKey, DatabaseTable } from '../sql/database-schema.ts'
import type { DeclaredRelation, RelationField, Through, ToAny, ToMany, ToOne } from './schema.ts'

/** A table with the name its collection goes by. */
export interface NamedTable {
  readonly name: string
  readonly table: DatabaseTable
}

export interface Tables {
  readonly byName: ReadonlyMap<string, NamedTable>
  readonly nameOf: (schema: string, table: string) => string | undefined
}

const sameList = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x, i) => x === b[i])
const sameSet = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x) => b.includes(x))

/** Dots separate path segments, so inferred names go without them. */
const fieldNameOf = (name: string) => name.replaceAll('.', '_')

const hasColumn = ({ byName }: Tables, collection: string, column: string) =>
  byName.get(collection)?.table.columns.some(({ name }) => name === column) === true

/** Everything `/relations` lists: foreign keys with the metadata that describes them, then metadata without one. */
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

/** Where the columns of a collection lead: by foreign key, by metadata alone, or to any of several collections. */
export function columnRelations(declared: readonly DeclaredRelation[], tables: Tables): Map<string, ToOne | ToAny> {
  const relations = new Map<string, ToOne | ToAny>()
  for (const { collection, field, relatedCollection, foreignKey, meta } of declared) {
    // Foreign keys come first: metadata that contradicts one does not bend it.
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
  // Metadata outlives the column it speaks of.
  if (foreignKey === null && !hasColumn(tables, collection, field)) return null
  const columns = foreignKey?.toColumns ?? tables.byName.get(relatedCollection)?.table.primaryKey ?? []
  const toColumns = foreignKey?.columns ?? [field]
  if (columns.length !== toColumns.length) return null
  return { kind: 'many', columns, to: collection, toColumns, sortField: meta?.sort_field ?? null }
}

interface InferredNames {
  /** Adds the field under the first name that no column, declared field or earlier inference holds. */
  add(collection: string, names: readonly string[], relation: RelationField['relation']): void
}

/** Fields that follow from foreign keys alone (composite to-one, one-to-many, many-to-many through pure junctions). */
export function inferRelations(
  tables: Tables,
  declared: readonly DeclaredRelation[],
  isTaken: (collection: string, name: string) => boolean,
): Map<string, Map<string, RelationField>> {
  const inferred = new Map<string, Map<string, RelationField>>()
  const names: InferredNames = {
    add(collection, candidates, relation) {
      const fields = inferred.get(collection) ?? new Map<string, RelationField>()
      const name = candidates.find((candidate) => !isTaken(collection, candidate) && !fields.has(candidate))
      if (name === undefined) return
      fields.set(name, { kind: 'inferred', name, relation })
      inferred.set(collection, fields)
    },
  }
  const keys = declared.filter((relation) => relation.foreignKey !== null && relation.relatedCollection !== null)
  for (const relation of keys) inferComposite(relation, names)
  inferReverse(keys, tables, names)
  for (const { name, table } of tables.byName.values()) inferThrough(name, table, tables, names)
  return inferred
}

function inferComposite({ collection, relatedCollection, foreignKey }: DeclaredRelation, names: InferredNames): void {
  if (foreignKey === null || relatedCollection === null || foreignKey.columns.length < 2) return
  const plain = fieldNameOf(relatedCollection)
  names.add(collection, [plain, fieldNameOf(`${plain}_by_${foreignKey.columns.join('_')}`)], {
    kind: 'one',
    columns: foreignKey.columns,
    to: relatedCollection,
    toColumns: foreignKey.toColumns,
  })
}

function inferReverse(keys: readonly DeclaredRelation[], tables: Tables, names: InferredNames): void {
  const leading = new Map<string, number>()
  const pair = (relation: DeclaredRelation) => JSON.stringify([relation.collection, relation.relatedCollection])
  for (const relation of keys) leading.set(pair(relation), (leading.get(pair(relation)) ?? 0) + 1)
  for (const relation of keys) {
    const reverse = reverseOf(relation, tables)
    if (reverse === null || relation.relatedCollection === null || relation.foreignKey === null) continue
    if (relation.meta?.one_field) {
      // Metadata named the field but nobody declared it as a field: it can be asked for under that name.
      names.add(relation.relatedCollection, [relation.meta.one_field], reverse)
      continue
    }
    const plain = fieldNameOf(relation.collection)
    const isOnly = leading.get(pair(relation)) === 1
    names.add(
      relation.relatedCollection,
      [isOnly ? plain : fieldNameOf(`${plain}_by_${relation.foreignKey.columns.join('_')}`)],
      reverse,
    )
  }
}

/** A pure junction: its key is exactly two foreign keys. */
function inferThrough(junction: string, table: DatabaseTable, tables: Tables, names: InferredNames): void {
  const [first, second] = sidesOfJunction(table)
  if (first === undefined || second === undefined) return
  for (const [near, far] of [
    [first, second],
    [second, first],
  ] as const) {
    const from = tables.nameOf(near.toSchema, near.toTable)
    const to = tables.nameOf(far.toSchema, far.toTable)
    if (from === undefined || to === undefined) continue
    const plain = fieldNameOf(to)
    const relation: Through = {
      kind: 'through',
      columns: near.toColumns,
      junction,
      nearColumns: near.columns,
      farColumns: far.columns,
      to,
      toColumns: far.toColumns,
    }
    names.add(from, [plain, `${plain}_via_${fieldNameOf(junction)}`], relation)
  }
}

function sidesOfJunction({ primaryKey, foreignKeys }: DatabaseTable): [DatabaseForeignKey?, DatabaseForeignKey?] {
  const inside = foreignKeys.filter((key) => key.columns.every((column) => primaryKey.includes(column)))
  for (const [index, first] of inside.entries()) {
    for (const second of inside.slice(index + 1)) {
      const isPure =
        sameSet([...first.columns, ...second.columns], primaryKey) && !sameList(first.columns, second.columns)
      if (isPure) return [first, second]
    }
  }
  return []
}
