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
    what: 'allow introspection; callers see only what they may access',
  },
  graphqlIde: { name: 'GRAPHQL_IDE', fallback: true, read: asFlag, what: 'serve GraphiQL to browsers' },
  graphqlSchemas: {
    name: 'GRAPHQL_SCHEMA_CACHE_CAPACITY',
    fallback: 100,
    read: asNumber(1),
    what: 'permission sets whose GraphQL types are cached',
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
    what: 'aliases in a GraphQL document, fragments expanded',
  },
  graphqlSelections: {
    name: 'GRAPHQL_MAX_SELECTIONS',
    fallback: 2000,
    read: asNumber(1),
    what: 'fields in a GraphQL document, fragments expanded',
  },
  graphqlSameKey: {
    name: 'GRAPHQL_MAX_SAME_KEY',
    fallback: 100,
    read: asNumber(1),
    what: 'fields of one object that share a response key',
  },
  graphqlDirectives: {
    name: 'GRAPHQL_MAX_DIRECTIVES',
    fallback: 200,
    read: asNumber(0),
    what: 'directives in a GraphQL document, fragments expanded',
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
    what: 'persisted queries: accept documents by hash, those sent before or only those of the list',
  },
  graphqlPersistedFile: {
    name: 'GRAPHQL_PERSISTED_QUERIES_LIST',
    fallback: null,
    read: asText,
    what: 'JSON file with the list of documents, by their SHA-256 hash',
  },
}
