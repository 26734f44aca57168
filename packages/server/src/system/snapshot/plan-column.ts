import type { SnapshotColumn, SnapshotField } from '@tain/contract'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Catalogue, ColumnDefinition, ColumnForm, SchemaChange, TableRef } from '../../schema/change.ts'
import type { ColumnField } from '../../schema/schema.ts'
import { defaultOf } from './column-default.ts'
import type { Names } from './names.ts'

/** Reports a change that cannot be made here, and why. */
export type Problem = (why: string) => void

const whatOf = ({ collection, field }: SnapshotField) => `field "${field}" of "${collection}"`

/** The form of a column; null if the service cannot create it. */
function formOf({ schema, collection, field, type, meta }: SnapshotField, catalogue: Catalogue, problem: Problem) {
  if (schema === undefined) return null
  const what = whatOf({ collection, field, type, meta })
  if (schema.enum_values !== undefined)
    return problem(`${what} has the listed values of ${schema.data_type}: make that column in the database`) ?? null
  if (schema.is_generated)
    return problem(`${what} is computed by the database: make that column in the database`) ?? null
  if (catalogue.nativeType(schema.data_type) === null)
    return problem(`${what} is of the type ${schema.data_type}: make that column in the database`) ?? null
  const form: ColumnForm = {
    type: 'text',
    maxLength: schema.max_length,
    precision: schema.numeric_precision,
    scale: schema.numeric_scale,
    native: schema.data_type,
  }
  return form
}

export function definitionOf(field: SnapshotField, catalogue: Catalogue, problem: Problem): ColumnDefinition | null {
  const { schema } = field
  const form = formOf(field, catalogue, problem)
  if (form === null || schema === undefined) return null
  const value = defaultOf(schema)
  if (value === undefined) problem(`${whatOf(field)} has a default that is computed: make that column in the database`)
  return {
    name: field.field,
    form,
    isNullable: schema.is_nullable,
    default: value ?? null,
    isCounter: schema.has_auto_increment,
  }
}

/** Schema changes that follow once a column exists. */
export async function extrasFor(
  { field: column, schema }: SnapshotField,
  table: TableRef,
  isOnlyKey: boolean,
  names: Names,
): Promise<SchemaChange[]> {
  if (schema === undefined) return []
  return [
    ...(schema.comment === null ? [] : [{ kind: 'comment-column', table, column, comment: schema.comment } as const]),
    ...(schema.is_unique && !isOnlyKey
      ? [{ kind: 'add-unique', table, column, name: await names.free(table, column, 'unique') } as const]
      : []),
    ...(schema.is_indexed
      ? [{ kind: 'add-index', table, column, name: await names.free(table, column, 'index') } as const]
      : []),
  ]
}

const typeNames = ['data_type', 'max_length', 'numeric_precision', 'numeric_scale'] as const

const isSame = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null)

export const isRetyped = (current: SnapshotColumn, wanted: SnapshotColumn): boolean =>
  typeNames.some((name) => !isSame(current[name], wanted[name]))

/** Differences that no statement can change: the column has to be dropped and re-created. */
export const isReplaced = (current: SnapshotColumn, wanted: SnapshotColumn): boolean =>
  current.has_auto_increment !== wanted.has_auto_increment ||
  !isSame(current.generation_expression, wanted.generation_expression)

/**
 * Changes to a column that stays, by phase: obstacles first, then the column itself, then objects that depend on it.
 */
export interface ColumnChanges {
  readonly before: readonly SchemaChange[]
  readonly during: readonly SchemaChange[]
  readonly after: readonly SchemaChange[]
}

export interface ColumnPlan {
  readonly table: TableRef
  readonly held: ColumnField
  readonly current: SnapshotField
  readonly wanted: SnapshotField
  readonly catalogue: Catalogue
  readonly names: Names
  readonly problem: Problem
}

export async function alterColumn(plan: ColumnPlan): Promise<ColumnChanges> {
  const { table, current, wanted, names, problem } = plan
  const from = current.schema
  const to = wanted.schema
  if (from === undefined || to === undefined) return { before: [], during: [], after: [] }
  const column = wanted.field
  if (!isSame(from.enum_values, to.enum_values) && to.enum_values !== undefined)
    problem(`the listed values of ${whatOf(wanted)} differ: change their type in the database`)
  const indexes = await indexChanges(plan, from, to)
  const during: SchemaChange[] = [...valueChanges(plan, from, to)]
  if (from.is_nullable && !to.is_nullable)
    during.push({ kind: 'set-not-null', table, column, name: await names.free(table, column, 'not_null') })
  if (!from.is_nullable && to.is_nullable) during.push({ kind: 'drop-not-null', table, column })
  if (from.comment !== to.comment) during.push({ kind: 'comment-column', table, column, comment: to.comment })
  return { before: indexes.drops, during, after: indexes.adds }
}

function valueChanges(
  { table, held, wanted, catalogue, problem }: ColumnPlan,
  from: SnapshotColumn,
  to: SnapshotColumn,
): SchemaChange[] {
  const column = wanted.field
  const isOtherDefault =
    !isSame(from.default_value, to.default_value) || !isSame(from.default_expression, to.default_expression)
  const isOtherType = isRetyped(from, to)
  if (!isOtherType && !isOtherDefault) return []
  const value = defaultOf(to)
  if (isOtherDefault && value === undefined)
    problem(`${whatOf(wanted)} has a default that is computed: change it in the database`)
  if (!isOtherType) {
    // Here the type only determines how the default value is written.
    const form = formOf({ ...wanted, schema: to }, catalogue, problem)
    return form === null ? [] : [{ kind: 'set-default', table, column, form, default: value ?? null }]
  }
  const form = formOf(wanted, catalogue, problem)
  if (form === null) return []
  const isKept = value === undefined || to.has_auto_increment
  return [{ kind: 'set-type', table, column, from: held.column, to: form, default: isKept ? 'kept' : value }]
}

/** Drops only indexes and constraints over this column alone. */
async function indexChanges(
  { table, wanted, catalogue, names }: ColumnPlan,
  from: SnapshotColumn,
  to: SnapshotColumn,
): Promise<{ drops: SchemaChange[]; adds: SchemaChange[] }> {
  const column = wanted.field
  const drops: SchemaChange[] = []
  const adds: SchemaChange[] = []
  for (const [name, isUnique] of [
    ['is_unique', true],
    ['is_indexed', false],
  ] as const) {
    if (from[name] === to[name]) continue
    if (to[name]) {
      const free = await names.free(table, column, isUnique ? 'unique' : 'index')
      adds.push({ kind: isUnique ? 'add-unique' : 'add-index', table, column, name: free })
      continue
    }
    const own = (await catalogue.indexes(table)).filter(
      (index) => index.isUnique === isUnique && !index.isPrimary && index.columns.join('\0') === column,
    )
    drops.push(
      ...own.map(({ isConstraint, name: held }): SchemaChange => ({
        kind: isConstraint ? 'drop-constraint' : 'drop-index',
        table,
        name: held,
      })),
    )
  }
  return { drops, adds }
}
