import { ServiceError } from '@tain/contract'
import {
  GraphQLError,
  Kind,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  VariablesInAllowedPositionRule,
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type ValidationContext,
} from 'graphql'
import { variablesInAllowedPosition } from './int-variables.ts'
import { checkDocument, checkText, LimitExceeded, type DocumentLimits } from './limits.ts'
import type { LazySchema } from '../schema/schema.ts'

/** A validated document. */
export interface Document {
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

const MAX_ERRORS = 5

/** The error for a request that cannot run at all. */
export const refused = (errors: readonly (GraphQLError | Error)[]): ServiceError =>
  new ServiceError('GRAPHQL_VALIDATION', undefined, {
    errors: errors.map((error) => (error instanceof GraphQLError ? error.toJSON() : { message: error.message })),
  })

/** Parses a text and checks the limits before anything is compared with a schema. */
export function parseDocument(text: string, limits: DocumentLimits): DocumentNode {
  try {
    checkText(text, limits)
    const document = parse(text, { maxTokens: limits.tokens })
    checkDocument(document, limits)
    return document
  } catch (error) {
    if (error instanceof GraphQLError || error instanceof LimitExceeded) throw refused([error])
    // Deeply nested values overflow the stack of the recursive parser.
    if (error instanceof RangeError) throw refused([new Error('The document nests too deep.')])
    throw error
  }
}

/** Looks types up by name: the library's rule searches a list of all types. */
function knownTypeNames(context: ValidationContext): ASTVisitor {
  return {
    NamedType(node) {
      if (context.getSchema().getType(node.name.value) === undefined)
        context.reportError(new GraphQLError(`Unknown type "${node.name.value}".`, { nodes: node }))
    },
  }
}

const ownRules = new Map<(typeof specifiedRules)[number], (typeof specifiedRules)[number]>([
  [KnownTypeNamesRule, knownTypeNames],
  [VariablesInAllowedPositionRule, variablesInAllowedPosition],
])

const rules = specifiedRules
  .filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
  .map((rule) => ownRules.get(rule) ?? rule)

/** The most expensive rule runs only on documents that pass all others. */
const lastRules = [OverlappingFieldsCanBeMergedRule]

/** Names of the introspection meta fields. */
const introspectionFields = new Set(['__schema', '__type'])

function noIntrospection(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      if (introspectionFields.has(node.name.value))
        context.reportError(new GraphQLError('Introspection is switched off.', { nodes: node }))
    },
  }
}

export interface ValidationOptions {
  readonly hasIntrospection: boolean
  readonly hidesSuggestions: boolean
}

/** Validation errors; null: the document is valid. */
export function faultsOf(
  document: DocumentNode,
  schema: LazySchema,
  { hasIntrospection, hidesSuggestions }: ValidationOptions,
): readonly GraphQLError[] | null {
  const options = { maxErrors: MAX_ERRORS, hideSuggestions: hidesSuggestions }
  for (const stage of [hasIntrospection ? rules : [...rules, noIntrospection], lastRules]) {
    const errors = validate(schema, document, stage, options)
    if (errors.length > 0) return errors
  }
  return null
}

export function documentOf({ definitions }: DocumentNode): Document {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
  return { operations, fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])) }
}

/** Changes come one after the other, and a response comes once. */
export const needsSocket = () =>
  refused([new Error('Subscriptions need a WebSocket with the subprotocol graphql-transport-ws.')])

/** Without subscriptions, the schema has no type for them, and the library does not know why. */
export const noSubscriptions = () =>
  refused([
    new Error(
      'Subscriptions are switched off by the settings (WEBSOCKETS_ENABLED, WEBSOCKETS_GRAPHQL_ENABLED, EVENTS_ENABLED).',
    ),
  ])

export function operationOf({ operations }: Document, name: string | null): OperationDefinitionNode {
  const [only, ...others] = operations
  const found =
    name === null
      ? others.length === 0
        ? only
        : undefined
      : operations.find((operation) => operation.name?.value === name)
  if (found !== undefined) return found
  throw refused([
    new Error(
      name === null
        ? operations.length === 0
          ? 'The document has no operation.'
          : 'The document has several operations; "operationName" has to say which one is meant.'
        : `The document has no operation "${name}".`,
    ),
  ])
}
