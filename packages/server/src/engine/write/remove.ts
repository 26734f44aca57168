import { forbidden } from '@tain/contract'
import type { Authorized } from '../../access/authorized.ts'
import type { ChildList, Removal, WriteNode } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import { sharedBy, sharedKey } from '../shared-key.ts'
import { storedRow } from '../../changes/stored-row.ts'
import { filterDeletes, filterNodes } from './filter-rows.ts'
import { lockRows } from './lock-rows.ts'
import { checkRows, openRows } from './row-rules.ts'
import { recordset, statementKey } from './statements.ts'
import { groupSteps } from './steps.ts'
import { ALIAS, encodedKey, keyText, parentCells, returnedOf, type State } from './tree-state.ts'
import { updateRows } from './write-rows.ts'

export interface RemovalGroup {
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

/** Selects the rows that leave. Before the writes, `kept` lacks new rows, because their keys are unknown. */
function leavingOf({ list, removals, columns }: RemovalGroup, state: State): Leaving {
  const parentFields = list.columns.flatMap((name) => list.collection.columns.get(name) ?? [])
  const cells = removals.flatMap(({ parent, which }) => {
    const ofParent = parentCells(list, parent, state)
    if (which.kind === 'others') return [ofParent]
    return which.keys.map((key) => [...ofParent, ...key.map((part) => JSON.stringify(part))])
  })
  const kept = removals.flatMap(({ which }) =>
    which.kind === 'others'
      ? which.kept
          .filter((node) => state.known.has(node))
          .map((node) => keyText(node, state).map((part) => JSON.stringify(part)))
      : [],
  )
  return {
    columns: [...parentFields, ...(columns ?? [])],
    cells: recordset(cells),
    kept: columns === null ? recordset(kept) : null,
  }
}

export async function remove(group: RemovalGroup, judged: Judged, state: Authorized<State>): Promise<void> {
  const { list, action } = group
  const { collection } = list
  const { statements, transaction } = state
  const whole = leavingOf(group, state)
  const open = state.access.actor.isAdmin ? whole : await permitted(whole, group, judged, state)
  if (open === null) return
  const leaving = state.filtering.isFiltered(collection) ? await filtered(open, group, state) : open
  if (leaving === null) return
  const wanted = state.changeSink.wants(collection)
  const withRow = action === 'nullify' ? wanted.after : wanted.before
  const before = action === 'nullify' && wanted.before ? await rowsBefore(leaving, collection, state) : null
  const rows = await statements.run(
    `remove ${action} ${JSON.stringify(list.columns)} ${leaving.kept !== null} ${withRow} ${statementKey(collection, leaving.columns)}`,
    () =>
      statements.dialect.bulk.remove({
        ...removalOf(leaving, collection),
        nullify: action === 'nullify' ? list.columns : null,
        returned: returnedOf(collection.key, collection, withRow),
        key: collection.key.map(typed),
      }),
    [leaving.cells, leaving.kept ?? '[]'],
    transaction,
  )
  if (sharedBy(collection, rows, collection.key.length).length > 0) throw sharedKey(collection)
  for (const row of rows) {
    const key = collection.key.map((_, index) => row[index] ?? '')
    const returnedRow = withRow ? (row[key.length] ?? null) : null
    if (action === 'delete')
      state.changes.push({ action: 'delete', collection, key, before: returnedRow, after: null, delta: null })
    else {
      const delta = `{${list.columns.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`
      const was = before?.get(JSON.stringify(key)) ?? null
      state.changes.push({ action: 'update', collection, key, before: was, after: returnedRow, delta })
    }
  }
}

/** Rows that leave a list and stay otherwise, by key, as JSON. */
async function rowsBefore(leaving: Leaving, collection: Collection, { statements, transaction }: State) {
  const { bulk } = statements.dialect
  const rows = await statements.run(
    `leaving rows ${leaving.kept !== null} ${statementKey(collection, leaving.columns)}`,
    () =>
      bulk.leaving({
        ...removalOf(leaving, collection),
        key: collection.key.map(({ name }) => name),
        select: [bulk.rowJson(storedRow(collection), ALIAS)],
      }),
    [leaving.cells, leaving.kept ?? '[]'],
    transaction,
  )
  return new Map(rows.map((row) => [JSON.stringify(row.slice(0, -1)), row.at(-1) ?? null]))
}

/** Lets filters see the rows that leave. Those that stay without a parent are written here, with the values of filters. */
async function filtered(open: Leaving, group: RemovalGroup, state: Authorized<State>): Promise<Leaving | null> {
  const { list, action } = group
  const { collection } = list
  const cells = await keysOf(open, list, state)
  const keys = cells.map((key) => key.map((cell) => String(JSON.parse(cell))))
  const leaving = { columns: collection.key, cells: recordset(cells), kept: null }
  if (action === 'delete') {
    await filterDeletes(collection, keys, state.filtering)
    return leaving
  }
  const nodes = keys.map((key): WriteNode => {
    const values = new Map(list.columns.map((name) => [name, { kind: 'given', json: 'null' } as const]))
    const { path = [], parent } = group.removals[0] ?? {}
    const row = parent?.row ?? null
    return { collection, action: 'update', key, values, sent: new Set(), isLate: false, path, row, order: null }
  })
  const before = state.changeSink.wants(collection).before ? await rowsBefore(leaving, collection, state) : null
  for (const node of nodes) {
    state.known.set(node, new Map(collection.key.map(({ name }, at) => [name, node.key?.[at] ?? ''])))
    if (before !== null) state.before.set(node, before.get(JSON.stringify(node.key)) ?? null)
  }
  await filterNodes(nodes, state)
  const steps = nodes.map((node) => ({ kind: 'update', node }) as const)
  for (const rows of groupSteps(steps, new Set(), state)) await updateRows(rows, state)
  return null
}

/** Rows that leave: those that match `cells` in `columns`, except those in `kept`. */
interface Leaving {
  readonly columns: readonly ColumnField[]
  readonly cells: string
  readonly kept: string | null
}

const removalOf = ({ columns, kept }: Leaving, collection: Collection) => ({
  table: tableOf(collection),
  set: { columns: columns.map(typed), parameter: 0 },
  match: columns.map(({ name }) => name),
  kept: kept === null ? null : { columns: collection.key.map(typed), parameter: 1 },
  keptMatch: collection.key.map(({ name }) => name),
  alias: ALIAS,
})

/** Whether a child may leave: a `hidden` child stays, a `closed` one is refused, an `open` one leaves. */
type Verdict = 'hidden' | 'closed' | 'open'

/** Verdicts by key. */
export type Judged = ReadonlyMap<string, Verdict>

/** Writes can change which rows the rules allow, so rows that could leave are judged before the writes. */
export async function judgeLeaving(group: RemovalGroup, state: State): Promise<Judged> {
  const removals = group.removals.filter(({ parent }) => state.found.has(parent))
  const { actor } = state.access
  if (removals.length === 0 || actor.isAdmin || !actor.may('read', group.list.collection)) return new Map()
  const keys = await keysOf(leavingOf({ ...group, removals }, state), group.list, state)
  return judge(keys, group, state)
}

/** Locks the children that leave and returns their keys as JSON. */
async function keysOf(leaving: Leaving, { collection }: ChildList, { statements, transaction }: State) {
  const rows = await statements.run(
    `leaving ${leaving.kept !== null} ${statementKey(collection, leaving.columns)}`,
    () =>
      statements.dialect.bulk.leaving({
        ...removalOf(leaving, collection),
        key: collection.key.map(({ name }) => name),
      }),
    [leaving.cells, leaving.kept ?? '[]'],
    transaction,
  )
  return rows.map((row) => row.map((part) => JSON.stringify(part)))
}

async function judge(
  keys: readonly (readonly string[])[],
  { list: { collection, columns }, action }: RemovalGroup,
  state: State,
): Promise<Judged> {
  if (keys.length === 0) return new Map()
  const sent = new Set(action === 'nullify' ? columns : [])
  const seen = await openRows('read', collection, collection.key, keys, new Set(), state)
  const needed = action === 'delete' ? 'delete' : 'update'
  const open = seen.size === 0 ? seen : await openRows(needed, collection, collection.key, keys, sent, state)
  return new Map(
    keys.map((key, index): [string, Verdict] => [
      JSON.stringify(key),
      !seen.has(index) ? 'hidden' : open.has(index) ? 'open' : 'closed',
    ]),
  )
}

/** Hidden children stay; the caller needs permission to remove each of the others. null: no child leaves. */
async function permitted(leaving: Leaving, group: RemovalGroup, judged: Judged, state: State): Promise<Leaving | null> {
  const { collection } = group.list
  if (!state.access.actor.may('read', collection)) return null
  const keys = await keysOf(leaving, group.list, state)
  const others = keys.filter((key) => !judged.has(JSON.stringify(key)))
  const all = new Map([...judged, ...(await judge(others, group, state))])
  const verdicts = keys.map((key) => all.get(JSON.stringify(key)))
  if (verdicts.includes('closed')) throw forbidden()
  const open = keys.filter((_, index) => verdicts[index] === 'open')
  const [first] = group.removals
  if (open.length > 0 && group.action === 'nullify' && first !== undefined) state.context.completeEmptied(first)
  return open.length === 0 ? null : { columns: collection.key, cells: recordset(open), kept: null }
}

/** Children named by key have to exist before any write. Children of other parents stay unchanged. */
export async function checkRemovals(groups: readonly RemovalGroup[], state: State): Promise<void> {
  for (const { list, columns, removals } of groups)
    if (columns !== null && columns === list.collection.key) await checkNamed(list.collection, removals, state)
}

async function checkNamed(collection: Collection, removals: readonly Removal[], state: State): Promise<void> {
  const keys = removals.flatMap(({ which }) => (which.kind === 'named' ? which.keys : []))
  if (keys.length === 0) return
  const unique = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
  const encoded = unique.map((key) => encodedKey(key, collection, state))
  const rows = await lockRows(collection, collection.key, encoded, 'change', state)
  if (rows.length < unique.length) throw forbidden()
  const named = encoded.map((cells) => ({ cells }))
  await checkRows('read', collection, collection.key, named, state)
}
