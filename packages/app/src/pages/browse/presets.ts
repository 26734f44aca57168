import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { get } from '../../api/client.ts'
import { createItem, deleteItem, updateItem } from '../../api/items.ts'
import type { Preset } from './saved-views.ts'

const presetCollection = { collection: 'service_presets', system: true } as const

/** The saved views of a collection. Who may not keep any has none. */
export const presetsQuery = (collection: string) =>
  queryOptions({
    queryKey: ['presets', collection],
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      try {
        const params = { filter: { collection: { _eq: collection } }, limit: -1, sort: 'id' }
        return (await get<readonly Preset[]>('/presets', { params, signal })).data
      } catch (error) {
        if (error instanceof ApiError && error.status === 403) return []
        throw error
      }
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
