import { useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { readItem } from '../../api/items.ts'
import { fieldsQuery, permissionsQuery, relationsQuery } from '../../api/queries.ts'
import { useSignal } from '../../api/use-signal.ts'
import { useStart } from '../../app/use-start.ts'
import { formFields, type FormField } from '../../form/form-fields.ts'
import { defaultOf, type FormRights } from '../../form/locks.ts'
import { may, type Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { collectionPath, keyOf, type Row } from '../../model/key.ts'
import type { Relation } from '../../model/relation.ts'
import { useMemo } from 'react'

export interface ReadRow {
  readonly row: Row
  readonly etag: string | null
  /** Null: there is no such row yet. */
  readonly key: string | null
}

/** The query of one row with its version. */
export const itemQuery = (collection: Collection, key: string) => ({
  queryKey: ['items', collection.collection, 'item', key],
  staleTime: 0,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<ReadRow> => {
    if (collection.singleton === true) return readSingleton(collection, signal)
    const { data, etag } = await readItem(collection, key, {}, signal)
    return { row: data, etag, key }
  },
})

/** The one row of a collection that has no more; its version comes with its key. */
async function readSingleton(collection: Collection, signal: AbortSignal): Promise<ReadRow> {
  const { data } = await get<Row>(collectionPath(collection), { signal })
  const key = keyOf(collection, data)
  if (key === null) return { row: {}, etag: null, key: null }
  const { data: row, etag } = await readItem(collection, key, {}, signal)
  return { row, etag, key }
}

type Access = Readonly<Record<string, { readonly access: boolean; readonly fields?: readonly string[] | null }>>

interface LoadedItem {
  readonly read: ReadRow
  readonly fields: readonly FormField[]
  readonly plainFields: readonly Field[]
  readonly relations: readonly Relation[]
  readonly rights: FormRights
  readonly mayDelete: boolean
}

interface Loading {
  readonly item: LoadedItem | null
  readonly error: unknown
  readonly reload: () => void
}

/** Everything that the form of a row needs, read at once. */
export function useItem(collection: Collection, key: string): Loading {
  const isNew = key === '+' && collection.singleton !== true
  const { collections } = useStart()
  const isViewedAs = useSignal('viewedAs') !== null
  const fields = useQuery(fieldsQuery(collection.collection))
  const relations = useQuery(relationsQuery)
  const permissions = useQuery(permissionsQuery)
  const found = useQuery({ ...itemQuery(collection, key), enabled: !isNew })
  const rowKey = isNew ? null : (found.data?.key ?? null)
  const access = useQuery({
    queryKey: ['items', collection.collection, 'access', rowKey],
    enabled: rowKey !== null,
    queryFn: async ({ signal }) =>
      (await get<Access>(`/permissions/me/${encodeURIComponent(collection.collection)}/${rowKey ?? ''}`, { signal }))
        .data,
  })
  const visible = useMemo(
    () => new Set(collections.filter((each) => may(each, 'read')).map((each) => each.collection)),
    [collections],
  )
  const shown = useMemo(
    () =>
      fields.data === undefined || relations.data === undefined
        ? null
        : formFields(collection, fields.data, relations.data, (name) => visible.has(name)),
    [collection, fields.data, relations.data, visible],
  )
  const create = permissions.data?.[collection.collection]?.['create']
  const isCreated = isNew || (found.data !== undefined && found.data.key === null)
  const update = access.data?.['update']
  const rights = useMemo<FormRights>(
    () => ({
      collection,
      isNew: isCreated,
      isViewedAs,
      mayWrite: isCreated ? may(collection, 'create') : update?.access === true,
      fields: (isCreated ? create?.fields : update?.fields) ?? ['*'],
    }),
    [collection, isCreated, isViewedAs, create?.fields, update],
  )
  const started = useMemo(
    () => (fields.data === undefined ? null : startOf(fields.data, (create as { presets?: Row } | undefined)?.presets)),
    [fields.data, create],
  )
  const read = isNew ? (started === null ? undefined : NEW(started)) : found.data
  const error = fields.error ?? relations.error ?? permissions.error ?? found.error ?? access.error
  const isReady =
    shown !== null && read !== undefined && permissions.data !== undefined && (isCreated || access.data !== undefined)
  return {
    error,
    reload: () => {
      for (const each of [fields, relations, permissions, found, access])
        if (each === found ? !isNew : each.error !== null) void each.refetch()
    },
    item:
      isReady && fields.data !== undefined && relations.data !== undefined
        ? {
            read,
            fields: shown,
            plainFields: fields.data,
            relations: relations.data,
            rights,
            mayDelete: access.data?.['delete']?.access === true && !isViewedAs && collection.singleton !== true,
          }
        : null,
  }
}

const NEW = (row: Row): ReadRow => ({ row, etag: null, key: null })

/** What a new row holds before anything is typed: defaults of the database and presets of the permissions. */
const startOf = (fields: readonly Field[], presets: Row | null | undefined): Row => ({
  ...Object.fromEntries(
    fields.flatMap((field) => {
      const value = defaultOf(field)
      return value === undefined ? [] : [[field.field, value]]
    }),
  ),
  ...presets,
})
