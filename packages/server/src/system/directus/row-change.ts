import { canonicalJson } from '../../lib/canonical-json.ts'
import { parseExactJson } from '../../lib/exact-json.ts'
import type { MetadataChange, MetadataTable, StoredValue } from '../../schema/change.ts'
import type { Tally } from './findings.ts'

/** Counts rows while a change is planned. */
export interface Counting {
  readonly count: (table: string, fate: keyof Tally) => void
  readonly tallies: Readonly<Record<string, Tally>>
}

export function createCounting(): Counting {
  const tallies: Record<string, { -readonly [K in keyof Tally]: Tally[K] }> = {}
  return {
    tallies,
    count(table, fate) {
      const tally = (tallies[table] ??= { new: 0, changed: 0, kept: 0 })
      tally[fate] += 1
    },
  }
}

/** Whether a row has the value already. */
export function isStored({ kind, value }: StoredValue, held: unknown): boolean {
  if (value === null || held === null || held === undefined) return value === null && (held ?? null) === null
  if (kind !== 'json' && kind !== 'list' && kind !== 'json-text')
    return value === (typeof held === 'string' ? held : JSON.stringify(held))
  const given = kind === 'json-text' && typeof held === 'string' ? parseExactJson(held) : held
  return canonicalJson(parseExactJson(value)) === canonicalJson(given)
}

export interface WantedRow {
  readonly table: MetadataTable
  readonly keys: readonly StoredValue[]
  readonly values: readonly StoredValue[]
  /** The row as it is; undefined: none. */
  readonly held: Readonly<Record<string, unknown>> | undefined
}

/** A row that exists stays as it is, unless it is to be replaced and differs. */
export function rowChange({ table, keys, values, held }: WantedRow, isReplacing: boolean) {
  if (held === undefined) {
    const change: MetadataChange = { kind: 'insert', table, values: [...keys, ...values] }
    return { fate: 'new', change } as const
  }
  const differing = isReplacing ? values.filter((value) => !isStored(value, held[value.column])) : []
  if (differing.length === 0) return { fate: 'kept', change: null } as const
  const change: MetadataChange = { kind: 'update', table, keys, values: differing }
  return { fate: 'changed', change } as const
}
