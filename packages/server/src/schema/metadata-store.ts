import { between, type Failpoints } from '../lib/failpoint.ts'
import { run, type Database } from '../sql/database.ts'
import type { StoredValue } from '../sql/service-tables.ts'
import type { Schema } from './schema.ts'
import type { Snapshot } from './snapshot.ts'

export type { StoredValue }

export type MetadataTable = 'service_collections' | 'service_fields' | 'service_relations'

/** A row of a metadata table to write or to remove, by its key. */
export type MetadataChange =
  | {
      readonly kind: 'put'
      readonly table: MetadataTable
      readonly keys: readonly StoredValue[]
      readonly values: readonly StoredValue[]
    }
  | { readonly kind: 'remove'; readonly table: MetadataTable; readonly keys: readonly StoredValue[] }

/** Runs the changes and the new version in one transaction, then waits until this process sees them. */
export type MetadataStore = (changes: readonly MetadataChange[]) => Promise<Schema>

export function createMetadataStore(
  { driver, dialect, serviceTables }: Database,
  snapshot: Snapshot,
  systemSchema: string,
  failpoints: Failpoints | null,
): MetadataStore {
  return async (changes) => {
    const version = await driver.transaction(async (transaction) => {
      for (const change of changes) {
        const statement =
          change.kind === 'put'
            ? serviceTables.put(systemSchema, change.table, change.keys, change.values)
            : serviceTables.remove(systemSchema, change.table, change.keys)
        await between(failpoints, `metadata.before-${change.kind}`, `metadata.after-${change.kind}`, () =>
          run(statement, transaction, dialect),
        )
      }
      const [row] = await between(failpoints, 'metadata.before-bump', 'metadata.after-bump', () =>
        run(serviceTables.bump(systemSchema), transaction, dialect),
      )
      if (failpoints !== null) await failpoints.hit('metadata.before-commit')
      return Number(row?.[0])
    })
    if (failpoints !== null) await failpoints.hit('metadata.committed')
    return snapshot.atLeast(version)
  }
}
