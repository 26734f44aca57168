import { invalidPayload, ServiceError } from '@tain/contract'
import { nearest } from '../lib/nearest.ts'
import { findField, type Collection, type ColumnField, type Field, type RelationField } from '../schema/schema.ts'
import type { WriteContext } from './write-context.ts'

/** Field names that a caller may send. */
export const namesIn = (lists: readonly ('all' | ReadonlySet<string>)[]): string[] =>
  lists.flatMap((fields) => (fields === 'all' ? [] : [...fields]))

/** The schema for name lookups, and the collections that the caller may use. */
type Naming = Pick<WriteContext, 'schema' | 'mayUse'>

/** An inferred field is named after its target tables, so it is hidden if the caller may not use one of them. */
function isOpen({ relation }: RelationField, { schema, mayUse }: Naming): boolean {
  const tables = relation.kind === 'through' ? [relation.to, relation.junction] : [relation.to]
  return tables.every((name) => {
    const collection = schema.collections.get(name)
    return collection !== undefined && mayUse(collection)
  })
}

function unknownKey(name: string, collection: Collection, naming: Naming): Error {
  const inferred = [...collection.inferred.values()].filter((field) => isOpen(field, naming))
  const hint = nearest(name, [
    ...collection.columns.keys(),
    ...[...collection.aliases.values()].filter(({ relation }) => relation !== null).map((field) => field.name),
    ...inferred.map((field) => field.name),
  ])
  return invalidPayload(
    `"${name}" is no field of "${collection.name}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`,
  )
}

/** The database would refuse the value too, but without naming the field. */
export const generated = ({ name }: ColumnField): ServiceError =>
  new ServiceError(
    'INVALID_PAYLOAD',
    `Invalid payload. "${name}" is GENERATED ALWAYS: the database makes its value, and none can be sent.`,
    { field: name, reason: `"${name}" is GENERATED ALWAYS: the database makes its value, and none can be sent` },
  )

export function fieldOf(name: string, collection: Collection, naming: Naming): Field {
  const field = findField(collection, name)
  const isThere =
    field !== undefined &&
    !(field.kind === 'alias' && field.relation === null) &&
    !(field.kind === 'inferred' && !isOpen(field, naming))
  if (!isThere) throw unknownKey(name, collection, naming)
  return field
}
