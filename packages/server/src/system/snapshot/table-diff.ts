import type { SnapshotCollection, SnapshotField, SnapshotSections } from '@tain/contract'
import type { TableRef } from '../../schema/change.ts'
import type { Schema } from '../../schema/schema.ts'
import { isReplaced, isRetyped } from './plan-column.ts'
import { nameIn } from './sections.ts'

export interface PlanOptions {
  /** Whether objects that cannot be altered may be dropped and re-created. */
  readonly mayReplace: boolean
  /** Whether rows and values may be lost. */
  readonly mayLose: boolean
}

export const fieldName = (collection: string, field: string): string => nameIn('fields', { collection, field })

/** The current and the wanted schema. */
export interface Sides {
  readonly schema: Schema
  readonly current: SnapshotSections
  readonly wanted: SnapshotSections
}

/** Changes to whole tables and columns. */
export interface TableDiff {
  /** Collections whose table is dropped, including tables that are re-created. */
  readonly lost: ReadonlySet<string>
  readonly made: ReadonlySet<string>
  /** Fields that are dropped while their collection stays, by name. */
  readonly dropped: ReadonlyMap<string, SnapshotField>
  /** Columns added to an existing table. */
  readonly added: ReadonlyMap<string, SnapshotField>
  /** Columns that change their type. */
  readonly retyped: ReadonlySet<string>
  /** Collections without a table whose metadata is removed. */
  readonly folders: ReadonlySet<string>
}

export const isTable = (kind: string | undefined) => kind === 'table' || kind === 'partitioned'

export const byCollection = (items: readonly SnapshotCollection[]) =>
  new Map(items.map((item) => [item.collection, item]))
export const byField = (items: readonly SnapshotField[]) =>
  new Map(items.map((item) => [fieldName(item.collection, item.field), item]))

export const tableOf = ({ collection, schema }: SnapshotCollection, { defaultSchema }: Schema): TableRef => ({
  schema: schema?.schema ?? defaultSchema,
  table: schema?.name ?? collection,
})

/** Which tables and columns are dropped, created or retyped. */
export function tableDiffOf(
  { schema: mirror, current, wanted }: Sides,
  problem: (why: string) => void,
  { mayReplace }: PlanOptions,
): TableDiff {
  const [before, after] = [byCollection(current.collections), byCollection(wanted.collections)]
  const [fieldsBefore, fieldsAfter] = [byField(current.fields), byField(wanted.fields)]
  const replaced = (what: string) => {
    if (!mayReplace) problem(`${what} would have to be dropped and made anew, which only mode=mirror does`)
    return true
  }
  const lost = new Set<string>()
  const made = new Set<string>()
  const folders = new Set<string>()
  for (const [name, { schema }] of before) {
    const next = after.get(name)
    if (schema === null) {
      if (next === undefined) folders.add(name)
    } else if (!isTable(schema.kind)) {
      if (next?.schema != null && next.schema.kind !== schema.kind)
        problem(`"${name}" is a ${schema.kind} of the database: change it there`)
    } else if (next?.schema == null) lost.add(name)
    else if (!isTable(next.schema.kind))
      problem(`"${name}" would become a ${next.schema.kind}: make it in the database`)
    else if (isOtherKey(name, schema.primary_key, next.schema.primary_key, fieldsBefore, fieldsAfter)) {
      replaced(`collection "${name}" has another primary key; it`)
      lost.add(name)
    }
  }
  for (const [name, { schema }] of after) {
    if (schema === null || (before.get(name)?.schema != null && !lost.has(name))) continue
    if (schema.kind === 'table') made.add(name)
    else
      problem(`"${name}" is a ${schema.kind}: make it in the database first, or leave it out with excludeCollections`)
  }
  const stays = ({ collection }: SnapshotField) =>
    !lost.has(collection) && isTable(before.get(collection)?.schema?.kind) && after.has(collection)
  /** Includes views and system collections. */
  const isStanding = ({ collection }: SnapshotField) =>
    !lost.has(collection) && (after.has(collection) || mirror.collections.get(collection)?.isSystem === true)
  const dropped = new Map<string, SnapshotField>()
  const added = new Map<string, SnapshotField>()
  const retyped = new Set<string>()
  for (const [name, field] of fieldsBefore) {
    const next = fieldsAfter.get(name)
    if (next === undefined) {
      if (stays(field) || (field.schema === undefined && isStanding(field))) dropped.set(name, field)
      continue
    }
    if (!stays(field) || field.schema === undefined) continue
    if (next.schema === undefined || isReplaced(field.schema, next.schema)) {
      replaced(`field "${field.field}" of "${field.collection}"`)
      dropped.set(name, field)
    } else if (isRetyped(field.schema, next.schema)) retyped.add(name)
  }
  for (const [name, field] of fieldsAfter) {
    if (field.schema === undefined || !stays(field)) continue
    if (fieldsBefore.get(name)?.schema === undefined || dropped.has(name)) added.set(name, field)
  }
  return { lost, made, dropped, added, retyped, folders }
}

function isOtherKey(
  collection: string,
  before: readonly string[],
  after: readonly string[],
  fieldsBefore: ReadonlyMap<string, SnapshotField>,
  fieldsAfter: ReadonlyMap<string, SnapshotField>,
): boolean {
  if (JSON.stringify(before) !== JSON.stringify(after)) return true
  return after.some((name) => {
    const [from, to] = [fieldsBefore, fieldsAfter].map((fields) => fields.get(fieldName(collection, name))?.schema)
    return from === undefined || to === undefined || isReplaced(from, to)
  })
}
