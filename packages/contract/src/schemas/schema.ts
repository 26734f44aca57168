import { Type, type TSchema } from 'typebox'
import type { CollectionObject, FieldObject, RelationObject } from '../field.ts'
import { collectionMeta, fieldMeta, relationMeta, type MetaColumn, type MetaKind } from '../metadata.ts'
import type { SchemaProcedureName } from '../procedures/schema.ts'
import { anything, json, nullable, object, optional, passedOn } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

const string = Type.String()
const boolean = Type.Boolean()
const nullableText = nullable(string)
const nullableCount = nullable(Type.Integer())

const byKind: Readonly<Record<MetaKind, TSchema>> = {
  text: nullableText,
  list: nullable(Type.Array(string)),
  integer: nullableCount,
  boolean,
  json: anything,
  'json-text': nullableText,
}

/** `meta` as the table of its columns declares it. */
const metaOf = (
  title: string,
  before: Readonly<Record<string, TSchema>>,
  table: Readonly<Record<string, MetaColumn>>,
) => {
  const columns = Object.entries(table).map(([name, { kind }]) => [name, byKind[kind]] as const)
  return nullable(object({ ...before, ...Object.fromEntries(columns), system: Type.Optional(boolean) }, { title }))
}

/** A type whose members are declared as an interface. */
const described = <T>(title: string, properties: Readonly<Record<string, TSchema>>) =>
  Type.Unsafe<T>(object(properties, { title }))

const field = described<FieldObject>('service_fields', {
  collection: string,
  field: string,
  type: string,
  schema: Type.Optional(
    object(
      {
        name: string,
        table: string,
        schema: string,
        data_type: string,
        default_value: anything,
        max_length: nullableCount,
        numeric_precision: nullableCount,
        numeric_scale: nullableCount,
        is_generated: boolean,
        generation_expression: nullableText,
        is_nullable: boolean,
        is_unique: boolean,
        is_indexed: boolean,
        is_primary_key: boolean,
        has_auto_increment: boolean,
        foreign_key_schema: nullableText,
        foreign_key_table: nullableText,
        foreign_key_column: nullableText,
        comment: nullableText,
        enum_values: Type.Optional(Type.Array(string)),
      },
      { title: 'service_fields_schema' },
    ),
  ),
  meta: metaOf('service_fields_meta', { id: Type.Integer(), collection: string, field: string }, fieldMeta),
})

const collection = described<CollectionObject>('service_collections', {
  collection: string,
  schema: nullable(
    object(
      { name: string, schema: string, comment: nullableText, kind: string, is_read_only: boolean },
      { title: 'service_collections_schema' },
    ),
  ),
  meta: metaOf('service_collections_meta', { collection: string }, collectionMeta),
})

const relation = described<RelationObject>('service_relations', {
  collection: string,
  field: string,
  related_collection: nullableText,
  schema: nullable(
    object(
      {
        table: string,
        column: string,
        columns: Type.Optional(Type.Array(string)),
        foreign_key_schema: string,
        foreign_key_table: string,
        foreign_key_column: string,
        foreign_key_columns: Type.Optional(Type.Array(string)),
        constraint_name: string,
        on_update: string,
        on_delete: string,
      },
      { title: 'service_relations_schema' },
    ),
  ),
  meta: metaOf(
    'service_relations_meta',
    { id: nullableCount, many_collection: string, many_field: string, one_collection: nullableText },
    relationMeta,
  ),
})

/** Names of the removed object. */
const removedField = object({ collection: string, field: string }, { title: 'delete_field' })
const removedCollection = object({ collection: string }, { title: 'delete_collection' })
const removedRelation = object({ collection: string, field: string }, { title: 'delete_relation' })

// payloads: `meta` and `schema` are JSON, so callers may send every form of metadata

const details = { meta: optional(json), schema: optional(json) }
const newField = object(
  { collection: optional(string), field: string, type: string, ...details },
  { title: 'create_service_fields_input' },
)
const changedField = object(
  { collection: optional(string), field: optional(string), type: optional(string), ...details },
  { title: 'update_service_fields_input' },
)
const newCollection = object(
  { collection: string, ...details, fields: optional(Type.Array(newField)) },
  { title: 'create_service_collections_input' },
)
const changedCollection = object(
  { collection: optional(string), ...details },
  { title: 'update_service_collections_input' },
)
const newRelation = object(
  { collection: string, field: string, related_collection: optional(string), ...details },
  { title: 'create_service_relations_input' },
)
const changedRelation = object(
  { collection: optional(string), field: optional(string), related_collection: optional(string), ...details },
  { title: 'update_service_relations_input' },
)

const none = object({})
const ofCollection = { collection: string }
const ofField = { collection: string, field: string }
const sent = (schema: TSchema) => ({ data: passedOn(schema) })

export const schemaSchemas = {
  listFields: { input: none, output: Type.Array(field) },
  fieldsOf: { input: object(ofCollection), output: Type.Array(field) },
  readField: { input: object(ofField), output: field },
  createField: { input: object({ ...ofCollection, ...sent(newField) }), output: field },
  updateFields: { input: object({ ...ofCollection, ...sent(Type.Array(changedField)) }), output: Type.Array(field) },
  updateField: { input: object({ ...ofField, ...sent(changedField) }), output: field },
  deleteField: { input: object(ofField), output: removedField },
  listCollections: { input: none, output: Type.Array(collection) },
  namedCollections: { input: Type.Object({ keys: Type.Array(string) }), output: Type.Array(collection) },
  readCollection: { input: object(ofCollection), output: collection },
  createCollection: { input: object(sent(newCollection)), output: collection },
  updateCollections: { input: object(sent(Type.Array(changedCollection))), output: Type.Array(collection) },
  updateCollection: { input: object({ ...ofCollection, ...sent(changedCollection) }), output: collection },
  deleteCollection: { input: object(ofCollection), output: removedCollection },
  listRelations: { input: none, output: Type.Array(relation) },
  relationsOf: { input: object(ofCollection), output: Type.Array(relation) },
  readRelation: { input: object(ofField), output: relation },
  createRelation: { input: object(sent(newRelation)), output: relation },
  updateRelation: { input: object({ ...ofField, ...sent(changedRelation) }), output: relation },
  deleteRelation: { input: object(ofField), output: removedRelation },
} as const satisfies Readonly<Record<SchemaProcedureName, ProcedureSchema>>
