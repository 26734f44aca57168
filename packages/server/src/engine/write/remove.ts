import { forbidden } from '@tain/contract'
import type { ChildList, Removal } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { tableOf, typed } from '../columns.ts'
import { recordset, shapeOf } from './statements.ts'
import { ALIAS, encodedKey, keepsRevisions, keyText, parentCells, returningSql, type State } from './tree-state.ts'

interface RemovalGroup {
  readonly list: ChildList
  readonly action: Removal['action']
  readonly removals: Removal[]
  readonly columns: readonly ColumnField[] | null
}

export function groupRemovals(removals: readonly Removal[]): RemovalGroup[] {
  const groups = new Map<string, RemovalGroup>()
  for (const removal of removals) {
    const { list, action, which } = removal
    const columns = which.kind === 'named' ? which.columns : null
    const name = JSON.stringify([
      list.collection.name,
      list.columns,
      action,
      columns?.map((field) => field.name) ?? null,
    ])
    const group = groups.get(name) ?? { list, action, removals: [], columns }
    group.removals.push(removal)
    groups.set(name, group)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

export async function remove({ list, action, removals, columns }: RemovalGroup, state: State): Promise<void> {
  const { collection } = list
  const { statements, transaction } = state
  const parentFields = list.columns.flatMap((name) => collection.columns.get(name) ?? [])
  const set = [...parentFields, ...(columns ?? [])]
  const cells = removals.flatMap(({ parent, which }) => {
    const ofParent = parentCells(list, parent, state)
    if (which.kind === 'others') return [ofParent]
    return which.keys.map((key) => [...ofParent, ...key.map((part) => JSON.stringify(part))])
  })
  const kept = removals.flatMap(({ which }) =>
    which.kind === 'others' ? which.kept.map((node) => keyText(node, state).map((part) => JSON.stringify(part))) : [],
  )
  const isOthers = columns === null
  const withSnapshot = action === 'nullify' && keepsRevisions(collection)
  const rows = await statements.run(
    `remove ${action} ${isOthers} ${withSnapshot} ${shapeOf(collection, set)}`,
    () =>
      statements.dialect.bulk.remove({
        table: tableOf(collection),
        set: { columns: set.map(typed), slot: 0 },
        match: set.map(({ name }) => name),
        kept: isOthers ? { columns: collection.key.map(typed), slot: 1 } : null,
        keptMatch: collection.key.map(({ name }) => name),
        nullify: action === 'nullify' ? list.columns : null,
        returning: returningSql(collection.key, withSnapshot),
        alias: ALIAS,
      }),
    [recordset(cells), recordset(kept)],
    transaction,
  )
  for (const row of rows) {
    const key = collection.key.map((_, index) => row[index] ?? '')
    if (action === 'delete') state.changes.push({ kind: 'delete', collection, key, snapshot: null, delta: null })
    else {
      const delta = `{${list.columns.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`
      state.changes.push({
        kind: 'update',
        collection,
        key,
        snapshot: withSnapshot ? (row[key.length] ?? null) : null,
        delta,
      })
    }
  }
}

/** Children named by key have to exist before anything is written; those of other parents are left alone. */
export async function checkRemovals(groups: readonly RemovalGroup[], state: State): Promise<void> {
  for (const { list, columns, removals } of groups)
    if (columns !== null && columns === list.collection.key) await checkNamed(list.collection, removals, state)
}

async function checkNamed(collection: Collection, removals: readonly Removal[], state: State): Promise<void> {
  const keys = removals.flatMap(({ which }) => (which.kind === 'named' ? which.keys : []))
  if (keys.length === 0) return
  const unique = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
  const rows = await state.statements.run(
    `lock change ${shapeOf(collection, collection.key)}`,
    () =>
      state.statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), slot: 0 },
        returningSql(collection.key, false),
        ALIAS,
        'change',
      ),
    [recordset(unique.map((key) => encodedKey(key, collection, state)))],
    state.transaction,
  )
  if (rows.length < unique.length) throw forbidden()
}
