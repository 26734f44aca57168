import { GraphQLSchema, introspectionTypes, type GraphQLNamedType, type GraphQLObjectType } from 'graphql'
import type { RootTypes } from './root-types.ts'
import type { Types } from './types.ts'

const introspection: ReadonlyMap<string, GraphQLNamedType> = new Map(
  introspectionTypes.map((type) => [type.name, type]),
)

/** A schema that builds its types on demand, by name. */
export class LazySchema extends GraphQLSchema {
  readonly #roots: RootTypes
  readonly #types: Types

  constructor(roots: RootTypes, types: Types) {
    // The types are not passed on: the constructor would traverse all of them.
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

  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.#roots.subscription
  }

  override getType(name: string): GraphQLNamedType | undefined {
    if (name === 'Query') return this.#roots.query
    if (name === 'Mutation') return this.#roots.mutation
    if (name === 'Subscription') return this.#roots.subscription
    return introspection.get(name) ?? this.#types.named(name)
  }
}
