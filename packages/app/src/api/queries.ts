import { queryOptions } from '@tanstack/react-query'
import type { AppStart } from '../model/collection.ts'
import { fieldFromWire, type Field } from '../model/field.ts'
import type { Relation } from '../model/relation.ts'
import { get } from './client.ts'
import { signals } from './signals.ts'

const MINUTE = 60_000

/** Everything that the first screen needs. Structure is dropped when a response carries another schema version. */
export const appStartQuery = queryOptions({
  queryKey: ['start'],
  staleTime: 5 * MINUTE,
  queryFn: async ({ signal, client, queryKey }) => {
    const { data } = await get<AppStart>('/server/app', { signal })
    const before = client.getQueryData<AppStart>(queryKey)
    // It is answered to strangers too. Who was signed in stays on the page and is asked to sign in again.
    if (data.me !== null || before === undefined || before.me === null) return data
    signals.endSession()
    return before
  },
})

export const fieldsQuery = (collection: string) =>
  queryOptions({
    queryKey: ['structure', 'fields', collection],
    staleTime: 5 * MINUTE,
    queryFn: async ({ signal }) =>
      (await get<readonly Field[]>(`/fields/${encodeURIComponent(collection)}`, { signal })).data.map(fieldFromWire),
  })

export const relationsQuery = queryOptions({
  queryKey: ['structure', 'relations'],
  staleTime: 5 * MINUTE,
  queryFn: async ({ signal }) => (await get<readonly Relation[]>('/relations', { signal })).data,
})

/** The fields that each action may use, by collection. */
export type Permissions = Readonly<
  Record<string, Readonly<Record<string, { readonly access: string; readonly fields?: readonly string[] }>>>
>

export const permissionsQuery = queryOptions({
  queryKey: ['structure', 'permissions'],
  staleTime: 5 * MINUTE,
  queryFn: async ({ signal }) => (await get<Permissions>('/permissions/me', { signal })).data,
})
