import { readsAll } from '../../access/grants.ts'
import type { Actor } from '../../access/actor.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'

/** An insert into one table, of rows with the same columns and the same parents. */
export interface Insert {
  readonly collection: Collection
  readonly fields: readonly ColumnField[]
  /** For columns that take their value from another row: the insert and column of that row. */
  readonly taken: ReadonlyMap<string, { readonly group: number; readonly column: string }>
}

/** The inserts of a single-statement create, their rows, and a cache key for the statement (`shape`). */
export interface InsertPlan {
  readonly inserts: readonly Insert[]
  readonly root: number
  readonly sets: readonly string[]
  readonly shape: string
}

/**
 * Whether the rows of this caller are written and returned exactly as sent, without decisions, generated values or
 * checks. A trigger could skip rows, and then the whole request must be rolled back. The statement returns whole rows,
 * so the collection has to be completely readable.
 */
export const isOpen = (collection: Collection, actor: Actor): boolean =>
  !collection.hasInsertTrigger && collection.isWhollyReadable && (actor.isAdmin || mayDoAll(collection, actor))

const mayDoAll = (collection: Collection, actor: Actor): boolean =>
  readsAll(collection, actor) &&
  actor.fieldsFor(collection, 'create') === 'all' &&
  actor.permissionsFor(collection, 'create').every(({ presets, validation }) => presets === null && validation === null)
