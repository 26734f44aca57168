import { forbidden, writtenName, type ServiceError } from '@tain/contract'
import { nearest } from '../lib/nearest.ts'
import {
  findCollection,
  findField,
  type Collection,
  type ColumnField,
  type Field,
  type RelationField,
  type Schema,
} from '../schema/schema.ts'
import type { Spend } from './cost.ts'
import type { BoundToAny, BoundToMany, BoundToOne } from './bound.ts'

/** The collections and fields that a caller can see. Hidden names give the same error as names that do not exist. */
export interface Visibility {
  readonly collection: (collection: Collection) => boolean
  readonly field: (name: string, collection: Collection) => boolean
}

export const everything: Visibility = { collection: () => true, field: () => true }

export interface BindContext {
  readonly schema: Schema
  readonly visibility: Visibility
  /** Position in the request, for error messages. */
  readonly at: string
  /** Default page size of nested lists. */
  readonly limitDefault: number
  /** Counts the fields that wildcards expand to. */
  readonly spend?: Spend
}

export function collectionNamed(name: string, { schema, visibility, at }: BindContext): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || !visibility.collection(collection))
    throw noCollection(name, at, collectionNames(schema, visibility.collection))
  return collection
}

/**
 * The root collection of a request, either a user or a system collection. Relations can lead from there to both kinds.
 */
export function rootCollection(name: string, isSystem: boolean, { schema, visibility, at }: BindContext): Collection {
  const collection = findCollection(schema, name, isSystem)
  if (collection === undefined || !visibility.collection(collection))
    throw noCollection(name, at, collectionNames(schema, visibility.collection))
  return collection
}

/** Names of the user collections that the caller can see. */
export const collectionNames = ({ collections }: Schema, isSeen: (collection: Collection) => boolean): string[] =>
  [...collections.values()].flatMap((entry) => (!entry.isSystem && isSeen(entry) ? [entry.name] : []))

const quoted = (at: string) => (at === 'root' ? 'root' : `"${at}"`)

/**
 * `known` contains only names that the caller may use: a hidden name gives the same error as one that does not exist.
 */
const refusal = (words: string, name: string, at: string, known: Iterable<string>): ServiceError => {
  const hint = cutShort(name, known) ?? nearest(name, known)
  return forbidden(`${words} or it does not exist. Queried in ${quoted(at)}.${hint === undefined ? '' : meant(hint)}`)
}

/** A name with a dot, comma, colon or parenthesis of which a path without backslashes names the beginning. */
const cutShort = (name: string, known: Iterable<string>): string | undefined =>
  [...known].find((each) => each.startsWith(name) && /[.,:()]/u.test(each.charAt(name.length)))

function meant(hint: string): string {
  const written = writtenName(hint)
  return ` Did you mean "${hint}"?${written === hint ? '' : ` A path writes it as "${written}".`}`
}

export const noCollection = (name: string, at = 'root', known: Iterable<string> = []) =>
  refusal(`You don't have permission to access collection "${name}"`, name, at, known)

/** The message says nothing about the target of the field, because the caller has not named it. */
const noWay = (field: string, at: string) =>
  forbidden(`You don't have permission to follow field "${field}" or it is no relation. Queried in ${quoted(at)}.`)

/**
 * The error for a path that continues below a field that is no relation. Callers with limited visibility do not learn
 * whether the relation is missing or hidden.
 */
export const noRelation = (field: string, collection: Collection, { visibility, at }: BindContext): ServiceError =>
  visibility === everything
    ? forbidden(
        `Field "${field}" in collection "${collection.name}" is no relation, so that nothing can be named below it. Queried in ${quoted(at)}.`,
      )
    : noWay(field, at)

/** The target collection of a field, if the caller can see it and the columns that the relation needs. */
function behind(
  { name: field }: Field,
  name: string,
  columns: readonly string[],
  { schema, visibility, at }: BindContext,
): Collection {
  const collection = schema.collections.get(name)
  if (
    collection === undefined ||
    !visibility.collection(collection) ||
    !columns.every((column) => visibility.field(column, collection))
  )
    throw noWay(field, at)
  return collection
}

