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

export interface BindContext {
  readonly schema: Schema
  /** Where in the request names are being looked up, for messages. */
  readonly at: string
  /** Rows of a nested list nobody gave a limit. */
  readonly limitDefault: number
}

export function collectionNamed(name: string, { schema, at }: BindContext): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw noCollection(name, at)
  return collection
}

/** Where a request begins; what it leads to from there may be of both kinds. */
export function rootCollection(name: string, isSystem: boolean, { schema, at }: BindContext): Collection {
  const collection = findCollection(schema, name, isSystem)
  if (collection === undefined) throw noCollection(name, at)
  return collection
}

const quoted = (at: string) => (at === 'root' ? 'root' : `"${at}"`)

export const noCollection = (name: string, at = 'root') =>
  forbidden(`You don't have permission to access collection "${name}" or it does not exist. Queried in ${quoted(at)}.`)

export const noField = (field: string, collection: string, at = 'root') =>
  forbidden(
    `You don't have permission to access field "${field}" in collection "${collection}" or it does not exist. Queried in ${quoted(at)}.`,
  )

export function fieldNamed(name: string, collection: Collection, { at }: BindContext): Field {
  const field = findField(collection, name)
  if (field === undefined || (field.kind === 'alias' && field.relation === null))
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
  const to = collectionNamed(relation.to, context)
  if (relation.kind === 'many') return { kind: 'many', columns: relation.columns, toColumns: relation.toColumns, to }
  const { columns, nearColumns, farColumns, toColumns } = relation
  return {
    kind: 'through',
    columns,
    nearColumns,
    farColumns,
    toColumns,
    junction: collectionNamed(relation.junction, context),
    to,
  }
}

export function toOneOf(field: Field, context: BindContext): BoundToOne | null {
  const { relation } = field
  if (relation?.kind !== 'one') return null
  return { columns: relation.columns, toColumns: relation.toColumns, to: collectionNamed(relation.to, context) }
}

export function toAnyOf(field: Field, context: BindContext): BoundToAny | null {
  const { relation } = field
  if (relation?.kind !== 'any') return null
  return { ...relation, targets: relation.allowed.map((name) => collectionNamed(name, context)) }
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
