import { invalidPayload, ServiceError, type MetaColumn } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { nearest } from '../lib/nearest.ts'
import type { MetadataStore, StoredValue } from '../schema/metadata-store.ts'
import type { Schema } from '../schema/schema.ts'
import type { Snapshot } from '../schema/snapshot.ts'

/** What the resources of schema metadata work with. */
export interface MetadataContext {
  readonly snapshot: Snapshot
  readonly store: MetadataStore
  readonly isReadOnly: boolean
}

export type Body = Readonly<Record<string, unknown>>

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes structure or metadata: administrators only, and only where there is metadata. */
export function checkMayChange(actor: Actor, { isReadOnly }: MetadataContext): void {
  if (!actor.isAdmin) throw new ServiceError('FORBIDDEN')
  if (isReadOnly) throw new ServiceError('UNPROCESSABLE_CONTENT', 'The service runs read-only and keeps no metadata.')
}

/** The schema of this moment; nothing can be described before there is one. */
export function currentSchema({ snapshot }: MetadataContext): Schema {
  const schema = snapshot.current()
  if (schema === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The database has not answered yet.')
  return schema
}

export const notYet = (what: string) => new ServiceError('UNPROCESSABLE_CONTENT', `${what} is not possible yet.`)

export function refuseUnknown(body: Body, known: readonly string[], what: string): void {
  for (const key of Object.keys(body)) {
    if (known.includes(key)) continue
    const hint = nearest(key, known)
    throw invalidPayload(`"${key}" is not known in ${what}${hint === undefined ? '' : `; did you mean "${hint}"?`}`)
  }
}

/** `meta` as sent → the values to store. `fixed` says what naming keys may repeat, but not change. */
export function storedMeta(
  meta: unknown,
  table: Readonly<Record<string, MetaColumn>>,
  fixed: Readonly<Record<string, unknown>>,
): StoredValue[] {
  if (meta === undefined || meta === null) return []
  if (!isBody(meta)) throw invalidPayload('"meta" has to be an object')
  refuseUnknown(meta, [...Object.keys(table), ...Object.keys(fixed), 'id'], 'meta')
  for (const [key, value] of Object.entries(fixed)) {
    if (meta[key] !== undefined && meta[key] !== value) throw invalidPayload(`"meta.${key}" cannot be changed`)
  }
  return Object.entries(table).flatMap(([column, row]) =>
    meta[column] === undefined ? [] : [{ column, kind: row.kind, value: storedValue(column, row, meta[column]) }],
  )
}

function storedValue(name: string, row: MetaColumn, value: unknown): string | null {
  const wrong = (what: string) => invalidPayload(`"meta.${name}" has to be ${what}`)
  if (value === null) {
    if (row.kind === 'boolean') throw wrong('true or false')
    return null
  }
  switch (row.kind) {
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong('true or false')
      return String(value)
    case 'integer':
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong('a whole number')
      return String(value)
    case 'json':
      return JSON.stringify(value)
    case 'json-text':
      return typeof value === 'string' ? jsonText(value) : JSON.stringify(value)
    case 'list':
      if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) throw wrong('a list of texts')
      return JSON.stringify(value)
    case 'text': {
      const text = Array.isArray(value) ? value.join(',') : value
      if (typeof text !== 'string') throw wrong('text')
      if (row.oneOf !== undefined && !row.oneOf.includes(text)) throw wrong(`one of ${row.oneOf.join(', ')}`)
      return text
    }
  }
}

/** Text that is JSON is kept as that JSON; any other text is a JSON string. */
function jsonText(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

export const named = (column: string, value: string): StoredValue => ({ column, kind: 'text', value })
