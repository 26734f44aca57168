import { queryOptions } from '@tanstack/react-query'
import { get, request } from '../api/client.ts'
import type { Row } from '../model/key.ts'
import type { AccessRow, Role } from './holders.ts'
import { parsePermission, type Permission } from './permission.ts'

/** The members of a policy besides its permissions. */
export interface PolicyProperties {
  readonly name: string
  readonly icon: string | null
  readonly description: string | null
  readonly ip_access: readonly string[] | null
  readonly enforce_tfa: boolean
  readonly admin_access: boolean
  readonly app_access: boolean
}

export interface Policy extends PolicyProperties {
  readonly id: string
  readonly permissions: readonly Permission[]
}

type PolicyRow = PolicyProperties & { readonly id: string; readonly permissions: readonly Row[] }

const POLICY_FIELDS = ['*', 'permissions.*']
const ALL = -1
const deep = { permissions: { _sort: ['id'], _limit: ALL } }

const policyOf = ({ permissions, ...rest }: PolicyRow): Policy => ({
  ...rest,
  permissions: permissions.flatMap((row) => parsePermission(row) ?? []),
})

export const policiesQuery = queryOptions({
  queryKey: ['access', 'policies'],
  queryFn: async ({ signal }) =>
    (
      await get<readonly PolicyRow[]>('/policies', {
        params: { fields: POLICY_FIELDS, sort: 'name', limit: ALL, deep },
        signal,
      })
    ).data.map(policyOf),
})

export async function readPolicy(id: string, signal?: AbortSignal): Promise<Policy> {
  const { data } = await get<PolicyRow>(`/policies/${encodeURIComponent(id)}`, {
    params: { fields: POLICY_FIELDS, deep },
    ...(signal === undefined ? {} : { signal }),
  })
  return policyOf(data)
}

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['access', 'policies', id],
    queryFn: ({ signal }) => readPolicy(id, signal),
  })

export const rolesQuery = queryOptions({
  queryKey: ['access', 'roles'],
  queryFn: async ({ signal }) =>
    (
      await get<readonly Role[]>('/roles', {
        params: { fields: ['id', 'name', 'icon', 'description', 'parent'], sort: 'name', limit: ALL },
        signal,
      })
    ).data,
})

export const accessRowsQuery = queryOptions({
  queryKey: ['access', 'rows'],
  queryFn: async ({ signal }) =>
    (await get<readonly AccessRow[]>('/access', { params: { limit: ALL, sort: ['sort', 'id'] }, signal })).data,
})

/** How many users each role has; those without a role are under the empty text. */
export const memberCountsQuery = queryOptions({
  queryKey: ['access', 'members'],
  queryFn: async ({ signal }) => {
    const { data } = await request<readonly { readonly role: string | null; readonly count: string }[]>(
      'SEARCH',
      '/users',
      { body: { query: { aggregate: { count: ['*'] }, groupBy: ['role'], limit: ALL } }, signal },
    )
    return new Map(data.map(({ role, count }) => [role ?? '', Number(count)]))
  },
})

/** A user as lists name them. */
export interface Person {
  readonly id: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly status: string
  readonly role: { readonly id: string; readonly name: string } | null
}

export const PERSON_FIELDS = ['id', 'first_name', 'last_name', 'email', 'status', 'role.id', 'role.name']

/** People whose name or address has a text; with roles, only those that have one of them. */
export const peopleQuery = (text: string, filter: unknown = null) =>
  queryOptions({
    queryKey: ['access', 'people', text, filter],
    queryFn: async ({ signal }) =>
      (
        await get<readonly Person[]>('/users', {
          params: {
            fields: PERSON_FIELDS,
            limit: 20,
            sort: ['first_name', 'email'],
            ...(text === '' ? {} : { search: text }),
            ...(filter === null ? {} : { filter }),
          },
          signal,
        })
      ).data,
  })
