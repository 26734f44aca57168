import { asFlag, asNumber, asSize, asText, oneOf, type Rows } from './readers.ts'

/** GraphQL features, and limits on documents. */
export interface GraphqlConfig {
  readonly graphqlIntrospection: boolean
  readonly graphqlIde: boolean
  readonly graphqlSchemas: number
  readonly graphqlSize: number
  readonly graphqlTokens: number
  readonly graphqlDepth: number
  readonly graphqlRootFields: number
  readonly graphqlAliases: number
  readonly graphqlSelections: number
  readonly graphqlSameKey: number
  readonly graphqlDirectives: number
  readonly graphqlVariables: number
  readonly graphqlPersisted: string
  readonly graphqlPersistedFile: string | null
}

export const graphqlSettings: Rows<GraphqlConfig> = {
  graphqlIntrospection: {
    name: 'GRAPHQL_INTROSPECTION',
    fallback: true,
    read: asFlag,
    what: 'show the GraphQL schema to those who may use it, as far as they may',
  },
  graphqlIde: { name: 'GRAPHQL_IDE', fallback: true, read: asFlag, what: 'show browsers a page to try GraphQL in' },
  graphqlSchemas: {
    name: 'GRAPHQL_SCHEMA_CACHE_CAPACITY',
    fallback: 100,
    read: asNumber(1),
    what: 'callers with different rights whose GraphQL types are kept',
  },
  graphqlSize: {
    name: 'GRAPHQL_MAX_DOCUMENT_SIZE',
    fallback: 100 * 1024,
    read: asSize,
    what: 'largest GraphQL document',
  },
  graphqlTokens: {
    name: 'GRAPHQL_QUERY_TOKEN_LIMIT',
    fallback: 5000,
    read: asNumber(1),
    what: 'tokens of a GraphQL document',
  },
  graphqlDepth: {
    name: 'GRAPHQL_MAX_DEPTH',
    fallback: 20,
    read: asNumber(1),
    what: 'levels of braces in a GraphQL document',
  },
  graphqlRootFields: {
    name: 'GRAPHQL_MAX_ROOT_FIELDS',
    fallback: 50,
    read: asNumber(1),
    what: 'root fields of a GraphQL operation; each is a statement',
  },
  graphqlAliases: {
    name: 'GRAPHQL_MAX_ALIASES',
    fallback: 200,
    read: asNumber(0),
    what: 'aliases in a GraphQL document, fragments opened',
  },
  graphqlSelections: {
    name: 'GRAPHQL_MAX_SELECTIONS',
    fallback: 2000,
    read: asNumber(1),
    what: 'fields in a GraphQL document, fragments opened',
  },
  graphqlSameKey: {
    name: 'GRAPHQL_MAX_SAME_KEY',
    fallback: 100,
    read: asNumber(1),
    what: 'fields of one object that come out under one key',
  },
  graphqlDirectives: {
    name: 'GRAPHQL_MAX_DIRECTIVES',
    fallback: 200,
    read: asNumber(0),
    what: 'directives in a GraphQL document, fragments opened',
  },
  graphqlVariables: {
    name: 'GRAPHQL_MAX_VARIABLES',
    fallback: 100,
    read: asNumber(0),
    what: 'variables of a GraphQL operation',
  },
  graphqlPersisted: {
    name: 'GRAPHQL_PERSISTED_QUERIES',
    fallback: 'on',
    read: oneOf('off', 'on', 'only'),
    what: 'take documents by their hash: those that were sent before, or only those of the list',
  },
  graphqlPersistedFile: {
    name: 'GRAPHQL_PERSISTED_QUERIES_LIST',
    fallback: null,
    read: asText,
    what: 'JSON file with the list of documents, by their SHA-256 hash',
  },
}
