import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { messageOf } from '../api/api-error.ts'
import { get } from '../api/client.ts'
import type { Place } from '../app/commands.ts'
import { nameOfUser, useStart } from '../app/use-start.ts'
import { beginViewAs } from '../app/view-as.ts'
import type { EntryGroup } from './entries.ts'

interface User {
  readonly id: string
  readonly email?: string | null
}

interface Found {
  readonly groups: readonly EntryGroup[]
  readonly message: string | null
}

/** Users to view as, without oneself; null: nobody asks. */
export function useUsers(typed: string | null, { go }: Place): Found {
  const me = (useStart().me as { id?: unknown } | null)?.id
  const search = useDeferredValue(typed) ?? ''
  const { data, error, isPending } = useQuery({
    queryKey: ['items', 'service_users', 'to view as', search],
    enabled: typed !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await get<readonly User[]>('/users', {
          signal,
          params: {
            fields: ['id', 'first_name', 'last_name', 'email'],
            filter: { _and: [{ status: { _eq: 'active' } }, { id: { _neq: me } }] },
            search: search === '' ? undefined : search,
            sort: 'first_name',
            limit: 20,
          },
        })
      ).data,
  })
  if (typed === null) return { groups: [], message: null }
  if (error !== null) return { groups: [], message: messageOf(error) }
  if (isPending) return { groups: [], message: 'Looking…' }
  const entries = data.map((user) => ({
    id: user.id,
    label: nameOfUser(user),
    ...(typeof user.email === 'string' && user.email !== nameOfUser(user) ? { hint: user.email } : {}),
    icon: 'user' as const,
    run: () => void beginViewAs({ id: user.id, name: nameOfUser(user) }, go),
  }))
  return entries.length === 0
    ? { groups: [], message: search === '' ? 'There is no other active user.' : 'No active user matches.' }
    : { groups: [{ title: 'View as', entries }], message: null }
}
