import type { Authorized } from '../../access/authorized.ts'
import { generated } from '../../query/writable-field.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Row } from '../../sql/driver.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import { lockRows } from './lock-rows.ts'
import { knownOf, returned } from './returned-columns.ts'
import { skipped } from './skipped.ts'
import { recordset, statementKey } from './statements.ts'
import { type Group, cellOf } from './steps.ts'
import { type State, keyText, returnedOf, rowName } from './tree-state.ts'

export async function createRows({ collection, fields, nodes }: Group, state: Authorized<State>): Promise<void> {
  const { statements, transaction } = state
  // A key that the lookup did not find would have to be inserted, which GENERATED ALWAYS does not allow.
  const always = fields.find(({ column }) => column.identity === 'always')
  if (always !== undefined) throw generated(always)
  const wanted = returned(collection, state)
  const { after: withRow } = state.changeSink.wants(collection)
  const shape = `create ${withRow} ${statementKey(collection, fields)} ${statementKey(collection, wanted)}` as const
  const { bulk } = statements.dialect
  const set = { columns: fields.map(typed), parameter: 0 }
  const key = collection.key.map(typed)
  const insert = (cells: readonly (readonly string[])[]) =>
    statements.run(
      shape,
      () => bulk.insert(tableOf(collection), set, returnedOf(wanted, collection, withRow), key),
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
    const change = {
      action: 'create',
      collection,
      key: keyText(node, state),
      before: null,
      after: withRow ? (row[wanted.length] ?? null) : null,
      delta: null,
    } as const
    state.changes.push(change)
    state.created.set(change, node)
  }
  await advanceCounter(collection, fields, nodes, state)
}

/** Advances the counter of a column past keys that callers have chosen. */
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

export async function updateRows({ collection, fields, nodes }: Group, state: Authorized<State>): Promise<void> {
  const { statements, transaction } = state
  const wanted = returned(collection, state)
  const { after: withRow } = state.changeSink.wants(collection)
  const key = collection.key
  const cells = nodes.map((node) => [
    ...keyText(node, state).map((part) => JSON.stringify(part)),
    ...fields.map((field) => cellOf(node, field, state)),
  ])
  const rows = await statements.run(
    `update ${withRow} ${statementKey(collection, fields)} ${statementKey(collection, wanted)}`,
    () =>
      statements.dialect.bulk.update(
        tableOf(collection),
        { columns: [...key, ...fields].map(typed), parameter: 0 },
        key.length,
        returnedOf(wanted, collection, withRow),
      ),
    [recordset(cells)],
    transaction,
  )
  // All rows existed when they were locked.
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
      action: 'update',
      collection,
      key: keyText(node, state),
      before: state.before.get(node) ?? null,
      after: withRow ? (row[1 + wanted.length] ?? null) : null,
      delta,
    })
  }
}

/** A child whose key contains its parent's key gets a new key when it moves. Other nodes of the row need it. */
function followRow(before: string, moved: WriteNode, state: State): void {
  for (const node of state.tree.nodes) {
    const known = state.known.get(node)
    if (node === moved || known === undefined || node.collection !== moved.collection) continue
    if (rowName(node, state) === before) state.known.set(node, new Map([...known, ...(state.known.get(moved) ?? [])]))
  }
}

export async function joinRows({ collection, fields, nodes }: Group, state: Authorized<State>): Promise<void> {
  const { statements, transaction } = state
  const cells = nodes.map((node) => fields.map((field) => cellOf(node, field, state)))
  const join = () =>
    statements.run(
      `join ${statementKey(collection, fields)}`,
      () => statements.dialect.bulk.insertMissing(tableOf(collection), { columns: fields.map(typed), parameter: 0 }),
      [recordset(cells)],
      transaction,
    )
  await reportJoined(collection, fields, cells, state, join)
  for (const [index, node] of nodes.entries()) {
    const texts = fields.map(
      (field, at) => [field.name, JSON.parse(cells[index]?.[at] ?? 'null') as string | null] as const,
    )
    state.known.set(node, new Map(texts))
  }
}

/** Only the database knows which links are new, and asking costs: so it is asked where somebody listens. */
async function reportJoined(
  collection: Collection,
  fields: readonly ColumnField[],
  cells: readonly (readonly string[])[],
  state: State,
  join: () => Promise<unknown>,
): Promise<void> {
  const places = collection.key.map(({ name }) => fields.findIndex((field) => field.name === name))
  if (!state.changeSink.wants(collection).before || places.includes(-1)) return void (await join())
  const keys = cells.map((row) => places.map((at) => row[at] ?? 'null'))
  const existing = new Set((await lockRows(collection, [], keys, 'refer', state)).map(([position]) => position))
  await join()
  const rows = await lockRows(collection, collection.key, keys, 'refer', state, true)
  for (const [position, ...values] of rows) {
    if (existing.has(position)) continue
    const key = collection.key.map((_, index) => values[index] ?? '')
    const after = values[key.length] ?? null
    state.changes.push({ action: 'create', collection, key, before: null, after, delta: null, isUnrecorded: true })
  }
}
