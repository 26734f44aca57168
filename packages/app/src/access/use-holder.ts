import { useQuery } from '@tanstack/react-query'
import type { Caller } from './person-picker.tsx'
import { peopleQuery } from './queries.ts'

/** Somebody who has a policy, to show its effect for: the public, else the first active user. */
export function useHolder(roles: readonly string[], users: readonly string[], isPublic: boolean): Caller | null {
  const filter = {
    _and: [
      { status: { _eq: 'active' } },
      {
        _or: [
          { role: { _in: roles.length === 0 ? [NOBODY] : roles } },
          { id: { _in: users.length === 0 ? [NOBODY] : users } },
        ],
      },
    ],
  }
  const isAsked = !isPublic && roles.length + users.length > 0
  const { data } = useQuery({ ...peopleQuery('', filter), enabled: isAsked })
  return isPublic ? 'public' : (data?.[0] ?? null)
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
