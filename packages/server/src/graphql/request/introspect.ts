import {
  __Schema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  specifiedDirectives,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import { collect, setsOf, type Reading } from './collect.ts'
import type { Projection } from './write-result.ts'
import { argumentsOf } from './selection-to-query.ts'
import { RootType } from '../schema/root-types.ts'
import type { LazySchema } from '../schema/schema.ts'

/**
 * Yields every reachable type in turn, and null where other requests may run. Only names are kept: callers release each
 * type after use, so only a few of thousands of tables are in memory at a time.
 */
export function* reachable(schema: LazySchema): Generator<GraphQLNamedType | null> {
  const seen = new Set<string>()
  const begin: string[] = specifiedDirectives.flatMap(({ args }) => args.map(({ type }) => getNamedType(type).name))
  // References of a root type are found one at a time, because finding all of them takes long.
  const sources: Iterator<string>[] = [[...begin, __Schema.name, ...rootsOf(schema)].values()]
  for (let source = sources.at(-1); source !== undefined; source = sources.at(-1)) {
    const { done, value: name } = source.next()
    if (done === true) {
      sources.pop()
      continue
    }
    const type = seen.has(name) ? undefined : schema.getType(name)
    seen.add(name)
    yield type ?? null
    if (type instanceof RootType) sources.push(type.references()[Symbol.iterator]())
    else if (type !== undefined) sources.push([...references(type)].filter((found) => !seen.has(found)).values())
  }
}

const rootsOf = (schema: LazySchema): string[] => [
  ...(schema.getSubscriptionType() === undefined ? [] : ['Subscription']),
  ...(schema.getMutationType() === undefined ? [] : ['Mutation']),
  'Query',
]

function* references(type: GraphQLNamedType): Generator<string> {
  if (isUnionType(type)) for (const { name } of type.getTypes()) yield name
  else if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) yield getNamedType(field.type).name
  } else if (isObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      yield getNamedType(field.type).name
      for (const argument of field.args) yield getNamedType(argument.type).name
    }
  }
}

/** The result of `__schema`, in pieces that are each quick to build. */
export function* schemaPieces(
  schema: LazySchema,
  nodes: readonly FieldNode[],
  reading: Reading,
  projection: Projection,
): Generator<string> {
  yield* objectPieces(schema, __Schema, nodes)

  function* pieces(value: unknown, type: GraphQLOutputType, at: readonly FieldNode[]): Generator<string> {
    if (isNonNullType(type)) yield* pieces(value, type.ofType, at)
    else if (isListType(type) && isLong(value)) {
      let separator = '['
      for (const entry of value) {
        if (entry === null) {
          yield ''
          continue
        }
        yield separator
        separator = ','
        yield* pieces(entry, type.ofType, at)
      }
      yield separator === '[' ? '[]' : ']'
    } else if (value instanceof RootType && isObjectType(type)) yield* objectPieces(value, type, at)
    else yield projection.text(value, type, at)
  }

  function* objectPieces(value: unknown, type: GraphQLObjectType, at: readonly FieldNode[]): Generator<string> {
    let separator = '{'
    for (const [key, same] of collect(type, setsOf(at), reading)) {
      const [node] = same
      const field = node && type.getFields()[node.name.value]
      yield `${separator}${JSON.stringify(key)}:`
      separator = ','
      if (node === undefined || field === undefined) yield JSON.stringify(type.name)
      else yield* pieces(found(value, field, node), field.type, same)
    }
    yield separator === '{' ? '{}' : '}'
  }

  function found(value: unknown, field: GraphQLField, node: FieldNode): unknown {
    if (value === schema && field.name === 'types') return reachable(schema)
    if (value instanceof RootType && field.name === 'fields') return value.eachField()
    return field.resolve?.(value, argumentsOf(field, node, reading), undefined, { schema } as never)
  }
}

/** Types of a schema and fields of a root type come from generators; every other list is short. */
const isLong = (value: unknown): value is Generator => typeof value === 'object' && value !== null && 'next' in value
