import { forbidden } from '@tain/contract'
import {
  findCollection,
  findField,
  type Collection,
  type ColumnField,
  type Field,
  type Schema,
} from '../schema/schema.ts'
import type { BoundToAny, BoundToMany, BoundToOne } from './bound.ts'

/** What there is for somebody. What is not there is answered in the words of what does not exist. */
export interface Sight {
  readonly collection: (collection: Collection) => boolean
  readonly field: (name: string, collection: Collection) => boolean
}

export const everything: Sight = { collection: () => true, field: () => true }

export interface BindContext {
  readonly schema: Schema
  readonly sight: Sight
  /** Where in the request names are being looked up, for messages. */
  readonly at: string
  /** Rows of a nested list nobody gave a limit. */
  readonly limitDefault: number
}

export function collectionNamed(name: string, { schema, sight, at }: BindContext): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || !sight.collection(collection)) throw noCollection(name, at)
  return collection
}

/** Where a request begins; what it leads to from there may be of both kinds. */
export function rootCollection(name: string, isSystem: boolean, { schema, sight, at }: BindContext): Collection {
  const collection = findCollection(schema, name, isSystem)
  if (collection === undefined || !sight.collection(collection)) throw noCollection(name, at)
  return collection
}

const quoted = (at: string) => (at === 'root' ? 'root' : `"${at}"`)

export const noCollection = (name: string, at = 'root') =>
  forbidden(`You don't have permission to access collection "${name}" or it does not exist. Queried in ${quoted(at)}.`)

/** Nothing is said of what lies behind a field but that there is no way there: the caller has not named it. */
const noWay = (field: string, at: string) =>
  forbidden(`You don't have permission to follow field "${field}" or it leads nowhere. Queried in ${quoted(at)}.`)

/** The collection behind a field, with the columns of it that the way there needs. */
function behind(
  { name: field }: Field,
  name: string,
  columns: readonly string[],
  { schema, sight, at }: BindContext,
): Collection {
  const collection = schema.collections.get(name)
  if (
    collection === undefined ||
    !sight.collection(collection) ||
    !columns.every((column) => sight.field(column, collection))
  )
    throw noWay(field, at)
  return collection
}

export const noField = (field: string, collection: string, at = 'root') =>
  forbidden(
    `You don't have permission to access field "${field}" in collection "${collection}" or it does not exist. Queried in ${quoted(at)}.`,
  )

export function fieldNamed(name: string, collection: Collection, { sight, at }: BindContext): Field {
  const field = findField(collection, name)
  if (field === undefined || (field.kind === 'alias' && field.relation === null) || !sight.field(name, collection))
    throw noField(name, collection.name, at)
  return field
}

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
  const { schema, sight } = context
  const targets = relation.allowed.flatMap((name) => schema.collections.get(name) ?? [])
  return { ...relation, targets: targets.filter(sight.collection), seen: new Map() }
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
