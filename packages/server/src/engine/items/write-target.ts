import { invalidPayload, invalidQuery } from '@tain/contract'
import type { KeyedQuery } from '../../query/keyed-query.ts'
import type { Target } from '../../query/mutation.ts'
import { isUnconditional } from '../../query/parse-filter.ts'
import type { Collection } from '../../schema/schema.ts'
import { isSingleton } from './singleton.ts'

/** `all` of a body or message. */
export function readAll(all: unknown): boolean {
  if (all !== undefined && all !== true) throw invalidPayload('"all" has to be true, or left out')
  return all === true
}

/** The items that an update or delete by query writes: those that meet a condition, or with `all` every item. */
export function queryTarget({ query, queryKey, values }: KeyedQuery, isAll: boolean, collection: Collection): Target {
  const { filter, search } = query
  const isConditional = search !== null || (filter !== null && !isUnconditional(filter))
  if (isAll && isConditional) throw invalidPayload('"all" means every item: leave it out, or leave out the condition')
  if (!isAll && !isConditional && !isSingleton(collection))
    throw invalidQuery('The query has no condition. Send a filter or a search; for every item, send "all": true')
  return { kind: 'query', query, queryKey, values }
}
