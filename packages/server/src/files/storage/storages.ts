import { resolve } from 'node:path'
import type { StorageLocation } from '../../config/storage.ts'
import { within } from '../../lib/within.ts'
import type { Observe } from '../../observe.ts'
import { createLocalStorage } from './local.ts'
import { reportFailures } from './report-failures.ts'
import { createS3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

type Driver = StorageLocation['driver']

interface DriverRow<Location> {
  readonly create: (location: Location) => Storage
  /** Where the objects are, for logs. */
  readonly place: (location: Location) => string
}

/** One row per driver. Its settings are the row of the same name in config/storage.ts. */
const drivers: { readonly [D in Driver]: DriverRow<Extract<StorageLocation, { driver: D }>> } = {
  local: { create: ({ root }) => createLocalStorage(resolve(root)), place: ({ root }) => resolve(root) },
  s3: { create: createS3Storage, place: ({ bucket, endpoint }) => `${endpoint ?? 's3'}/${bucket}` },
}

/** A storage that does not answer is not available. */
const PROBE_TIMEOUT = 5000

/** The places for the content of files, by the names that rows of files have in `storage`. */
export interface Storages {
  /** The one of files that name none. */
  readonly default: string
  readonly names: readonly string[]
  readonly at: (name: string) => Storage | undefined
  /** Writes an object to each storage and removes it. */
  readonly probe: () => Promise<readonly StorageProbe[]>
  readonly close: () => void
}

export interface StorageProbe {
  readonly location: StorageLocation
  /** The folder or the bucket. */
  readonly place: string
  /** Why it cannot be written; null: it can. */
  readonly reason: string | null
}

/** The list is that of the settings, which has at least one place. */
export function createStorages(locations: readonly StorageLocation[], observe: Observe = () => undefined): Storages {
  const entries = locations.map((location) => createEntry(location, observe))
  const storages = new Map(entries.map(({ location, storage }) => [location.name, storage]))
  return {
    default: locations[0]?.name ?? '',
    names: [...storages.keys()],
    at: (name) => storages.get(name),
    probe: () => Promise.all(entries.map((entry) => entry.probe())),
    close: () => {
      for (const storage of storages.values()) storage.close()
    },
  }
}

function createEntry(location: StorageLocation, observe: Observe) {
  const { storage, place } = create(location)
  const report = (reason: string) => observe({ kind: 'storage-failed', storage: location.name, place, reason })
  let reported: string | null = null
  return {
    location,
    storage: reportFailures(storage, (error) => report(reasonOf(error))),
    async probe(): Promise<StorageProbe> {
      const reason = await within(PROBE_TIMEOUT, storage.probe()).then(() => null, reasonOf)
      // Health checks repeat the probe.
      if (reason !== null && reason !== reported) report(reason)
      reported = reason
      return { location, place, reason }
    },
  }
}

function create<D extends Driver>(location: Extract<StorageLocation, { driver: D }>) {
  const row = drivers[location.driver] as DriverRow<typeof location>
  return { storage: row.create(location), place: row.place(location) }
}

/** The error of the system or of the bucket, without the names of objects. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { code } = error as NodeJS.ErrnoException
  if ('syscall' in error && 'path' in error) return error.message.split(', ')[0] ?? ''
  if (error.message === '') return code ?? error.name
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
}
