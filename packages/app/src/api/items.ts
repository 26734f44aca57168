import type { Collection } from '../model/collection.ts'
import { collectionPath, itemPath, type Row } from '../model/key.ts'
import { request, type RequestOptions, type Response } from './client.ts'

/** A query as the body of SEARCH holds it. */
export interface ItemQuery {
  readonly fields?: readonly string[]
  readonly filter?: unknown
  readonly search?: string
  readonly sort?: readonly string[]
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
  readonly seek?: number
  readonly cut?: number
  readonly meta?: readonly string[]
  readonly count_up_to?: number
  readonly aggregate?: Readonly<Record<string, readonly string[]>>
  readonly groupBy?: readonly string[]
  readonly deep?: unknown
  readonly alias?: Readonly<Record<string, string>>
}

type Named = Pick<Collection, 'collection' | 'system'>

/** Rows of a collection. The query is in the body: it may be long. */
export const readItems = (
  collection: Named,
  query: ItemQuery,
  signal?: AbortSignal,
): Promise<Response<readonly Row[]>> =>
  request('SEARCH', collectionPath(collection), { body: { query }, ...given(signal) })

export const readItem = (
  collection: Named,
  key: string,
  query: Pick<ItemQuery, 'fields' | 'deep'>,
  signal?: AbortSignal,
): Promise<Response<Row>> =>
  request('GET', itemPath(collection, key), {
    params: { fields: query.fields, deep: query.deep },
    ...given(signal),
  })

interface WriteOptions {
  /** The version that the change was made to: the ETag of the row. */
  readonly etag?: string | null
  readonly fields?: readonly string[]
  /** A repetition under the same name is answered like the first time and writes nothing. */
  readonly idempotencyKey?: string
  /** Nothing is kept: the service says what would happen. */
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
  /** One result per row instead of all or nothing. */
  readonly isEach?: boolean
}

export const createItem = (
  collection: Named,
  row: Row | readonly Row[],
  options: WriteOptions = {},
): Promise<Response<unknown>> => request('POST', collectionPath(collection), { body: row, ...writing(options) })

export const updateItem = (
  collection: Named,
  key: string,
  change: Row,
  options: WriteOptions = {},
): Promise<Response<Row>> => request('PATCH', itemPath(collection, key), { body: change, ...writing(options) })

/** Changes many rows at once: a list of rows with their keys, or `{query, data}` or `{keys, data}`. */
export const updateItems = (
  collection: Named,
  body: unknown,
  options: WriteOptions = {},
): Promise<Response<readonly Row[]>> => request('PATCH', collectionPath(collection), { body, ...writing(options) })

export const deleteItem = (collection: Named, key: string, options: WriteOptions = {}): Promise<Response<null>> =>
  request('DELETE', itemPath(collection, key), writing(options))

export const deleteItems = (collection: Named, body: unknown, options: WriteOptions = {}): Promise<Response<null>> =>
  request('DELETE', collectionPath(collection), { body, ...writing(options) })

function writing({
  etag,
  fields,
  idempotencyKey,
  isDryRun = false,
  isEach = false,
  signal,
}: WriteOptions): RequestOptions {
  const prefer = [isDryRun ? 'tx=rollback' : '', isEach ? 'results=each' : ''].filter((each) => each !== '').join(', ')
  return {
    headers: {
      ...(etag === undefined || etag === null ? {} : { 'if-match': etag }),
      ...(prefer === '' ? {} : { prefer }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(fields === undefined ? {} : { params: { fields } }),
    ...given(signal),
  }
}

const given = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal }
