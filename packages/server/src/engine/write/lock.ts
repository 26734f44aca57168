import { forbidden } from '@tain/contract'
import { bindPresets, startTree, takeAny } from '../../query/bind-write.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Collection } from '../../schema/schema.ts'
import type { LockStrength } from '../../sql/bulk.ts'
import { lockRows } from './lock-rows.ts'
import { knownOf, returned } from './returned-columns.ts'
import { stays } from './row-rules.ts'
import { encodedKey, type State } from './tree-state.ts'

const byCollection = <T extends { readonly collection: Collection }>(nodes: readonly T[]): [Collection, T[]][] => {
  const groups = new Map<Collection, T[]>()
  for (const node of nodes) {
    const group = groups.get(node.collection)
    if (group === undefined) groups.set(node.collection, [node])
    else group.push(node)
  }
  // All writers lock tables in the same order, which prevents deadlocks.
  return [...groups].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
}

/** Locks rows named by key before any decision about them. Throws forbidden if a required row is missing. */
export async function lockExisting(state: State): Promise<void> {
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
    const nodes = state.tree.nodes.slice(done)
    const late = state.context.authorize({ ...startTree(), nodes })
    await state.context.prepare(late)
    state.context.complete(late)
    await state.context.guard(late)
    if (fresh.length === 0) return
  }
}

/** The action that a looked-up row needs. */
export const actionOf = (node: WriteNode, { found }: State) => (found.has(node) ? 'update' : 'create')

async function lock(
  collection: Collection,
  nodes: readonly WriteNode[],
  strength: LockStrength,
  state: State,
): Promise<void> {
  if (nodes.length === 0) return
  const fields = returned(collection, state)
  const keys = nodes.map(({ key }) => encodedKey(key ?? [], collection, state))
  const withRow = strength === 'change' && state.changeSink.wants(collection).before
  const rows = await lockRows(collection, fields, keys, strength, state, withRow)
  const found = new Map(rows.map((row) => [Number(row[0]) - 1, knownOf(fields, row, 1)]))
  if (withRow)
    for (const row of rows) {
      const node = nodes[Number(row[0]) - 1]
      if (node !== undefined) state.before.set(node, row[1 + fields.length] ?? null)
    }
  for (const [index, node] of nodes.entries()) {
    const known = found.get(index)
    if (known === undefined && node.action !== 'save') throw forbidden()
    if (known === undefined) continue
    state.known.set(node, known)
    state.found.set(node, known)
  }
}
