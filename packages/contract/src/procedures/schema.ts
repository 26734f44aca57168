import type { ProcedureRow, RootField } from './row.ts'

const query = (name: string): RootField => ({ operation: 'query', name })
const mutation = (name: string): RootField => ({ operation: 'mutation', name })

/** Callers see the part of the schema that they may read; administrators change it. */
const reading = { callers: 'users', dryRun: 'harmless', response: 'data', isTagged: true } as const
const changing = { callers: 'administrators', dryRun: 'plan', response: 'data' } as const
const removing = { callers: 'administrators', dryRun: 'plan', response: 'removed' } as const

const ofCollection = { collection: 'path' } as const
const ofField = { collection: 'path', field: 'path' } as const
const data = { data: 'whole body' } as const

/** Procedures that read and change fields, collections and relations. */
export const schemaProcedures = {
  listFields: { ...reading, input: {}, rest: [['GET', '/fields']], graphql: query('fields') },
  fieldsOf: {
    ...reading,
    input: ofCollection,
    rest: [['GET', '/fields/:collection']],
    graphql: query('fields_in_collection'),
  },
  readField: {
    ...reading,
    input: ofField,
    rest: [['GET', '/fields/:collection/:field']],
    graphql: query('fields_by_name'),
  },
  createField: {
    ...changing,
    input: { ...ofCollection, ...data },
    rest: [['POST', '/fields/:collection']],
    graphql: mutation('create_fields_item'),
  },
  updateFields: {
    ...changing,
    input: { ...ofCollection, ...data },
    rest: [['PATCH', '/fields/:collection']],
    graphql: mutation('update_fields_items'),
  },
  updateField: {
    ...changing,
    input: { ...ofField, ...data },
    rest: [['PATCH', '/fields/:collection/:field']],
    graphql: mutation('update_fields_item'),
  },
  deleteField: {
    ...removing,
    input: ofField,
    rest: [['DELETE', '/fields/:collection/:field']],
    graphql: mutation('delete_fields_item'),
  },
  listCollections: { ...reading, input: {}, rest: [['GET', '/collections']], graphql: query('collections') },
  namedCollections: {
    ...reading,
    input: { keys: 'body' },
    rest: [['SEARCH', '/collections']],
    graphql: query('collections_by_names'),
  },
  readCollection: {
    ...reading,
    input: ofCollection,
    rest: [['GET', '/collections/:collection']],
    graphql: { ...query('collections_by_name'), names: { collection: 'name' } },
  },
  createCollection: {
    ...changing,
    input: data,
    rest: [['POST', '/collections']],
    graphql: mutation('create_collections_item'),
  },
  updateCollections: {
    ...changing,
    input: data,
    rest: [['PATCH', '/collections']],
    graphql: mutation('update_collections_items'),
  },
  updateCollection: {
    ...changing,
    input: { ...ofCollection, ...data },
    rest: [['PATCH', '/collections/:collection']],
    graphql: mutation('update_collections_item'),
  },
  deleteCollection: {
    ...removing,
    input: ofCollection,
    rest: [['DELETE', '/collections/:collection']],
    graphql: mutation('delete_collections_item'),
  },
  listRelations: { ...reading, input: {}, rest: [['GET', '/relations']], graphql: query('relations') },
  relationsOf: {
    ...reading,
    input: ofCollection,
    rest: [['GET', '/relations/:collection']],
    graphql: query('relations_in_collection'),
  },
  readRelation: {
    ...reading,
    input: ofField,
    rest: [['GET', '/relations/:collection/:field']],
    graphql: query('relations_by_name'),
  },
  createRelation: {
    ...changing,
    input: data,
    rest: [['POST', '/relations']],
    graphql: mutation('create_relations_item'),
  },
  updateRelation: {
    ...changing,
    input: { ...ofField, ...data },
    rest: [['PATCH', '/relations/:collection/:field']],
    graphql: mutation('update_relations_item'),
  },
  deleteRelation: {
    ...removing,
    input: ofField,
    rest: [['DELETE', '/relations/:collection/:field']],
    graphql: mutation('delete_relations_item'),
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type SchemaProcedureName = keyof typeof schemaProcedures
