import type { Parameter } from '../lib/parameter.ts'
import type { Bind } from './driver.ts'
import { sql, type Sql } from './sql.ts'

/** A value that is only known when the statement runs: which one it is, and how it is written for the database. */
export interface Placeholder {
  readonly isPlaceholder: true
  readonly parameter: Parameter
  readonly encode: (value: unknown) => Bind
  /** The field it is compared with, to name where the database cannot read the value. */
  readonly field?: string
}

export const placeholder = (parameter: Parameter, encode: (value: unknown) => Bind, field?: string): Sql =>
  sql`${{ isPlaceholder: true, parameter, encode, ...(field === undefined ? {} : { field }) } satisfies Placeholder}`

/** A value that is part of the shape: a key of the reply, a collection's name. */
export const constant = (value: string): Sql => sql`${value}`

export const isPlaceholder = (value: unknown): value is Placeholder =>
  typeof value === 'object' && value !== null && 'isPlaceholder' in value
