import { GraphQLNonNull, GraphQLObjectType, type GraphQLFieldConfig } from 'graphql'
import type { Collection } from '../../schema/schema.ts'
import { scalars } from './scalars.ts'
import { eventEnum } from './shared-types.ts'
import type { Types } from './types.ts'

/** A change of an item. */
export const mutatedType = (collection: Collection, name: string, types: Types): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    fields: () => ({
      key: { type: new GraphQLNonNull(scalars.ID) },
      event: { type: eventEnum },
      data: { type: types.output(collection, 'item'), description: 'The item; null after it was deleted or hidden.' },
      position: {
        type: new GraphQLNonNull(scalars.String),
        description: 'Where this change stands in the log of all changes; the argument `from` resumes after it.',
      },
    }),
  })

/** The root field that tells the changes of a collection. */
export const subscribed = (collection: Collection, types: Types): GraphQLFieldConfig<unknown, unknown> => ({
  type: types.output(collection, 'mutated'),
  args: {
    event: { type: eventEnum },
    filter: { type: types.input(collection, 'filter') },
    from: { type: scalars.String },
  },
  extensions: { meaning: { kind: 'subscription', collection } },
})
