import { invalidPayload, ServiceError, type MetaColumn } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { operatorProblem, patternProblem } from '../access/rule-problems.ts'
import { nearest } from '../lib/nearest.ts'
import type { SchemaChanger, Planner, StoredValue } from '../schema/change.ts'
import type { Schema } from '../schema/schema.ts'

/** Services of the resources that read and change schema and metadata. */
export interface MetadataContext {
  readonly changes: SchemaChanger
  readonly isReadOnly: boolean
}

/** A call that changes schema or metadata: how the change is planned, and the response once it is made. */
export interface SchemaCall {
  readonly planner: Planner
  readonly answer: (schema: Schema) => unknown
}

export type Body = Readonly<Record<string, unknown>>

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether schema and metadata may be changed: by administrators only, and only if the service stores metadata. */
export function checkMayChange(actor: Actor, { isReadOnly }: MetadataContext): void {
  if (!actor.isAdmin) throw new ServiceError('FORBIDDEN')
  if (isReadOnly) throw new ServiceError('UNPROCESSABLE_CONTENT', 'The service runs read-only and keeps no metadata.')
}

export function refuseUnknown(body: Body, known: readonly string[], what: string): void {
  for (const key of Object.keys(body)) {
    if (known.includes(key)) continue
    const hint = nearest(key, known)
    throw invalidPayload(`"${key}" is not known in ${what}${hint === undefined ? '' : `; did you mean "${hint}"?`}`)
  }
}

/**
 * `meta` as sent → the values to store. `fixed` contains the identifying keys; `meta` may repeat but not change them.
 */
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
  if (!isStorable(value)) throw wrong('well-formed text without zero bytes, however deep')
  const problem = name === 'validation' ? (patternProblem(value) ?? operatorProblem(value)) : null
  if (problem !== null) throw invalidPayload(`"meta.validation" cannot be used: ${problem}`)
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

/** The database would store JSON with such text, but fail to query it. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (Array.isArray(value)) return value.every(isStorable)
  return !isBody(value) || Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

/** Text that is valid JSON is stored as that JSON; any other text is stored as a JSON string. */
function jsonText(text: string): string {
  try {
    if (!isStorable(JSON.parse(text))) throw invalidPayload('"meta" has to be well-formed text without zero bytes')
    return text
  } catch (error) {
    if (error instanceof ServiceError) throw error
    return JSON.stringify(text)
  }
}

export const named = (column: string, value: string): StoredValue => ({ column, kind: 'text', value })
