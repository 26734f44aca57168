import type { Permitted } from '../access/actor.ts'
import { findField, type Collection, type Field, type Schema } from '../schema/schema.ts'

/**
 * The part of a schema that one caller may access. The types contain nothing else, so hidden parts look like missing
 * ones.
 */
export interface Visibility {
  readonly schema: Schema
  readonly mayRead: (collection: Collection) => boolean
  readonly seesField: (collection: Collection, name: string) => boolean
  /** Whether every visible row shows this field. If so, a column that is NOT NULL is non-null in GraphQL too. */
  readonly isUnmasked: (collection: Collection, name: string) => boolean
  /** Target collections that the caller may reach through a relation; empty: none. */
  readonly targetsOf: (collection: Collection, field: Field) => readonly Collection[]
  readonly mayWrite: (action: 'create' | 'update' | 'delete', collection: Collection) => boolean
  /** Whether a payload may contain the field, for a create or an update. */
  readonly mayName: (collection: Collection, name: string) => boolean
  readonly mayUse: (collection: Collection) => boolean
}

const has = (fields: 'all' | ReadonlySet<string>, name: string) => fields === 'all' || fields.has(name)

export function visibilityOf(actor: Permitted, schema: Schema): Visibility {
  const mayRead = (collection: Collection) => actor.may('read', collection)
  const seesField = (collection: Collection, name: string) => has(actor.fieldsFor(collection, 'read'), name)
  const named = (name: string) => schema.collections.get(name)

  function targetsOf(collection: Collection, { relation, kind }: Field): readonly Collection[] {
    if (relation === null) return []
    if (relation.kind === 'any') {
      if (!seesField(collection, relation.collectionColumn)) return []
      return relation.allowed.flatMap((name) => named(name) ?? []).filter(mayRead)
    }
    const to = named(relation.to)
    if (to === undefined || !mayRead(to)) return []
    const needed: (readonly [Collection | undefined, readonly string[]])[] =
      relation.kind === 'one'
        ? [[collection, relation.columns]]
        : relation.kind === 'through'
          ? [[named(relation.junction), [...relation.nearColumns, ...relation.farColumns]]]
          : kind === 'inferred'
            ? [[to, relation.toColumns]]
            : []
    const isOpen = needed.every(
      ([holder, names]) => holder !== undefined && mayRead(holder) && names.every((name) => seesField(holder, name)),
    )
    return isOpen ? [to] : []
  }

  return {
    schema,
    mayRead,
    seesField,
    isUnmasked: (collection, name) =>
      actor.isAdmin || actor.permissionsFor(collection, 'read').every(({ fields }) => has(fields, name)),
    targetsOf,
    mayWrite: (action, collection) => !collection.isReadOnly && actor.may(action, collection),
    mayName: (collection, name) =>
      has(actor.fieldsFor(collection, 'create'), name) || has(actor.fieldsFor(collection, 'update'), name),
    mayUse: (collection) => actor.mayUse(collection),
  }
}

/**
 * A key in a single column is readable independently of its target; a key of several columns requires access to the
 * target.
 */
export const hasOwnKey = ({ kind }: Field, to: Collection | undefined) => kind === 'column' || to !== undefined

/** Fields that a read may name, in the order of the collection. */
export const readableFields = (collection: Collection, { seesField }: Visibility): Field[] =>
  [...new Set([...collection.columns.keys(), ...collection.aliases.keys(), ...collection.inferred.keys()])].flatMap(
    (name) => {
      const field = findField(collection, name)
      const isThere = field !== undefined && (field.kind !== 'alias' || field.relation !== null)
      return isThere && seesField(collection, name) ? [field] : []
    },
  )
