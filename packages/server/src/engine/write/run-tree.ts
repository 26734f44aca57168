import { forbidden } from '@tain/contract'
import { bindPresets, generated, takeAny } from '../../query/bind-write.ts'
import type { WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Row } from '../../sql/driver.ts'
import { tableOf, typed } from '../columns.ts'
import type { Change } from './change.ts'
import { compositeKeys } from './composite-keys.ts'
import { isRequired } from './complete.ts'
import { checkExisting, stays } from './row-rules.ts'
import { takeOrders } from './orders.ts'
import { checkRemovals, groupRemovals, judgeLeaving, remove, type Judged, type RemovalGroup } from './remove.ts'
import { checkSentKeys } from './sent-keys.ts'
import { skipped } from './skipped.ts'
import { recordset, statementKey } from './statements.ts'
import {
  ALIAS,
  encodedKey,
  keepsRevisions,
  keyText,
  columnsSql,
  returnedOf,
  rowName,
  type Known,
  type State,
  type TreeRun,
} from './tree-state.ts'
import { checkTree } from './transactions.ts'

export interface TreeResult {
  /** Key of each node's row, as text. */
  readonly keyOf: (node: WriteNode) => readonly string[]
  readonly changes: readonly Change[]
}

/** Executes a write tree: lock what exists, write in waves, remove what left. */
export async function runTree(tree: WriteTree, run: TreeRun): Promise<TreeResult> {
  const state: State = { ...run, tree, known: new Map(), found: new Map(), changes: [], orders: new Map() }
  await lockExisting(state)
  checkTree(tree, run.extent)
  await checkExisting(state)
  await checkSentKeys(state)
  // After the rights: whether a row is there is not told to who may not touch it.
  for (const node of tree.nodes)
    if (node.isLate && !stays(node, state)) run.context.completeSave(node, actionOf(node, state))
  const removals = groupRemovals(tree.removals)
  await checkRemovals(removals, state)
  const judged = new Map<RemovalGroup, Judged>()
  for (const removal of removals) judged.set(removal, await judgeLeaving(removal, state))
  await takeOrders(state)
  await writeWaves(state)
  for (const removal of removals) await remove(removal, judged.get(removal) ?? new Map(), state)
  return { keyOf: (node) => keyText(node, state), changes: state.changes }
}

// what a statement gives back

/** Columns of a collection that other rows take, or that identify its own. */
function returned(collection: Collection, { tree, context }: State): ColumnField[] {
  const names = new Set(collection.key.map(({ name }) => name))
  for (const node of tree.nodes) {
    const isAssigned = node.collection === collection && (node.action === 'update' || node.action === 'save')
    for (const [name, value] of node.values) {
      if (value.kind !== 'taken') continue
      if (value.node.collection === collection) names.add(value.column)
      if (isAssigned) names.add(name)
    }
    if (isAssigned)
      for (const { relation } of compositeKeys(node, context)) for (const name of relation.columns) names.add(name)
  }
  for (const { list, parent } of tree.removals)
    if (parent.collection === collection) for (const name of list.parentColumns) names.add(name)
  for (const { node, field } of tree.pendingAny) {
    if (node.collection === collection && field.relation?.kind === 'any') names.add(field.relation.collectionColumn)
  }
  for (const { order } of tree.nodes)
    if (order?.parent.collection === collection) for (const name of order.list.parentColumns) names.add(name)
  return [...names].flatMap((name) => collection.columns.get(name) ?? [])
}

const knownOf = (fields: readonly ColumnField[], row: Row, from: number): Known =>
  new Map(fields.map(({ name }, index) => [name, row[from + index] ?? null]))

// locking

const byCollection = <T extends { readonly collection: Collection }>(nodes: readonly T[]): [Collection, T[]][] => {
  const groups = new Map<Collection, T[]>()
  for (const node of nodes) {
    const group = groups.get(node.collection)
    if (group === undefined) groups.set(node.collection, [node])
    else group.push(node)
  }
  // One order of tables for everybody: writers that meet do not wait for each other in a circle.
  return [...groups].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
}

