import { relationMeta, type FieldObject, type RelationMeta } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { subjectOf } from '../schema/infer-relations.ts'
import type { Collection, DeclaredRelation, RelationField, Schema, Through } from '../schema/schema.ts'

export const readsField = (actor: Actor, collection: Collection | undefined, field: string): boolean => {
  const fields = collection === undefined ? null : actor.fieldsFor(collection, 'read')
  return fields !== null && (fields === 'all' || fields.has(field))
}

/** An inferred field is visible to callers who may read it, its target, and the columns of its relation. */
function isVisible({ name, relation }: RelationField, collection: Collection, actor: Actor, schema: Schema): boolean {
  const to = schema.collections.get(relation.to)
  const junction = relation.kind === 'through' ? schema.collections.get(relation.junction) : undefined
  const holders =
    relation.kind === 'through'
      ? ([[junction, [...relation.nearColumns, ...relation.farColumns]]] as const)
      : relation.kind === 'many'
        ? ([[to, relation.toColumns]] as const)
        : ([[collection, relation.columns]] as const)
  return (
    readsField(actor, collection, name) &&
    to !== undefined &&
    actor.may('read', to) &&
    holders.every(
      ([holder, columns]) =>
        holder !== undefined &&
        actor.may('read', holder) &&
        columns.every((column) => readsField(actor, holder, column)),
    )
  )
}

/** An inferred field by name; lists do not contain inferred fields. */
export function inferredField(
  collection: Collection,
  name: string,
  actor: Actor,
  schema: Schema,
): FieldObject | undefined {
  const field = collection.inferred.get(name)
  if (field === undefined || !isVisible(field, collection, actor, schema)) return undefined
  return { collection: collection.name, field: name, type: 'alias', meta: null }
}

interface Index {
  /** collection and subject → field */
  readonly lists: ReadonlyMap<string, RelationField>
  /** junction and its columns → fields that lead through it */
  readonly through: ReadonlyMap<string, readonly (readonly [Collection, RelationField, Through])[]>
}

const indexes = new WeakMap<Schema, Index>()

const keyOf = (...parts: readonly (string | readonly string[])[]) => JSON.stringify(parts)

function indexOf(schema: Schema): Index {
  const known = indexes.get(schema)
  if (known !== undefined) return known
  const lists = new Map<string, RelationField>()
  const through = new Map<string, (readonly [Collection, RelationField, Through])[]>()
  for (const collection of schema.collections.values())
    for (const field of collection.inferred.values()) {
      const { relation } = field
      lists.set(keyOf(collection.name, subjectOf(relation)), field)
      if (relation.kind !== 'through') continue
      const key = keyOf(relation.junction, relation.nearColumns, collection.name)
      through.set(key, [...(through.get(key) ?? []), [collection, field, relation]])
    }
  const made = { lists, through }
  indexes.set(schema, made)
  return made
}

const listFieldOf = ({ collection, relatedCollection, foreignKey }: DeclaredRelation, schema: Schema) =>
  foreignKey === null || relatedCollection === null
    ? undefined
    : indexOf(schema).lists.get(
        keyOf(
          relatedCollection,
          subjectOf({
            kind: 'many',
            columns: foreignKey.toColumns,
            to: collection,
            toColumns: foreignKey.columns,
            sortField: null,
          }),
        ),
      )

const defaults = Object.fromEntries(
  Object.entries(relationMeta).map(([name, row]) => [name, 'default' in row ? row.default : null]),
)

const metaOf = (
  { collection, field, relatedCollection }: DeclaredRelation,
  more: Partial<RelationMeta>,
): RelationMeta =>
  ({
    id: null,
    many_collection: collection,
    many_field: field,
    one_collection: relatedCollection,
    ...defaults,
    ...more,
  }) as RelationMeta

/** Metadata of the inferred list on the other side of a foreign key; null if the caller sees none. */
export function inferredMeta(relation: DeclaredRelation, actor: Actor, schema: Schema): RelationMeta | null {
  const one = schema.collections.get(relation.relatedCollection ?? '')
  const field = listFieldOf(relation, schema)
  if (one === undefined || field === undefined || !isVisible(field, one, actor, schema)) return null
  const many = schema.collections.get(relation.collection)
  const isPartOfKey = relation.foreignKey?.columns.every((column) => many?.key.some(({ name }) => name === column))
  const action = isPartOfKey === true ? 'delete' : 'nullify'
  return metaOf(relation, { one_field: field.name, one_deselect_action: action })
}

/** The same for the fields that lead through a junction, one entry per field. */
export function inferredThrough(relation: DeclaredRelation, actor: Actor, schema: Schema): RelationMeta[] {
  const { collection, relatedCollection, foreignKey } = relation
  if (foreignKey === null || relatedCollection === null) return []
  const { lists, through } = indexOf(schema)
  const farField = ({ farColumns, to, toColumns }: Through) =>
    farColumns.length === 1
      ? farColumns[0]
      : lists.get(keyOf(collection, subjectOf({ kind: 'one', columns: farColumns, to, toColumns })))?.name
  return (through.get(keyOf(collection, foreignKey.columns, relatedCollection)) ?? [])
    .filter(([one, field]) => isVisible(field, one, actor, schema))
    .map(([, field, way]) =>
      metaOf(relation, {
        one_field: field.name,
        junction_field: farField(way) ?? null,
        one_deselect_action: 'delete',
      }),
    )
}
