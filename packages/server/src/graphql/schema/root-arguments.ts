import { GraphQLNonNull, type GraphQLFieldConfigArgumentMap } from 'graphql'
import type { Collection } from '../../schema/schema.ts'
import { scalars } from './scalars.ts'
import { listOf } from './shared-types.ts'
import type { Types } from './types.ts'

/** Arguments of every list, at the root or nested. */
export const listArguments = (collection: Collection, types: Types): GraphQLFieldConfigArgumentMap => ({
  filter: { type: types.input(collection, 'filter') },
  sort: { type: listOf('String') },
  limit: { type: scalars.Int },
  offset: { type: scalars.Int },
  page: { type: scalars.Int },
  search: { type: scalars.String },
})

/** Arguments of a list at the root. */
export const rootListArguments = (collection: Collection, types: Types): GraphQLFieldConfigArgumentMap => ({
  ...listArguments(collection, types),
  seek: { type: scalars.Float },
})

/** Arguments that select the items to change. */
export const targetArguments = (collection: Collection, types: Types): GraphQLFieldConfigArgumentMap => ({
  ...listArguments(collection, types),
  all: { type: scalars.Boolean, description: 'Without a condition, true selects every item.' },
})

export const idArgument = { id: { type: new GraphQLNonNull(scalars.ID) } }
export const idsArgument = { ids: { type: new GraphQLNonNull(listOf('ID')) } }
