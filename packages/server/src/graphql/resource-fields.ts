import {
  GraphQLList,
  GraphQLNonNull,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import { resources, type ResourceName } from '../system/resources.ts'
import type { ProcedureField } from './root-procedure.ts'
import {
  collectionType,
  createCollectionInput,
  createFieldInput,
  createRelationInput,
  deletedCollection,
  deletedField,
  deletedRelation,
  fieldType,
  relationType,
  updateCollectionInput,
  updateFieldInput,
  updateRelationInput,
} from './procedure-types.ts'
import { scalars } from './scalars.ts'

const name = { type: new GraphQLNonNull(scalars.String) }
const names = { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(scalars.String))) }
const many = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
const sent = (type: typeof createFieldInput) => ({ type: new GraphQLNonNull(type) })
const severalSent = (type: typeof createFieldInput) => ({
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))),
})

type Row = readonly [
  operation: 'query' | 'mutation',
  name: string,
  type: GraphQLOutputType,
  args?: GraphQLFieldConfigArgumentMap,
]

/** Names and types of the fields that read and change the schema. */
const rows: Readonly<Record<ResourceName, Row>> = {
  listFields: ['query', 'fields', many(fieldType)],
  fieldsOf: ['query', 'fields_in_collection', many(fieldType), { collection: name }],
  readField: ['query', 'fields_by_name', fieldType, { collection: name, field: name }],
  createField: ['mutation', 'create_fields_item', fieldType, { collection: name, data: sent(createFieldInput) }],
  updateFields: [
    'mutation',
    'update_fields_items',
    many(fieldType),
    { collection: name, data: severalSent(updateFieldInput) },
  ],
  updateField: [
    'mutation',
    'update_fields_item',
    fieldType,
    { collection: name, field: name, data: sent(updateFieldInput) },
  ],
  deleteField: ['mutation', 'delete_fields_item', deletedField, { collection: name, field: name }],
  listCollections: ['query', 'collections', many(collectionType)],
  namedCollections: ['query', 'collections_by_names', many(collectionType), { keys: names }],
  readCollection: ['query', 'collections_by_name', collectionType, { name }],
  createCollection: ['mutation', 'create_collections_item', collectionType, { data: sent(createCollectionInput) }],
  updateCollections: [
    'mutation',
    'update_collections_items',
    many(collectionType),
    { data: severalSent(updateCollectionInput) },
  ],
  updateCollection: [
    'mutation',
    'update_collections_item',
    collectionType,
    { collection: name, data: sent(updateCollectionInput) },
  ],
  deleteCollection: ['mutation', 'delete_collections_item', deletedCollection, { collection: name }],
  listRelations: ['query', 'relations', many(relationType)],
  relationsOf: ['query', 'relations_in_collection', many(relationType), { collection: name }],
  readRelation: ['query', 'relations_by_name', relationType, { collection: name, field: name }],
  createRelation: ['mutation', 'create_relations_item', relationType, { data: sent(createRelationInput) }],
  updateRelation: [
    'mutation',
    'update_relations_item',
    relationType,
    { collection: name, field: name, data: sent(updateRelationInput) },
  ],
  deleteRelation: ['mutation', 'delete_relations_item', deletedRelation, { collection: name, field: name }],
}

/** Callers see the part of the schema that they may read; administrators change it. */
export const resourceFields: readonly ProcedureField[] = Object.entries(rows).map(
  ([resource, [operation, field, type, args = {}]]) => ({
    operation,
    name: field,
    type,
    args,
    callers: operation === 'query' ? 'users' : 'administrators',
    resolve: async ({ args: given, actor, services: { engine, metadata } }) => {
      const [collection, field] = [given['collection'] ?? given['name'], given['field']]
      const value = await resources[resource as ResourceName]({
        // These reads run no statement that would check the versions.
        actor: await engine.renew(actor),
        schema: () => engine.schema(),
        metadata,
        body: given['data'] ?? given,
        names: [typeof collection === 'string' ? collection : '', typeof field === 'string' ? field : ''],
      })
      return { value: value ?? given }
    },
  }),
)
