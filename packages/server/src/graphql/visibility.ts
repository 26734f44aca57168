import type { Actor } from '../access/actor.ts'
import { findField, type Collection, type Field, type Schema } from '../schema/schema.ts'

/** What there is of a schema for one caller. Types hold nothing else, so that what is closed looks like what is not there. */
export interface Visibility {
  readonly schema: Schema
  readonly mayRead: (collection: Collection) => boolean
  readonly seesField: (collection: Collection, name: string) => boolean
  /** Whether every row that is shown shows this field: then a column that is never null is never null here either. */
  readonly isUnmasked: (collection: Collection, name: string) => boolean
  /** Collections that a relation leads to, as far as it may be followed; none: it may not. */
  readonly targetsOf: (collection: Collection, field: Field) => readonly Collection[]
  readonly mayWrite: (action: 'create' | 'update' | 'delete', collection: Collection) => boolean
  /** Whether a payload may name the field, for one right or another. */
  readonly mayName: (collection: Collection, name: string) => boolean
  readonly mayUse: (collection: Collection) => boolean
}

const has = (fields: 'all' | ReadonlySet<string>, name: string) => fields === 'all' || fields.has(name)

export function visibilityOf(actor: Actor, schema: Schema): Visibility {
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

/** A key in a column is there whatever it leads to; one of several columns needs what following it needs. */
export const hasOwnKey = ({ kind }: Field, to: Collection | undefined) => kind === 'column' || to !== undefined

/** Fields that can be named in a read, in the order of the collection. */
export const readableFields = (collection: Collection, { seesField }: Visibility): Field[] =>
  [...new Set([...collection.columns.keys(), ...collection.aliases.keys(), ...collection.inferred.keys()])].flatMap(
    (name) => {
      const field = findField(collection, name)
      const isThere = field !== undefined && (field.kind !== 'alias' || field.relation !== null)
      return isThere && seesField(collection, name) ? [field] : []
    },
  )