export const noField = (field: string, collection: string, at = 'root', known: Iterable<string> = []) =>
  refusal(`You don't have permission to access field "${field}" in collection "${collection}"`, field, at, known)

export function fieldNamed(name: string, collection: Collection, context: BindContext): Field {
  const field = findField(collection, name)
  if (field === undefined || !isThere(field, collection, context))
    throw noField(name, collection.name, context.at, fieldNames(collection, context))
  return field
}

const isThere = (field: Field, collection: Collection, context: BindContext): boolean =>
  !(field.kind === 'alias' && field.relation === null) &&
  context.visibility.field(field.name, collection) &&
  (field.kind !== 'inferred' || isOpen(field, context))

/** The name of an inferred field is made of table and column names, so it is hidden where those are hidden. */
function isOpen({ relation }: RelationField, { schema, visibility }: BindContext): boolean {
  const sees = (name: string, columns: readonly string[]) => {
    const collection = schema.collections.get(name)
    return (
      collection !== undefined &&
      visibility.collection(collection) &&
      columns.every((column) => visibility.field(column, collection))
    )
  }
  switch (relation.kind) {
    case 'one':
      return sees(relation.to, [])
    case 'many':
      return sees(relation.to, relation.toColumns)
    case 'through':
      return sees(relation.to, []) && sees(relation.junction, [...relation.nearColumns, ...relation.farColumns])
  }
}

/** Field names of a collection that the caller can use. */
const fieldNames = (collection: Collection, context: BindContext): string[] =>
  [...collection.columns.values(), ...collection.aliases.values(), ...collection.inferred.values()]
    .filter((field) => isThere(field, collection, context))
    .map(({ name }) => name)

export function columnNamed(name: string, collection: Collection, context: BindContext): ColumnField {
  const field = fieldNamed(name, collection, context)
  if (field.kind !== 'column') throw noField(name, collection.name, context.at)
  return field
}

export const deeper = (context: BindContext, name: string): BindContext => ({
  ...context,
  at: context.at === 'root' ? name : `${context.at}.${name}`,
})

export function toManyOf(field: Field, context: BindContext): BoundToMany | null {
  const { relation } = field
  if (relation === null || relation.kind === 'one' || relation.kind === 'any') return null
  if (relation.kind === 'many') {
    const { columns, toColumns } = relation
    const isInferred = field.kind === 'inferred'
    const to = behind(field, relation.to, isInferred ? toColumns : [], context)
    return { kind: 'many', columns, toColumns, to, isInferred, seen: null }
  }
  const { columns, nearColumns, farColumns, toColumns } = relation
  const to = behind(field, relation.to, [], context)
  const junction = behind(field, relation.junction, [...nearColumns, ...farColumns], context)
  return {
    kind: 'through',
    columns,
    nearColumns,
    farColumns,
    toColumns,
    junction,
    to,
    seen: null,
    junctionSeen: null,
  }
}

export function toOneOf(field: Field, context: BindContext): BoundToOne | null {
  const { relation } = field
  if (relation?.kind !== 'one') return null
  const { columns, toColumns } = relation
  return { columns, toColumns, to: behind(field, relation.to, [], context), seen: null }
}

export function toAnyOf(field: Field, context: BindContext): BoundToAny | null {
  const { relation } = field
  if (relation?.kind !== 'any') return null
  const { schema, visibility } = context
  const targets = relation.allowed.flatMap((name) => schema.collections.get(name) ?? [])
  return { ...relation, targets: targets.filter(visibility.collection), seen: new Map() }
}

export function targetOf(
  relation: BoundToAny,
  scope: string,
  field: string,
  collection: Collection,
  at: string,
): Collection {
  const target = relation.targets.find(({ name }) => name === scope)
  if (target === undefined) throw noField(`${field}:${scope}`, collection.name, at)
  return target
}
