import { GraphQLSchema, introspectionTypes, type GraphQLNamedType, type GraphQLObjectType } from 'graphql'
import type { RootTypes } from './root-types.ts'
import type { Types } from './types.ts'

const introspection: ReadonlyMap<string, GraphQLNamedType> = new Map(
  introspectionTypes.map((type) => [type.name, type]),
)

/** A schema that makes its types when somebody names them. */
export class LazySchema extends GraphQLSchema {
  readonly #roots: RootTypes
  readonly #types: Types

  constructor(roots: RootTypes, types: Types) {
    // Nothing is handed over: the constructor would walk through all there is.
    super({ assumeValid: true })
    this.#roots = roots
    this.#types = types
  }

  override getQueryType(): GraphQLObjectType {
    return this.#roots.query
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#roots.mutation
  }

  override getType(name: string): GraphQLNamedType | undefined {
    if (name === 'Query') return this.#roots.query
    if (name === 'Mutation') return this.#roots.mutation
    return introspection.get(name) ?? this.#types.named(name)
  }
}
