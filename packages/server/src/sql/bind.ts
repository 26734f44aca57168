import type { Slot } from '../lib/slot.ts'
import type { Bind } from './driver.ts'
import { sql, type Sql } from './sql.ts'

/** A value that is only known when the statement runs: which one it is, and how it is written for the database. */
export interface Parameter {
  readonly isParameter: true
  readonly slot: Slot
  readonly encode: (value: unknown) => Bind
  /** The field it is compared with, to name where the database cannot read the value. */
  readonly field?: string
}

export const parameter = (slot: Slot, encode: (value: unknown) => Bind, field?: string): Sql =>
  sql`${{ isParameter: true, slot, encode, ...(field === undefined ? {} : { field }) } satisfies Parameter}`

/** A value that is part of the shape: a key of the reply, a collection's name. */
export const constant = (value: string): Sql => sql`${value}`

export const isParameter = (value: unknown): value is Parameter =>
  typeof value === 'object' && value !== null && 'isParameter' in value
