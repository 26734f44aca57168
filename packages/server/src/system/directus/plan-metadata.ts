import { ServiceError } from '@tain/contract'
import type { Change, StoredValue } from '../../schema/change.ts'
import type { Overlay } from '../../schema/overlay.ts'
import { named, storedMeta } from '../metadata.ts'
import type { Finding } from './findings.ts'
import { rowChange, type Counting } from './row-change.ts'
import type { MetaRow } from './schema-rows.ts'

interface PlannedMetadata {
  readonly changes: Change['metadata']
  /** The metadata once the changes are made. */
  readonly overlay: Overlay
  readonly findings: readonly Finding[]
}

type Held = Readonly<Record<string, unknown>>

const sections = {
  service_collections: 'collections',
  service_fields: 'fields',
  service_relations: 'relations',
} as const

const nameOf = (keys: readonly string[], row: Held) => JSON.stringify(keys.map((key) => row[key]))

function valuesOf({ meta, columns, keys, one }: MetaRow): StoredValue[] {
  const values = storedMeta(meta, columns, keys)
  return one === undefined ? values : [{ column: 'one_collection', kind: 'text', value: one }, ...values]
}

/** A metadata row as the overlay has it: with defaults for the columns that are not given. */
function overlayRow({ columns, keys, meta, one }: MetaRow): Held {
  const defaults = Object.entries(columns).map(([name, { default: value = null }]) => [name, value] as const)
  const options = meta['display_options'] ?? null
  return {
    ...Object.fromEntries(defaults),
    ...meta,
    ...('display_options' in meta ? { display_options: options === null ? null : JSON.stringify(options) } : {}),
    ...(one === undefined ? {} : { one_collection: one }),
    id: 0,
    ...keys,
  }
}

/** Metadata rows to write. A row that the service refuses is reported. */
export function planMetadata(
  rows: readonly MetaRow[],
  overlay: Overlay,
  isReplacing: boolean,
  { count }: Counting,
): PlannedMetadata {
  const changes: Change['metadata'][number][] = []
  const findings: Finding[] = []
  const after: Record<string, Map<string, Held>> = {}
  for (const row of rows) {
    const keys = Object.keys(row.keys)
    const section = sections[row.table]
    const rowsBefore = overlay[section] as readonly object[] as readonly Held[]
    const held = (after[section] ??= new Map(rowsBefore.map((each) => [nameOf(keys, each), each])))
    const name = nameOf(keys, row.keys)
    try {
      const wanted = {
        table: row.table,
        keys: Object.entries(row.keys).map(([key, value]) => named(key, value)),
        values: valuesOf(row),
        held: held.get(name),
      }
      const { fate, change } = rowChange(wanted, isReplacing || row.isForced === true)
      if (row.isOld !== true) count(row.table.replace('service_', 'directus_'), fate)
      if (change === null) continue
      changes.push(change)
      held.set(name, { ...held.get(name), ...overlayRow(row) })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      findings.push({ kind: 'row', what: Object.values(row.keys).join('.'), why: error.message })
    }
  }
  const merged = Object.entries(after).map(([section, held]) => [section, [...held.values()]] as const)
  return { changes, findings, overlay: { ...overlay, ...Object.fromEntries(merged) } }
}
