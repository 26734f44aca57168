import type { SnapshotCollection, SnapshotForeignKey, SnapshotRelation } from '@tain/contract'
import type { ReferentialAction, SchemaChange, TableRef } from '../../schema/change.ts'
import type { DeclaredRelation, Schema } from '../../schema/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Names } from './names.ts'
import { fieldName, tableOf, type TableDiff, type Sides } from './table-diff.ts'

type Touched = Pick<TableDiff, 'lost' | 'dropped' | 'retyped'>

const isTouched = (collection: string, columns: readonly string[], { lost, dropped, retyped }: Touched) =>
  lost.has(collection) ||
  columns.some((column) => {
    const name = fieldName(collection, column)
    return dropped.has(name) || retyped.has(name)
  })

const keyName = (collection: string, related: string | null, columns: readonly string[]) =>
  JSON.stringify([collection, related, columns])

const nameOf = ({ collection, related_collection: related }: SnapshotRelation, { columns }: SnapshotForeignKey) =>
  keyName(collection, related, columns)

function isAsWanted({ foreignKey }: DeclaredRelation, wanted: SnapshotForeignKey): boolean {
  if (foreignKey === null) return false
  const { toColumns, onUpdate, onDelete } = foreignKey
  return (
    canonicalJson([toColumns, onUpdate, onDelete]) ===
    canonicalJson([wanted.foreign_key_columns, wanted.on_update, wanted.on_delete])
  )
}

/** The service's own tables are not part of a file; null if the file has no such table. */
function referredTo(name: string, wanted: SnapshotCollection | undefined, schema: Schema): TableRef | null {
  const own = schema.collections.get(name)
  if (own?.isSystem === true) return { schema: own.schema, table: own.table }
  return wanted?.schema == null ? null : tableOf(wanted, schema)
}

/**
 * Foreign keys to drop and to add. If a column of a key changes its type, the key is dropped and re-added, because the
 * database requires matching types on both sides at all times.
 */
export async function keyChanges(
  { schema, current, wanted }: Sides,
  tableDiff: TableDiff,
  names: Names,
  problem: (why: string) => void,
): Promise<{ drops: SchemaChange[]; adds: SchemaChange[] }> {
  const asked = new Map(
    wanted.relations.flatMap((each) => (each.schema === null ? [] : [[nameOf(each, each.schema), each]])),
  )
  const inScope = new Set(
    current.relations.flatMap((each) => (each.schema === null ? [] : [nameOf(each, each.schema)])),
  )
  const drops: SchemaChange[] = []
  const kept = new Set<string>()
  for (const relation of schema.relations) {
    const { collection, relatedCollection: related, foreignKey } = relation
    const many = schema.collections.get(collection)
    if (foreignKey === null || many === undefined || many.isSystem || related === null) continue
    const name = keyName(collection, related, foreignKey.columns)
    const next = asked.get(name)?.schema ?? null
    const isMoved =
      isTouched(collection, foreignKey.columns, tableDiff) || isTouched(related, foreignKey.toColumns, tableDiff)
    const isGone = inScope.has(name) && next === null
    const isOther = next !== null && !isAsWanted(relation, next)
    if (!isMoved && !isGone && !isOther) {
      kept.add(name)
      continue
    }
    // The file does not describe a second key over the same columns.
    if (isOther && !isMoved && kept.has(name)) continue
    drops.push({ kind: 'drop-constraint', table: { schema: many.schema, table: many.table }, name: foreignKey.name })
  }
  const tables = new Map(wanted.collections.map((each) => [each.collection, each]))
  const adds: SchemaChange[] = []
  for (const [name, relation] of asked) {
    const { collection, related_collection: related, schema: key } = relation
    if (kept.has(name) || key === null || related === null) continue
    const many = tables.get(collection)
    const to = referredTo(related, tables.get(related), schema)
    const what = `the foreign key ${key.columns.map((column) => `"${column}"`).join(', ')} of "${collection}"`
    if (many?.schema == null || to === null) {
      problem(`${what} needs a table on both sides, "${collection}" and "${related}": take it away too`)
      continue
    }
    const table = tableOf(many, schema)
    const [first = '', ...others] = key.columns
    const [toFirst = '', ...toOthers] = key.foreign_key_columns
    adds.push({
      kind: 'add-foreign-key',
      table,
      column: first,
      name: await names.free(table, first, 'foreign'),
      to,
      toColumn: toFirst,
      ...(others.length === 0 ? {} : { rest: others.map((column, index) => [column, toOthers[index] ?? ''] as const) }),
      onDelete: key.on_delete as ReferentialAction,
      onUpdate: key.on_update as ReferentialAction,
    })
  }
  return { drops, adds }
}
