import type { GraphQLInputObjectType, GraphQLNamedType, GraphQLObjectType, GraphQLUnionType } from 'graphql'
import type { Collection } from '../../schema/schema.ts'
import type { Names, TypeRole } from './names.ts'
import type { Visibility } from '../../system/visible-schema.ts'

/**
 * Types of one permission set. Each is built on first use: a request names only a few of thousands of tables. Types
 * refer to each other through thunks, so building one builds no other.
 */
export interface Types {
  readonly visibility: Visibility
  readonly names: Names
  readonly named: (name: string) => GraphQLNamedType | undefined
  readonly output: (collection: Collection, role: OutputRole) => GraphQLObjectType
  readonly input: (collection: Collection, role: InputRole) => GraphQLInputObjectType
  readonly union: (collection: Collection, field: string) => GraphQLUnionType
}

export type OutputRole = 'item' | 'aggregated' | 'counts' | 'numbers' | 'extremes' | 'mutated'
export type InputRole = Exclude<TypeRole, OutputRole>