/** Rows named by key are locked before anything is decided on them; what must exist and does not is forbidden. */
async function lockExisting(state: State): Promise<void> {
  let done = 0
  while (done < state.tree.nodes.length || state.tree.pendingAny.length > 0) {
    const fresh = state.tree.nodes.slice(done)
    done = state.tree.nodes.length
    const keyed = fresh.filter((node) => node.key !== null)
    for (const [collection, nodes] of byCollection(keyed)) {
      await lock(
        collection,
        nodes.filter(({ action }) => action === 'link'),
        'refer',
        state,
      )
      await lock(
        collection,
        nodes.filter(({ action }) => action !== 'link'),
        'change',
        state,
      )
    }
    for (const { node, field, value } of state.tree.pendingAny.splice(0)) {
      const name = field.relation?.kind === 'any' ? state.known.get(node)?.get(field.relation.collectionColumn) : null
      takeAny(node, field, name ?? '', value, state.context)
    }
    for (const node of fresh)
      if (node.isLate && !stays(node, state)) bindPresets(node, actionOf(node, state), state.context)
    const late: WriteTree = { nodes: state.tree.nodes.slice(done), removals: [], references: [], pendingAny: [] }
    state.context.authorize(late)
    state.context.complete(late)
    await state.context.settle(late)
    if (fresh.length === 0) return
  }
}

/** What a row that was looked for turns out to need. */
const actionOf = (node: WriteNode, { found }: State) => (found.has(node) ? 'update' : 'create')

async function lock(
  collection: Collection,
  nodes: readonly WriteNode[],
  strength: 'change' | 'refer',
  state: State,
): Promise<void> {
  if (nodes.length === 0) return
  const { statements, transaction } = state
  const fields = returned(collection, state)
  const keys = nodes.map(({ key }) => encodedKey(key ?? [], collection, state))
  const rows = await statements.run(
    `lock ${strength} ${statementKey(collection, fields)}`,
    () =>
      statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), parameter: 0 },
        columnsSql(fields),
        ALIAS,
        strength,
      ),
    [recordset(keys)],
    transaction,
  )
  const found = new Map(rows.map((row) => [Number(row[0]) - 1, knownOf(fields, row, 1)]))
  for (const [index, node] of nodes.entries()) {
    const known = found.get(index)
    if (known === undefined && node.action !== 'save') throw forbidden()
    if (known === undefined) continue
    state.known.set(node, known)
    state.found.set(node, known)
  }
}

// writing

type Step = { readonly kind: 'create' | 'update' | 'join'; readonly node: WriteNode }

function stepOf(node: WriteNode, state: State): Step | null {
  switch (node.action) {
    case 'link':
      return null
    case 'save':
      return { kind: actionOf(node, state), node }
    case 'create':
    case 'update':
    case 'join':
      return { kind: node.action, node }
  }
}

/** Rows whose values are all known are written together, table by table, until none is left. */
async function writeWaves(state: State): Promise<void> {
  let waiting = state.tree.nodes.flatMap((node) => stepOf(node, state) ?? [])
  const isDone = new Set<WriteNode>(state.tree.nodes.filter(({ action }) => action === 'link'))
  const earlier = earlierSteps(waiting, state)
  const written = new Set<string>()
  while (waiting.length > 0) {
    const known = waiting.filter(({ node }) =>
      [...node.values.values()].every((value) => value.kind === 'given' || isDone.has(value.node)),
    )
    const inTurn = new Set<WriteNode>()
    for (const { node } of known) {
      const before = earlier.get(node)
      if (before === undefined || isDone.has(before) || inTurn.has(before)) inTurn.add(node)
    }
    const ready = inTurn.size === 0 ? known : known.filter(({ node }) => inTurn.has(node))
    if (ready.length === 0) throw new TypeError('rows of a payload wait for each other')
    for (const group of groupSteps(ready, written, state)) await writeGroup(group, state)
    for (const { node } of ready) isDone.add(node)
    waiting = waiting.filter(({ node }) => !isDone.has(node))
  }
}

/** Changes of one row are made in the order they were sent: each waits for the one before it. */
function earlierSteps(steps: readonly Step[], state: State): Map<WriteNode, WriteNode> {
  const latest = new Map<string, WriteNode>()
  const earlier = new Map<WriteNode, WriteNode>()
  for (const { kind, node } of steps) {
    if (kind !== 'update') continue
    const name = rowName(node, state)
    const before = latest.get(name)
    if (before !== undefined) earlier.set(node, before)
    latest.set(name, node)
  }
  return earlier
}

