import { resolve } from 'node:path'
import type { StorageLocation } from '../../config/storage.ts'
import { createLocalStorage } from './local.ts'
import { createS3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

type Driver = StorageLocation['driver']

/** One row per driver. Its settings are the row of the same name in config/storage.ts. */
const drivers: { readonly [D in Driver]: (location: Extract<StorageLocation, { driver: D }>) => Storage } = {
  local: ({ root }) => createLocalStorage(resolve(root)),
  s3: createS3Storage,
}

/** The places for the content of files, by the names that rows of files have in `storage`. */
export interface Storages {
  /** The one of files that name none. */
  readonly default: string
  readonly names: readonly string[]
  readonly at: (name: string) => Storage | undefined
  readonly close: () => void
}

/** The list is that of the settings, which has at least one place. */
export function createStorages(locations: readonly StorageLocation[]): Storages {
  const storages = new Map(locations.map((location) => [location.name, create(location)]))
  return {
    default: locations[0]?.name ?? '',
    names: [...storages.keys()],
    at: (name) => storages.get(name),
    close: () => {
      for (const storage of storages.values()) storage.close()
    },
  }
}

const create = <D extends Driver>(location: Extract<StorageLocation, { driver: D }>): Storage =>
  (drivers[location.driver] as (given: typeof location) => Storage)(location)
