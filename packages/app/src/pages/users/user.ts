import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import type { Profile } from '../../access/person-fields.tsx'

export const statuses = ['active', 'invited', 'draft', 'unverified', 'suspended', 'archived'] as const
export type Status = (typeof statuses)[number]

export const statusWords: Readonly<Record<Status, string>> = {
  active: 'Active',
  invited: 'Invited',
  draft: 'Draft',
  unverified: 'Not verified',
  suspended: 'Suspended',
  archived: 'Archived',
}

/** A row of the directory. */
export interface ListedUser {
  readonly id: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly status: string
  readonly last_access: string | null
  readonly role: { readonly id: string; readonly name: string } | null
  readonly token: string | null
  readonly tfa_secret: string | null
  readonly policies: readonly { readonly id: string; readonly policy: { readonly id: string; readonly name: string } }[]
}

export const LISTED = [
  'id',
  'first_name',
  'last_name',
  'email',
  'status',
  'last_access',
  'token',
  'tfa_secret',
  'role.id',
  'role.name',
  'policies.id',
  'policies.policy.id',
  'policies.policy.name',
]

export interface User extends Profile {
  readonly id: string
  readonly status: string
  readonly last_access: string | null
  readonly role: string | null
  readonly token: string | null
  readonly tfa_secret: string | null
  readonly provider: string
  readonly policies: readonly { readonly id: string; readonly policy: string }[]
}

const USER = [
  'id',
  'first_name',
  'last_name',
  'email',
  'title',
  'location',
  'language',
  'description',
  'status',
  'last_access',
  'role',
  'token',
  'tfa_secret',
  'provider',
  'policies.id',
  'policies.policy',
]

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['access', 'users', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await get<User>(`/users/${encodeURIComponent(id)}`, { params: { fields: USER }, signal })
      return { user: data, etag }
    },
  })
