import { infiniteQueryOptions } from '@tanstack/react-query'
import { readItems } from '../../api/items.ts'
import type { Row } from '../../model/key.ts'

/** What people look for in the activity. Empty texts are left out. */
export interface ActivityFilter {
  readonly action: string
  readonly collection: string
  readonly person: string
  readonly since: string
}

export const everything: ActivityFilter = { action: '', collection: '', person: '', since: '' }

/** Entries of one page. */
const LIMIT = 50

export interface Entry {
  readonly id: number
  readonly action: string
  readonly user: Row | null
  readonly timestamp: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly collection: string
  readonly item: string
}

const fields = [
  'id',
  'action',
  'user.id',
  'user.first_name',
  'user.last_name',
  'user.email',
  'timestamp',
  'ip',
  'user_agent',
  'collection',
  'item',
]

/** The filter of the API. */
export function filterOf({ action, collection, person, since }: ActivityFilter): unknown {
  const conditions = [
    ...(action === '' ? [] : [{ action: { _eq: action } }]),
    ...(collection === '' ? [] : [{ collection: { _eq: collection } }]),
    ...(since === '' ? [] : [{ timestamp: { _gte: `${since}T00:00:00Z` } }]),
    ...(person === ''
      ? []
      : [{ _or: ['first_name', 'last_name', 'email'].map((name) => ({ user: { [name]: { _icontains: person } } })) }]),
  ]
  return conditions.length === 0 ? undefined : { _and: conditions }
}

const activity = { collection: 'service_activity', system: true } as const

/** Newest first, page by page. */
export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: ['items', activity.collection, filter],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = { fields, sort: ['-id'], limit: LIMIT, meta: ['cursor'], filter: filterOf(filter) }
      const { data, meta } = await readItems(
        activity,
        pageParam === '' ? query : { ...query, cursor: pageParam },
        signal,
      )
      const next = meta['next_cursor']
      return { entries: data as unknown as readonly Entry[], next: typeof next === 'string' ? next : null }
    },
    getNextPageParam: ({ next }) => next,
  })

/** What an action is called. */
export const actionWords: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  login: 'signed in',
  comment: 'commented on',
  revert: 'reverted',
}
