import { settings } from '@tain/contract/collections'
import { administrator } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import { listRead } from '../engine/items/read-items.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import type { AssetSettings } from './pictures/presets.ts'

/** Same values as the column defaults of service_settings. */
const unset: AssetSettings = {
  storage_asset_transform: 'all',
  storage_asset_transform_public: 'presets',
  storage_asset_presets: null,
}

/** What the project allows callers to ask of pictures. */
export function createAssetSettings(engine: Engine, limits: QueryLimits): () => Promise<AssetSettings> {
  const wire = {
    fields: ['storage_asset_transform', 'storage_asset_transform_public', 'storage_asset_presets'],
    limit: 1,
  }
  const parsed = parseQuery(wire, limits)
  const read = listRead(
    { collection: settings.name, isSystem: true },
    { ...parsed, queryKey: queryKeyOf(parsed.query) },
  )
  return async () => {
    const { rows } = await engine.list(administrator, read)
    const [row] = rows.map((text) => JSON.parse(text) as AssetSettings)
    return row ?? unset
  }
}
