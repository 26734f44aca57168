import { invalidPayload, ServiceError } from '@tain/contract'
import { isExactNumber } from '../../lib/exact-json.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Collection } from '../../schema/schema.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import { recordset, statementKey } from './statements.ts'
import { keyText, type State } from './tree-state.ts'

/**
 * A payload may repeat the key of the row that it changes. Only the database can compare keys, so it looks up the row
 * of the repeated key, unless both texts are identical.
 */
export async function checkSentKeys(state: State): Promise<void> {
  const doubtful = state.tree.nodes.filter((node) => node.sentKey !== undefined && !isAlike(node, state))
  for (const [collection, nodes] of Map.groupBy(doubtful, (node) => node.collection)) {
    const found = await keysFound(collection, nodes, state)
    for (const [index, node] of nodes.entries())
      if (found.get(index) !== JSON.stringify(keyText(node, state))) throw changedKey(collection)
  }
}

const changedKey = ({ key }: Collection): ServiceError =>
  invalidPayload(`The key of an item cannot be changed (${key.map(({ name }) => `"${name}"`).join(', ')})`)

const textOf = (value: unknown): string | null => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

function isAlike(node: WriteNode, state: State): boolean {
  const stored = keyText(node, state)
  return node.collection.key.every(({ name }, index) => {
    const sent = node.sentKey?.[name]
    if (sent === undefined) return true
    const text = textOf(sent)
    return text !== null && (text === node.key?.[index] || text === stored[index])
  })
}

/** Keys of the rows that the sent keys find, by position. */
async function keysFound(
  collection: Collection,
  nodes: readonly WriteNode[],
  state: State,
): Promise<Map<number, string>> {
  const { statements, transaction } = state
  const { key } = collection
  const rows = await statements.run(
    `find ${statementKey(collection, [...key, ...key])}`,
    () =>
      statements.dialect.bulk.find(
        tableOf(collection),
        { columns: key.map(typed), parameter: 0 },
        key.map(({ name }) => name),
      ),
    [recordset(nodes.map((node) => cellsOf(node, state)))],
    transaction,
  )
  return new Map(rows.map((row) => [Number(row[0]) - 1, JSON.stringify(key.map((_, index) => row[1 + index] ?? ''))]))
}

/** A value that cannot be a key counts as a changed key. */
function cellsOf(node: WriteNode, state: State): string[] {
  const stored = keyText(node, state)
  return node.collection.key.map((field, index) => {
    const sent = node.sentKey?.[field.name]
    if (sent === undefined) return JSON.stringify(stored[index] ?? null)
    if (textOf(sent) === null) throw changedKey(node.collection)
    try {
      return state.context.encode(field, sent, [])
    } catch (error) {
      throw error instanceof ServiceError ? changedKey(node.collection) : error
    }
  })
}
