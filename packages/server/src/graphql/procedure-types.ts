import { collectionMeta, fieldMeta, relationMeta, type MetaKind } from '@tain/contract'
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLNamedType,
} from 'graphql'
import { scalars, type ScalarName } from './scalars.ts'
import { listOf } from './shared-types.ts'

const scalarFields = (fields: Readonly<Record<string, ScalarName>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, scalar]) => [name, { type: scalars[scalar] }]))

const object = (name: string, fields: Readonly<Record<string, ScalarName>>) =>
  new GraphQLObjectType({ name, fields: scalarFields(fields) })

const scalarOfMeta: Readonly<Record<MetaKind, ScalarName>> = {
  text: 'String',
  list: 'JSON',
  integer: 'Int',
  boolean: 'Boolean',
  json: 'JSON',
  'json-text': 'String',
}

const metaFields = (table: Readonly<Record<string, { readonly kind: MetaKind }>>): Record<string, ScalarName> =>
  Object.fromEntries(Object.entries(table).map(([name, { kind }]) => [name, scalarOfMeta[kind]]))

// schema resources

const fieldSchema = object('service_fields_schema', {
  name: 'String',
  table: 'String',
  schema: 'String',
  data_type: 'String',
  default_value: 'JSON',
  max_length: 'Int',
  numeric_precision: 'Int',
  numeric_scale: 'Int',
  is_generated: 'Boolean',
  generation_expression: 'String',
  is_nullable: 'Boolean',
  is_unique: 'Boolean',
  is_indexed: 'Boolean',
  is_primary_key: 'Boolean',
  has_auto_increment: 'Boolean',
  foreign_key_schema: 'String',
  foreign_key_table: 'String',
  foreign_key_column: 'String',
  comment: 'String',
  enum_values: 'JSON',
})
const fieldMetaType = object('service_fields_meta', {
  id: 'Int',
  collection: 'String',
  field: 'String',
  ...metaFields(fieldMeta),
  system: 'Boolean',
})
export const fieldType = new GraphQLObjectType({
  name: 'service_fields',
  fields: {
    ...scalarFields({ collection: 'String', field: 'String', type: 'String' }),
    schema: { type: fieldSchema },
    meta: { type: fieldMetaType },
  },
})

const collectionSchema = object('service_collections_schema', {
  name: 'String',
  schema: 'String',
  comment: 'String',
  kind: 'String',
  is_read_only: 'Boolean',
})
const collectionMetaType = object('service_collections_meta', {
  collection: 'String',
  ...metaFields(collectionMeta),
  system: 'Boolean',
})
export const collectionType = new GraphQLObjectType({
  name: 'service_collections',
  fields: {
    ...scalarFields({ collection: 'String' }),
    schema: { type: collectionSchema },
    meta: { type: collectionMetaType },
  },
})

const relationSchema = object('service_relations_schema', {
  table: 'String',
  column: 'String',
  columns: 'JSON',
  foreign_key_schema: 'String',
  foreign_key_table: 'String',
  foreign_key_column: 'String',
  foreign_key_columns: 'JSON',
  constraint_name: 'String',
  on_update: 'String',
  on_delete: 'String',
})
const relationMetaType = object('service_relations_meta', {
  id: 'Int',
  many_collection: 'String',
  many_field: 'String',
  one_collection: 'String',
  ...metaFields(relationMeta),
  system: 'Boolean',
})
export const relationType = new GraphQLObjectType({
  name: 'service_relations',
  fields: {
    ...scalarFields({ collection: 'String', field: 'String', related_collection: 'String' }),
    schema: { type: relationSchema },
    meta: { type: relationMetaType },
  },
})

export const deletedField = object('delete_field', { collection: 'String', field: 'String' })
export const deletedCollection = object('delete_collection', { collection: 'String' })
export const deletedRelation = object('delete_relation', { collection: 'String', field: 'String' })

// payloads: `meta` and `schema` are JSON, so callers may send every form of metadata

const input = (name: string, fields: Readonly<Record<string, ScalarName>>, required: readonly string[] = []) =>
  new GraphQLInputObjectType({
    name,
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, scalar]) => [
        field,
        { type: required.includes(field) ? new GraphQLNonNull(scalars[scalar]) : scalars[scalar] },
      ]),
    ),
  })

const fieldParts = { collection: 'String', field: 'String', type: 'String', meta: 'JSON', schema: 'JSON' } as const
export const createFieldInput = input('create_service_fields_input', fieldParts, ['field', 'type'])
export const updateFieldInput = input('update_service_fields_input', fieldParts)
export const createCollectionInput = new GraphQLInputObjectType({
  name: 'create_service_collections_input',
  fields: {
    collection: { type: new GraphQLNonNull(scalars.String) },
    meta: { type: scalars.JSON },
    schema: { type: scalars.JSON },
    fields: { type: new GraphQLList(new GraphQLNonNull(createFieldInput)) },
  },
})
export const updateCollectionInput = input('update_service_collections_input', {
  collection: 'String',
  meta: 'JSON',
  schema: 'JSON',
})
const relationParts = {
  collection: 'String',
  field: 'String',
  related_collection: 'String',
  meta: 'JSON',
  schema: 'JSON',
} as const
export const createRelationInput = input('create_service_relations_input', relationParts, ['collection', 'field'])
export const updateRelationInput = input('update_service_relations_input', relationParts)

// authentication, and information about the service and the caller

export const sdlScope = new GraphQLEnumType({
  name: 'graphql_sdl_scope',
  values: { items: { value: 'items' }, system: { value: 'system' } },
})

export const authMode = new GraphQLEnumType({
  name: 'auth_mode',
  description: 'Where tokens are kept: by the caller, or in cookies.',
  values: { json: {}, cookie: {}, session: {} },
})
export const authTokens = object('auth_tokens', {
  access_token: 'String',
  refresh_token: 'String',
  expires: 'GraphQLBigInt',
})
export const secondFactor = object('users_me_tfa_generate_data', { secret: 'String', otpauth_url: 'String' })
export const ownGlobals = object('policies_me_globals', {
  app_access: 'Boolean',
  admin_access: 'Boolean',
  enforce_tfa: 'Boolean',
})
export const serverInfo = object('server_info', {
  project: 'JSON',
  version: 'String',
  rateLimit: 'JSON',
  rateLimitGlobal: 'JSON',
  queryLimit: 'JSON',
  websocket: 'JSON',
})
export const texts = new GraphQLNonNull(listOf('String'))

/** Types of procedures. */
export const procedureTypes: ReadonlyMap<string, GraphQLNamedType> = new Map(
  [
    fieldSchema,
    fieldMetaType,
    fieldType,
    collectionSchema,
    collectionMetaType,
    collectionType,
    relationSchema,
    relationMetaType,
    relationType,
    deletedField,
    deletedCollection,
    deletedRelation,
    createFieldInput,
    updateFieldInput,
    createCollectionInput,
    updateCollectionInput,
    createRelationInput,
    updateRelationInput,
    authMode,
    sdlScope,
    authTokens,
    secondFactor,
    ownGlobals,
    serverInfo,
  ].map((type) => [type.name, type]),
)
