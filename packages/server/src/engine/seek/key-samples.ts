import { LRUCache } from 'lru-cache'
import { typed } from '../../schema/typed-column.ts'
import type { Collection } from '../../schema/schema.ts'
import { statementOf, type Database } from '../../sql/database.ts'
import type { Ask, SampledKey, SampledRows, SampledTable } from '../../sql/distribution.ts'
import { recordset } from '../write/statements.ts'

export interface KeySample {
  /** The keys as a recordset, in the order of the weights. */
  readonly keys: string
  readonly weights: readonly number[]
}

/** Keys of rows from all parts of a table, or of a part of it; null if they cannot be sampled. */
export interface KeySamples {
  readonly ofAll: (collection: Collection) => Promise<KeySample | null>
  /** `name` is equal for equal rows. */
  readonly within: (
    collection: Collection,
    rows: SampledRows & { readonly name: string },
    ask: Ask,
  ) => Promise<KeySample | null>
}

/** A sample ages slowly: keys that are gone since are missing from it, and new rows are few among many. */
const LIFETIME = 60_000
const MOST_SAMPLES = 32

export const sampledTable = ({ schema, table, kind, key, columns }: Collection): SampledTable => ({
  schema,
  table,
  kind,
  key: key.map(typed),
  columns: [...columns.keys()],
})

export function createKeySamples({
  driver,
  dialect,
  distribution,
}: Pick<Database, 'driver' | 'dialect' | 'distribution'>): KeySamples {
  const known = new LRUCache<string, Promise<KeySample | null>>({ max: MOST_SAMPLES, ttl: LIFETIME })
  const ask: Ask = (query) => driver.query(statementOf(query, dialect))

  async function read(table: SampledTable, sampling: Promise<readonly SampledKey[] | null>): Promise<KeySample | null> {
    const sample = await sampling
    if (sample === null) return null
    const rows = sample.map(({ key }) => table.key.map((column, index) => dialect.keyValue(key[index] ?? '', column)))
    return { keys: recordset(rows), weights: sample.map(({ weight }) => weight) }
  }

  function remembered(name: readonly unknown[], sampling: () => Promise<KeySample | null>) {
    const key = JSON.stringify(name)
    const current = known.get(key)
    if (current !== undefined) return current
    const reading = sampling()
    known.set(key, reading)
    reading.catch(() => known.delete(key))
    return reading
  }

  return {
    ofAll: (collection) => {
      const table = sampledTable(collection)
      return remembered(nameOf(table), () => read(table, distribution.sampleOf(table, ask)))
    },
    within: (collection, rows, own) => {
      const table = sampledTable(collection)
      const sampling = () => read(table, distribution.sampleWithin(table, rows, own))
      return remembered([...nameOf(table), rows.name], sampling)
    },
  }
}

const nameOf = ({ schema, table, key }: SampledTable) => [schema, table, key.map(({ name }) => name)]