interface Group {
  readonly kind: Step['kind']
  readonly collection: Collection
  readonly fields: readonly ColumnField[]
  readonly nodes: WriteNode[]
}

/** Same table, same columns: one statement. A row that is changed twice needs two, in the order of its changes. */
function groupSteps(steps: readonly Step[], written: Set<string>, state: State): Group[] {
  const groups = new Map<string, Group>()
  const rounds = new Map<string, number>()
  for (const { kind, node } of steps) {
    const fields = writtenFields(kind, node, state)
    let round = 0
    if (kind === 'update') {
      const row = rowName(node, state)
      if (fields.length === 0 || (!written.has(row) && isUnchanged(node, fields, state))) continue
      written.add(row)
      round = rounds.get(row) ?? 0
      rounds.set(row, round + 1)
    }
    const names = fields.map((field) => field.name).join('\u0000')
    const name = `${node.collection.name}\u0000${kind}\u0000${String(round).padStart(6, '0')}\u0000${names}`
    const group = groups.get(name) ?? { kind, collection: node.collection, fields, nodes: [] }
    group.nodes.push(node)
    groups.set(name, group)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

function writtenFields(kind: Step['kind'], node: WriteNode, { orders, statements }: State): ColumnField[] {
  const { collection } = node
  const keyNames = new Set(collection.key.map(({ name }) => name))
  const namesAll = kind !== 'update' && collection.hasInsertTrigger && statements.dialect.bulk.namesTriggered
  return [...collection.columns.values()].filter((field) => {
    const { name } = field
    if (namesAll && isRequired(field)) return true
    // A part of the key that the parent gives is not only how the row was found: the row moves to that parent.
    if (kind === 'update' && node.action === 'save' && keyNames.has(name) && node.values.get(name)?.kind === 'given')
      return false
    return node.values.has(name) || (orders.has(node) && node.order?.field.name === name)
  })
}

/** A child that is only assigned, and has the parent already. */
const isUnchanged = (node: WriteNode, fields: readonly ColumnField[], state: State) =>
  fields.every(({ name }) => {
    const value = node.values.get(name)
    const current = state.found.get(node)?.get(name)
    return (
      value?.kind === 'taken' && current !== undefined && current === state.known.get(value.node)?.get(value.column)
    )
  })

function cellOf(node: WriteNode, { name }: ColumnField, { known, orders }: State): string {
  const value = node.values.get(name)
  if (value?.kind === 'given') return value.json
  if (value?.kind === 'taken') return JSON.stringify(known.get(value.node)?.get(value.column) ?? null)
  const order = orders.get(node)
  return order === undefined ? 'null' : String(order)
}

/** Keys out of other rows of the payload have to meet the caller's rules too. */
function checkKeys({ kind, nodes }: Group, { known, context }: State): void {
  for (const node of nodes) {
    const keys = [...node.values].flatMap(([name, value]) =>
      value.kind === 'taken' ? [[name, known.get(value.node)?.get(value.column) ?? null] as const] : [],
    )
    if (keys.length > 0) context.completeKeys(node, kind === 'update' ? 'update' : 'create', Object.fromEntries(keys))
  }
}

async function writeGroup(group: Group, state: State): Promise<void> {
  checkKeys(group, state)
  switch (group.kind) {
    case 'create':
      return createRows(group, state)
    case 'update':
      return updateRows(group, state)
    case 'join':
      return joinRows(group, state)
  }
}

async function createRows({ collection, fields, nodes }: Group, state: State): Promise<void> {
  const { statements, transaction } = state
  // A key that was looked for and not found would have to be given to the new row.
  const always = fields.find(({ column }) => column.identity === 'always')
  if (always !== undefined) throw generated(always)
  const wanted = returned(collection, state)
  const withSnapshot = keepsRevisions(collection)
  const shape =
    `create ${withSnapshot} ${statementKey(collection, fields)} ${statementKey(collection, wanted)}` as const
  const { bulk } = statements.dialect
  const set = { columns: fields.map(typed), parameter: 0 }
  const key = collection.key.map(typed)
  const insert = (cells: readonly (readonly string[])[]) =>
    statements.run(
      shape,
      () => bulk.insert(tableOf(collection), set, returnedOf(wanted, collection, withSnapshot), key),
      [recordset(cells)],
      transaction,
    )
  const cells = nodes.map((node) => fields.map((field) => cellOf(node, field, state)))
  const rows: Row[] = []
  if (fields.length > 0 && !bulk.insertsEach(set, key)) rows.push(...(await insert(cells)))
  else for (const row of cells) rows.push(...(await insert([row])))
  if (rows.length !== nodes.length) throw skipped('insert')
  for (const [index, node] of nodes.entries()) {
    const row = rows[index] ?? []
    state.known.set(node, knownOf(wanted, row, 0))
    state.changes.push({
      kind: 'create',
      collection,
      key: keyText(node, state),
      snapshot: withSnapshot ? (row[wanted.length] ?? null) : null,
      delta: null,
    })
  }
  await advanceCounter(collection, fields, nodes, state)
}

/** A counter that was passed by keys given by hand goes on after them. */
async function advanceCounter(
  collection: Collection,
  fields: readonly ColumnField[],
  nodes: readonly WriteNode[],
  state: State,
): Promise<void> {
  const { statements, transaction } = state
  for (const field of fields) {
    if (!field.column.hasAutoIncrement) continue
    const largest = nodes.reduce((most, node) => {
      const value = BigInt(state.known.get(node)?.get(field.name) ?? '0')
      return value > most ? value : most
    }, 0n)
    await statements.run(
      `advance ${statementKey(collection, [field])}`,
      () => statements.dialect.bulk.advance(collection.schema, collection.table, field.name, 0),
      [largest.toString()],
      transaction,
    )
  }
}

async function updateRows({ collection, fields, nodes }: Group, state: State): Promise<void> {
  const { statements, transaction } = state
  const wanted = returned(collection, state)
  const withSnapshot = keepsRevisions(collection)
  const key = collection.key
  const cells = nodes.map((node) => [
    ...keyText(node, state).map((part) => JSON.stringify(part)),
    ...fields.map((field) => cellOf(node, field, state)),
  ])
  const rows = await statements.run(
    `update ${withSnapshot} ${statementKey(collection, fields)} ${statementKey(collection, wanted)}`,
    () =>
      statements.dialect.bulk.update(
        tableOf(collection),
        { columns: [...key, ...fields].map(typed), parameter: 0 },
        key.length,
        returnedOf(wanted, collection, withSnapshot),
      ),
    [recordset(cells)],
    transaction,
  )
  // All of them were there when they were locked.
  if (rows.length !== nodes.length) throw skipped('update')
  for (const row of rows) {
    const index = Number(row[0]) - 1
    const node = nodes[index]
    const cell = cells[index]
    if (node === undefined || cell === undefined) continue
    const delta = `{${fields.map((field, at) => `${JSON.stringify(field.name)}:${cell[key.length + at] ?? 'null'}`).join(',')}}`
    const before = rowName(node, state)
    state.known.set(node, knownOf(wanted, row, 1))
    if (rowName(node, state) !== before) followRow(before, node, state)
    state.changes.push({
      kind: 'update',
      collection,
      key: keyText(node, state),
      snapshot: withSnapshot ? (row[1 + wanted.length] ?? null) : null,
      delta,
    })
  }
}

/** A child whose key begins with its parent's gets another key when it moves; whoever else names it has to know. */
function followRow(before: string, moved: WriteNode, state: State): void {
  for (const node of state.tree.nodes) {
    const known = state.known.get(node)
    if (node === moved || known === undefined || node.collection !== moved.collection) continue
    if (rowName(node, state) === before) state.known.set(node, new Map([...known, ...(state.known.get(moved) ?? [])]))
  }
}

async function joinRows({ collection, fields, nodes }: Group, state: State): Promise<void> {
  const { statements, transaction } = state
  const cells = nodes.map((node) => fields.map((field) => cellOf(node, field, state)))
  await statements.run(
    `join ${statementKey(collection, fields)}`,
    () => statements.dialect.bulk.insertMissing(tableOf(collection), { columns: fields.map(typed), parameter: 0 }),
    [recordset(cells)],
    transaction,
  )
  for (const [index, node] of nodes.entries()) {
    const texts = fields.map(
      (field, at) => [field.name, JSON.parse(cells[index]?.[at] ?? 'null') as string | null] as const,
    )
    state.known.set(node, new Map(texts))
  }
}
