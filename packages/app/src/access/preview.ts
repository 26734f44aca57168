import { queryOptions } from '@tanstack/react-query'
import type { Output } from '@tain/contract/schemas'
import { request } from '../api/client.ts'
import type { Action, Collection } from '../model/collection.ts'
import { collectionPath, type Row } from '../model/key.ts'

export type Preview = Output<'previewPermissions'>
export type Explanation = Output<'explain'>

/** `user` null: the public. */
export const previewQuery = (
  user: string | null,
  collection: string,
  action: Action,
  changes: readonly unknown[],
  limit = 3,
) =>
  queryOptions({
    queryKey: ['access', 'preview', user, collection, action, changes, limit],
    queryFn: async ({ signal }) =>
      (
        await request<Preview>('POST', '/permissions/preview', {
          body: { ...(user === null ? {} : { user }), collection, action, changes, limit },
          signal,
        })
      ).data,
  })

export interface ExplainRequest {
  readonly user: string | null
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export const explain = async (body: ExplainRequest, signal?: AbortSignal): Promise<Explanation> =>
  (
    await request<Explanation>('POST', '/permissions/explain', {
      body,
      ...(signal === undefined ? {} : { signal }),
    })
  ).data

/** The first rows that a user, or the public, reads today. */
export const rowsSeenQuery = (user: string | null, collection: Pick<Collection, 'collection' | 'system'>) =>
  queryOptions({
    queryKey: ['access', 'seen', user, collection.collection],
    queryFn: async ({ signal }) =>
      (
        await request<readonly Row[]>('SEARCH', collectionPath(collection), {
          body: { query: { limit: 6 } },
          headers: { 'x-view-as': user ?? 'public' },
          signal,
        })
      ).data,
  })

/** The rules that a user reads a collection by. */
export const readRulesQuery = (user: string | null, collection: Pick<Collection, 'collection' | 'system'>) =>
  queryOptions({
    queryKey: ['access', 'rules', user, collection.collection],
    queryFn: async ({ signal }) =>
      (await explain({ user, method: 'GET', path: collectionPath(collection) }, signal)).rules,
  })
