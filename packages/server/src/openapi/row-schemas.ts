import type { Actor } from '../access/actor.ts'
import { has, isNeeded, isWritable, mayBeNull, noteOf, ownFields, type OwnField } from '../description/fields.ts'
import type { CollectionNames } from '../description/names.ts'
import { visibilityOf, type Visibility } from '../system/visible-schema.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { readSchema, writeSchema } from './field-schemas.ts'
import { orNull, ref, type SchemaObject } from './schema-object.ts'

/** What the schemas of one caller depend on. */
export interface Described {
  readonly actor: Actor
  readonly schema: Schema
  readonly visibility: Visibility
  readonly names: CollectionNames
}

export const describedFor = (actor: Actor, schema: Schema, names: CollectionNames): Described => ({
  actor,
  schema,
  visibility: visibilityOf(actor, schema),
  names,
})

/** The name of the schema of a collection's rows. */
export const rowName = ({ name, isSystem }: Collection, names: CollectionNames): string =>
  `${isSystem ? 'System' : 'Items'}${names.get(name) ?? ''}`

const noted = (schema: SchemaObject, field: OwnField): SchemaObject => {
  const note = noteOf(field)
  return note === null ? schema : { ...schema, description: note }
}

/** The rows that a relation leads to, as far as the caller may read them. */
const targetRows = (
  collection: Collection,
  field: OwnField,
  { visibility, names }: Described,
): readonly SchemaObject[] =>
  visibility.targetsOf(collection, field).map((target) => ref('schemas', rowName(target, names)))

const keyOf = ({ key }: Collection): SchemaObject => {
  const [only] = key
  return only === undefined || key.length > 1 ? { type: 'string' } : readSchema(only)
}

/** Values of every type leave no room for a choice. */
const isAnything = ({ type, oneOf }: SchemaObject): boolean =>
  (type === undefined && oneOf === undefined) || (Array.isArray(type) && type.includes('object'))

/** The key, or the row that it leads to. */
const keyOrRows = (key: SchemaObject, rows: readonly SchemaObject[]): SchemaObject =>
  rows.length === 0 || isAnything(key) ? key : { [rows.length === 1 ? 'oneOf' : 'anyOf']: [key, ...rows] }

function readValue(collection: Collection, field: OwnField, described: Described): SchemaObject {
  const rows = targetRows(collection, field, described)
  // The key of a row of any collection has the type that the collection's key has.
  if (field.kind === 'column' && field.relation?.kind === 'any') return keyOrRows({ type: ['string', 'integer'] }, rows)
  if (field.kind === 'column') return keyOrRows(readSchema(field), rows)
  if (field.relation === null) return { description: 'For the form only; no response contains it.' }
  const to = described.schema.collections.get(field.relation.to)
  return { type: 'array', items: keyOrRows(to === undefined ? {} : keyOf(to), rows) }
}

/** Rows as they are read. Aliases, functions and aggregates have names of their own, so more properties may come. */
export function rowSchema(collection: Collection, described: Described): SchemaObject {
  const { visibility } = described
  const properties = ownFields(collection).flatMap((field) => {
    if (!visibility.seesField(collection, field.name)) return []
    const value = noted(readValue(collection, field, described), field)
    const isNullable = field.kind === 'column' && mayBeNull(field, collection, visibility)
    return [[field.name, isNullable ? orNull(value) : value] as const]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

const nested: SchemaObject = { type: 'object' }

/** Keys and rows of a list, or what is to change in it. */
const nestedList: SchemaObject = {
  anyOf: [
    { type: 'array' },
    {
      type: 'object',
      properties: { create: { type: 'array' }, update: { type: 'array' }, delete: { type: 'array' } },
      additionalProperties: false,
    },
  ],
}

function writeValue(field: OwnField): SchemaObject {
  if (field.kind === 'alias') return orNull(nestedList)
  const own = writeSchema(field)
  const value = field.relation === null || isAnything(own) ? own : { anyOf: [own, nested] }
  return field.column.isNullable ? orNull(value) : value
}

/** Payloads: unknown members are refused, so the document refuses them too. */
export function payloadSchema(collection: Collection, action: 'create' | 'update', { actor }: Described): SchemaObject {
  const allowed = actor.fieldsFor(collection, action)
  const fields = ownFields(collection).filter((field) => isWritable(field) && has(allowed, field.name))
  const required = action === 'create' ? fields.filter((field) => isNeeded(field, collection, actor)) : []
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, noted(writeValue(field), field)])),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
    additionalProperties: false,
  }
}

/** The key of an item as text in a path. */
export const keyParameter = ({ key }: Collection): SchemaObject =>
  key.length === 1
    ? ref('parameters', 'id')
    : {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'string' },
        description: `The parts of the key, joined by commas, each percent-encoded: ${key.map(({ name }) => name).join(', ')}.`,
      }
