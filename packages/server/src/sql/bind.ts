import type { Parameter } from '../lib/parameter.ts'
import type { Bind } from './driver.ts'
import { sql, type Sql } from './sql.ts'

/** A value that is known only when the statement runs: its parameter, and how it is encoded for the database. */
export interface Placeholder {
  readonly isPlaceholder: true
  readonly parameter: Parameter
  readonly encode: (value: unknown) => Bind
  /** The field it is compared with. Errors name it when the database cannot parse the value. */
  readonly field?: string
}

export const placeholder = (parameter: Parameter, encode: (value: unknown) => Bind, field?: string): Sql =>
  sql`${{ isPlaceholder: true, parameter, encode, ...(field === undefined ? {} : { field }) } satisfies Placeholder}`

/** A bind value that is fixed when the statement is compiled: a response key, a collection name. */
export const constant = (value: string): Sql => sql`${value}`

export const isPlaceholder = (value: unknown): value is Placeholder =>
  typeof value === 'object' && value !== null && 'isPlaceholder' in value
