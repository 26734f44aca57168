import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { createItem, deleteItem, updateItem } from '../../api/items.ts'
import { may, type Collection } from '../../model/collection.ts'
import type { Preset } from './saved-views.ts'

const presetCollection = { collection: 'service_presets', system: true } as const

/** Whether somebody with these collections may read saved views. */
export const mayReadViews = (collections: readonly Collection[]): boolean =>
  collections.some((each) => each.collection === presetCollection.collection && may(each, 'read'))

export const presetsKey = (collection: string) => ['presets', collection] as const

/** The saved views of a collection. Who may not read any has none. */
export const presetsQuery = (collection: string, mayRead: boolean) =>
  queryOptions({
    queryKey: presetsKey(collection),
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      if (!mayRead) return []
      const params = { filter: { collection: { _eq: collection } }, limit: -1, sort: 'id' }
      return (await get<readonly Preset[]>('/presets', { params, signal })).data
    },
  })

type PresetChange = Partial<Omit<Preset, 'id'>>

export const createPreset = async (preset: PresetChange): Promise<Preset> =>
  (await createItem(presetCollection, preset)).data as Preset

export const updatePreset = async (id: number, change: PresetChange): Promise<void> => {
  await updateItem(presetCollection, String(id), change)
}

export const deletePreset = async (id: number): Promise<void> => {
  await deleteItem(presetCollection, String(id))
}
